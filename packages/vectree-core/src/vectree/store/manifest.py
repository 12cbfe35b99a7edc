"""``corpus.json``: the format, the embedder the index was built with, and the folders papers came from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NoReturn

from pydantic import Field

from vectree.errors import CorpusDamaged, CorpusNotFound, FormatMismatch, StoreError, UsageError
from vectree.store.durable import replace_file
from vectree.store.json_files import decode, encode
from vectree.store.layout import MANIFEST, STAGING, has_papers, is_foreign

FORMAT = 1
"""Version of everything this package writes below the corpus folder, the index excepted (it has its own)."""

_REBUILD = "Restore it from a copy, or build the corpus anew: vectree add PATH… --corpus NEW_FOLDER."
_FORMAT_FIELD = re.compile(rb'"format"\s*:\s*(\d{1,9})')


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderMark:
    """What identifies the vectors of the index; see ``index.embedder.Fingerprint``.

    Attributes:
        name: Name of the embedder.
        revision: Revision or weights hash.
        pooling: ``"cls"``, ``"mean"`` or another word.
        dimension: Length of a vector.
    """

    name: str
    revision: str
    pooling: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GatesMark:
    """Similarity gates that were measured on the corpus; see ``search.calibration``.

    Attributes:
        embedder: What they were measured for; another embedder goes back to its own.
        relevant: Similarity from which a document is relevant.
        strong: Similarity from which it is a strong match.
    """

    embedder: EmbedderMark
    relevant: Annotated[float, Field(ge=-1, le=1)]
    strong: Annotated[float, Field(ge=-1, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderMark:
    """By what a folder is known again without keeping its path.

    Attributes:
        absolute: Hash of its absolute path: finds it after the corpus was moved.
        relative: Hash of its path from the corpus: finds it after both were moved together.
    """

    absolute: str
    relative: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The corpus about itself.

    Attributes:
        embedder: What made the vectors of the index.
        template: Entry template of the index.
        generation: Which build of the index is the valid one; raised by ``vectree reindex``.
        folders: Label of a folder papers were added from → by what it is known again. The first part of every
            source is such a label. No path is kept: a corpus can be moved or shared.
        gates: Similarity gates kept by ``vectree calibrate --write``; ``None`` for the embedder's own.
        index: Where the vectors of the index lie: ``"exact"`` for beside its words, or the word of a vector
            store.
        format: Version of the files.
    """

    embedder: EmbedderMark
    template: str
    generation: int = 1
    folders: dict[str, FolderMark] = field(default_factory=lambda: dict[str, FolderMark]())
    gates: GatesMark | None = None
    index: str = "exact"
    format: int = FORMAT


def read_manifest(root: Path) -> Manifest:
    """Read ``corpus.json``.

    Args:
        root: The corpus folder.

    Returns:
        The manifest. Without a corpus at ``root`` this raises `CorpusNotFound`; `CorpusDamaged` if the file
        is damaged, or missing beside papers; `FormatMismatch` if another version of VecTree wrote it.

    Raises:
        StoreError: If the file cannot be read.
    """
    try:
        data = (root / MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        _refuse_absent(root)
    except OSError as error:
        raise StoreError(
            f"The file '{root.name}/{MANIFEST}' cannot be read: {error.strerror or error}."
        ) from error
    _check_format(data, root)
    return decode(Manifest, data, name=f"{root.name}/{MANIFEST}", hint=_REBUILD)


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Replace ``corpus.json``; the caller holds the write lock.

    Args:
        root: The corpus folder.
        manifest: The new content.
    """
    replace_file(root / MANIFEST, encode(Manifest, manifest), scratch=root / STAGING)


def check_usable(root: Path) -> None:
    """Refuse to make a corpus of a folder that holds something else.

    Args:
        root: The folder a corpus is to be made in; it need not exist.

    Raises:
        UsageError: If it is a file, or a folder with other content (`CorpusDamaged` if it is a corpus that
            lost its ``corpus.json``).
    """
    if root.exists() and not root.is_dir():
        raise UsageError(
            f"{root.name!r} is a file, not a corpus folder.", hint="Choose another name with --corpus."
        )
    if has_papers(root):
        _refuse_absent(root)
    if root.is_dir() and is_foreign(root):
        raise UsageError(
            f"The folder {root.name!r} holds other files and is no corpus.",
            hint="Name a new or empty folder for the corpus with --corpus; papers are left where they are.",
        )


def _check_format(data: bytes, root: Path) -> None:
    found = _FORMAT_FIELD.search(data)
    written = int(found[1]) if found else FORMAT
    if written == FORMAT:
        return
    newer = written > FORMAT
    raise FormatMismatch(
        f"The corpus {root.name!r} has format {written}; this version of VecTree reads format {FORMAT}.",
        hint="Upgrade VecTree: pip install --upgrade vectree-core."
        if newer
        else "Build it anew: vectree add PATH… --corpus NEW_FOLDER.",
    )


def _refuse_absent(root: Path) -> NoReturn:
    if has_papers(root):
        raise CorpusDamaged(f"The file '{root.name}/{MANIFEST}' is missing from a corpus.", hint=_REBUILD)
    raise CorpusNotFound(
        f"There is no corpus at {str(root)!r}.", hint="Make one from a folder of PDFs: vectree add FOLDER."
    )
