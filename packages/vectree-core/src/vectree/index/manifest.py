"""``manifest.json``: the commit point of the index. What it does not name does not exist."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from vectree.errors import CorpusDamaged, FormatMismatch, IndexMismatch
from vectree.index.embedder import Fingerprint
from vectree.index.rows import REINDEX

FORMAT = 1
"""Version of every file below the index folder."""

MANIFEST = "manifest.json"

EXACT = "exact"
"""The word for an index that keeps its vectors itself and reads them by brute force."""

_ATTEMPTS = 20
_PAUSE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentInfo:
    """What the manifest says of a segment.

    Attributes:
        name: Its file, without the ending.
        documents: Documents in it, removed ones included.
        entries: Entries in it, removed ones included.
        removed: Positions of removed documents, ascending.
        bytes: Size of its file.
    """

    name: Annotated[str, Field(pattern=r"\Asegment-[0-9a-f]{12}\z")]
    documents: int
    entries: int
    removed: tuple[int, ...]
    bytes: int

    @property
    def living(self) -> int:
        """Documents that are not removed."""
        return self.documents - len(self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The state of the index.

    Attributes:
        format: Version of the files.
        embedder: What made the vectors.
        template: Entry template.
        segments: Living segments, oldest first.
        store: Where vectors lie besides: `EXACT` for nowhere, or the word of a vector store.
        space: The space in that store; empty without one.
    """

    format: int
    embedder: Fingerprint
    template: str
    segments: tuple[SegmentInfo, ...] = ()
    store: str = EXACT
    space: Annotated[str, Field(pattern=r"\A(vectree-[0-9a-f]{12})?\z")] = ""


_MANIFEST = TypeAdapter(Manifest)


def read_manifest(folder: Path) -> Manifest | None:
    """Read the state of an index.

    Args:
        folder: The index folder.

    Returns:
        The manifest, or ``None`` if nothing was ever committed here.

    Raises:
        CorpusDamaged: If the file is not a manifest.
        FormatMismatch: If another version of VecTree wrote it.
    """
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        plain = json.loads(data)
        found = plain["format"]
        if found == FORMAT:
            return _MANIFEST.validate_python(plain)
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError) as error:
        raise CorpusDamaged(f"The index file {MANIFEST!r} is damaged.", hint=REINDEX) from error
    raise FormatMismatch(
        f"The index has format {found!r}; this version of VecTree reads {FORMAT}.", hint=REINDEX
    )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Commit a state: readers see the former one or this one, never a mixture.

    Args:
        folder: The index folder.
        manifest: The new state; every file it names is on the disk already.
    """
    copy = folder / f"{MANIFEST}.new"
    with copy.open("wb") as file:
        file.write(json.dumps(asdict(manifest), separators=(",", ":")).encode())
        file.flush()
        os.fsync(file.fileno())
    _replace(copy, folder / MANIFEST)
    flush_folder(folder)


def check_fingerprint(manifest: Manifest, embedder: Fingerprint, template: str) -> None:
    """Refuse an index whose vectors cannot be compared with the embedder's.

    Args:
        manifest: The state of the index.
        embedder: What the caller brings.
        template: Likewise.

    Raises:
        IndexMismatch: If they differ; the message says in what.
    """
    had, brought = asdict(manifest.embedder), asdict(embedder)
    had["template"], brought["template"] = manifest.template, str(template)
    differences = [f"{key} {had[key]!r}, not {brought[key]!r}" for key in had if had[key] != brought[key]]
    if differences:
        raise IndexMismatch(
            f"The index was built with {'; '.join(differences)}.",
            hint=f"Open it with the embedder {manifest.embedder.name!r}, or rebuild it: "
            f"vectree reindex --embedder {embedder.name}.",
        )


def check_store(manifest: Manifest, brought: str) -> None:
    """Refuse an index whose vectors lie elsewhere.

    Args:
        manifest: The state of the index.
        brought: Word of the store that the caller brings, or `EXACT`.

    Raises:
        IndexMismatch: If it is another.
    """
    if manifest.store != brought:
        raise IndexMismatch(
            f"The index lies in {manifest.store!r}, not in {brought!r}.",
            hint=f"Open it without naming an index, or move it: vectree reindex --index {brought}.",
        )


def flush_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut, where the system lets a folder be opened.

    Args:
        folder: An existing folder.
    """
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _replace(source: Path, target: Path) -> None:
    """Rename over a file that a reader may hold open for a moment, which Windows refuses."""
    for attempt in range(_ATTEMPTS):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if os.name != "nt" or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(_PAUSE)
