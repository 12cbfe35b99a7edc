"""Settings from a ``vectree.toml``: below the command line and the environment, above the defaults."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from vectree.errors import UsageError

FILE_NAME = "vectree.toml"
ALLOWED = {
    "corpus": str,
    "model": str,
    "navigation_model": str,
    "base_url": str,
    "embedder": str,
    "offline": bool,
}


def read_settings(folder: Path) -> dict[str, Any]:
    """Read ``vectree.toml`` in a folder.

    Args:
        folder: Where to look; parents are not searched.

    Returns:
        The settings found; empty if there is no file. A relative ``corpus`` is relative to the folder.

    Raises:
        UsageError: If the file is not TOML, or holds an unknown key or a value of the wrong type.
    """
    path = folder / FILE_NAME
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{FILE_NAME} is not valid TOML: {error}.") from error
    for key, value in settings.items():
        if key not in ALLOWED:
            raise UsageError(f"{FILE_NAME}: unknown key {key!r}.", hint=f"Known keys: {', '.join(ALLOWED)}.")
        if not isinstance(value, ALLOWED[key]):
            raise UsageError(f"{FILE_NAME}: {key} must be a {ALLOWED[key].__name__}, not {value!r}.")
    return settings
