"""The index as a reader sees it: what the manifest on disk names, opened."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vectree.errors import CorpusDamaged
from vectree.index.dense import span_entries
from vectree.index.embedder import Embedder, Vectors
from vectree.index.entries import Template, parse_template
from vectree.index.manifest import (
    FORMAT,
    MANIFEST,
    Manifest,
    SegmentInfo,
    check_fingerprint,
    check_store,
    read_manifest,
)
from vectree.index.postings import Mask
from vectree.index.rows import REINDEX
from vectree.index.segment import Segment
from vectree.index.segment_files import open_segment
from vectree.index.snapshot import Snapshot
from vectree.index.stored_vectors import StoredVectors
from vectree.index.stores import word_of
from vectree.index.vector_store import VectorStore

Stamp = tuple[int, int, int]

_RETRIES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSize:
    """How large an index is.

    Attributes:
        documents: Living documents.
        entries: Their entries: N(1+S).
        dimension: Length of a vector.
        segments: Files.
        bytes: Size of the files together.
    """

    documents: int
    entries: int
    dimension: int
    segments: int
    bytes: int


class IndexState:
    """What is committed now, also by another process. Safe to use from several threads.

    Args:
        folder: The index folder; created by the first `add`.
        embedder: Must be the one the index was built with.
        template: How document entries are written: ``"title-first"`` or ``"paper"``.
        store: Holds the vectors, or proposes neighbours; must be the one the index was built with. By default
            there is none, and the index reads all vectors itself.
    """

    def __init__(
        self,
        folder: Path,
        embedder: Embedder,
        template: str = Template.TITLE_FIRST,
        *,
        store: VectorStore | None = None,
    ) -> None:
        self._folder = folder
        self._embedder = embedder
        self._template = parse_template(template)
        self._store = store
        self._stored: StoredVectors | None = None
        self._lock = threading.RLock()
        self._stamp: Stamp | None = None
        self._manifest = self._empty_manifest()
        self._snapshot = Snapshot(())
        self.refresh()

    @property
    def embedder(self) -> Embedder:
        """What makes the vectors."""
        return self._embedder

    @property
    def size(self) -> IndexSize:
        """How large the index is now."""
        snapshot = self.snapshot()
        return IndexSize(
            documents=snapshot.documents,
            entries=snapshot.entries,
            dimension=self._embedder.fingerprint.dimension,
            segments=len(snapshot.segments),
            bytes=sum(info.bytes for info in self._manifest.segments),
        )

    def refresh(self) -> bool:
        """Look for what another process committed; costs one ``stat`` if there is nothing.

        An index of another version, embedder, entry template or vector store raises `FormatMismatch` or
        `IndexMismatch`.

        Returns:
            Whether the index changed.

        Raises:
            CorpusDamaged: If a file is missing, cut or altered, or the vector store lost entries.
        """
        with self._lock:
            stamp = self._look()
            if stamp == self._stamp:
                return False
            for _ in range(_RETRIES):
                try:
                    self._read()
                except (FileNotFoundError, CorpusDamaged) as error:
                    # Another process may have merged or removed between two looks; else the damage is real.
                    if (latest := self._look()) == stamp:
                        raise _damage(error) from error
                    stamp = latest
                else:
                    self._stamp = stamp
                    return True
            raise CorpusDamaged("The index changes faster than it can be read.", hint="Try again.")

    def snapshot(self) -> Snapshot:
        """The latest committed state.

        Returns:
            A state that stays as it is while it is used.
        """
        with self._lock:
            self.refresh()
            return self._snapshot

    def doc_ids(self) -> frozenset[str]:
        """Which documents are indexed.

        Returns:
            Their ids.
        """
        return frozenset(self.snapshot().doc_ids)

    def known_vectors(self, doc_id: str) -> dict[bytes, Vectors]:
        """Vectors of a document, for an entry whose text did not change.

        Args:
            doc_id: The document; it need not be indexed.

        Returns:
            Digest of the text → vector.
        """
        snapshot = self.snapshot()
        number = snapshot.number(doc_id)
        if number is None:
            return {}
        digests = snapshot.digests(number)
        if self._stored is not None and self._stored.space.gives_vectors:
            return self._stored.known(doc_id, digests)
        span = snapshot.span(number)
        return dict(zip(digests, snapshot.vectors(span_entries([span])), strict=True))

    @property
    def _keeps_vectors(self) -> bool:
        return self._stored is None or not self._stored.space.gives_vectors

    def _read(self) -> None:
        """Show what the manifest on disk names."""
        manifest = read_manifest(self._folder) or self._empty_manifest()
        check_fingerprint(manifest, self._embedder.fingerprint, self._template)
        check_store(manifest, self._store_word)
        former, opened = self._snapshot, self._stored is not None
        self._show(manifest)
        if self._stored is not None:
            if opened:
                self._stored.notice(former, self._snapshot)
            self._stored.check(self._snapshot)

    def _show(self, manifest: Manifest) -> None:
        """Open the segments of a manifest, keeping those that are open already."""
        opened = {segment.name: segment for segment in self._snapshot.segments}
        self._open_space(manifest)
        width = manifest.embedder.dimension if self._keeps_vectors else 0
        parts: list[tuple[Segment, Mask]] = []
        for info in manifest.segments:
            segment = opened.get(info.name) or open_segment(self._folder, info)
            if segment.vectors.shape[1] != width:
                raise CorpusDamaged(
                    f"The index file {info.name!r} holds vectors of another length.", hint=REINDEX
                )
            parts.append((segment, alive_documents(info)))
        if self._stored is None:
            self._snapshot = Snapshot(parts)
        else:
            keys = self._stored.keys([segment for segment, _ in parts])
            self._snapshot = Snapshot(parts, self._stored.space, keys)
        self._manifest = manifest

    def _open_space(self, manifest: Manifest) -> None:
        if self._store is None or not manifest.space:
            self._stored = None
        elif self._stored is None or self._stored.name != manifest.space:
            space = self._store.space(manifest.space, manifest.embedder.dimension)
            self._stored = StoredVectors(manifest.space, space)

    def _look(self) -> Stamp | None:
        try:
            found = (self._folder / MANIFEST).stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _empty_manifest(self) -> Manifest:
        return Manifest(
            format=FORMAT,
            embedder=self._embedder.fingerprint,
            template=self._template,
            store=self._store_word,
        )

    @property
    def _store_word(self) -> str:
        return word_of(self._store)


def alive_documents(info: SegmentInfo) -> Mask:
    """Which documents of a segment count.

    Args:
        info: What the manifest says of it.

    Returns:
        Shape (documents,).
    """
    alive = np.ones(info.documents, dtype=np.bool_)
    alive[list(info.removed)] = False
    return alive


def _damage(error: FileNotFoundError | CorpusDamaged) -> CorpusDamaged:
    if isinstance(error, CorpusDamaged):
        return error
    return CorpusDamaged(f"The index file {error.filename!r} is missing.", hint=REINDEX)
