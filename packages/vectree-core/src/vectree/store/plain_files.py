"""Which names may stand for a figure, and how a file of a paper is opened: never through a link."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


def is_figure_name(name: str) -> bool:
    """Whether a text may name a figure's file.

    Args:
        name: Any text.

    Returns:
        True for ASCII letters, digits, ``.``, ``_`` and ``-``, not beginning with a dot, at most 100.
    """
    plain = name.replace(".", "").replace("_", "").replace("-", "")
    return 0 < len(name) <= 100 and name.isascii() and plain.isalnum() and name[0] != "."


def open_plain(folder: Path, name: str) -> BinaryIO:
    """Open a file of a paper, and nothing but a plain file: no link, pipe or device.

    Args:
        folder: The paper's folder.
        name: A name within it, one folder deep at most.

    Returns:
        The open file.

    Raises:
        OSError: If it is missing, cannot be read, or is no plain file, or a link leads to it.
    """
    path = folder / name
    if path.parent != folder and path.parent.is_symlink():
        raise OSError(f"{name} lies behind a link")
    # Windows has no such flags; there, making a link takes a privilege.
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    handle = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{name} is not a plain file")
    return os.fdopen(handle, "rb")
