"""The index of a corpus: entries, vectors and postings of every paper, changed in small commits (§3.4).

``index/`` holds immutable segments and ``manifest.json``, which is replaced atomically and names the segments
that count. Adding a paper writes one small segment, removing one only changes the manifest, and now and then
some segments are merged. A reader looks at the manifest before each search and never sees half a change.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vectree.document import Record, SectionTree
from vectree.errors import CorpusDamaged, UsageError
from vectree.index.embedder import Embedder, Vectors
from vectree.index.entries import EntryReport, Template, parse_template
from vectree.index.manifest import (
    FORMAT,
    MANIFEST,
    Manifest,
    SegmentInfo,
    check_fingerprint,
    read_manifest,
    write_manifest,
)
from vectree.index.merging import MergePolicy
from vectree.index.postings import Mask
from vectree.index.preparing import prepare
from vectree.index.rows import REINDEX
from vectree.index.segment import Prepared, Segment, build_segment, merge_segments
from vectree.index.segment_files import open_segment, sweep, write_segment
from vectree.index.snapshot import Snapshot

Stamp = tuple[int, int, int]

_RETRIES = 8
_BATCH_ENTRIES = 4_096


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


class CorpusIndex:
    """Both halves of the index, dense and lexical, behind one commit point.

    Reading is safe from several threads and processes; for `add` and `remove` the caller holds the corpus's
    write lock.

    Args:
        folder: The index folder; created by the first `add`.
        embedder: Must be the one the index was built with.
        template: How document entries are written: ``"title-first"`` or ``"paper"``.
        merging: When segments are merged.
    """

    def __init__(
        self,
        folder: Path,
        embedder: Embedder,
        template: str = Template.TITLE_FIRST,
        *,
        merging: MergePolicy | None = None,
    ) -> None:
        self._folder = folder
        self._embedder = embedder
        self._template = parse_template(template)
        self._merging = merging or MergePolicy()
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

        An index of another version, embedder or entry template raises `FormatMismatch` or `IndexMismatch`.

        Returns:
            Whether the index changed.

        Raises:
            CorpusDamaged: If a file is missing, cut or altered.
        """
        with self._lock:
            stamp = self._look()
            if stamp == self._stamp:
                return False
            for _ in range(_RETRIES):
                manifest = read_manifest(self._folder) or self._empty_manifest()
                check_fingerprint(manifest, self._embedder.fingerprint, self._template)
                try:
                    self._show(manifest)
                except FileNotFoundError as error:
                    # Another process merged between our two looks; if nothing changed, the file is lost.
                    if (latest := self._look()) == stamp:
                        raise CorpusDamaged(
                            f"The index file {error.filename!r} is missing.", hint=REINDEX
                        ) from error
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

    def add(self, record: Record, tree: SectionTree) -> EntryReport:
        """Index a document, in place of its former version if there is one.

        Entries whose text did not change keep their vectors and are not embedded again.

        Args:
            record: The document.
            tree: Its section tree.

        Returns:
            What was done.
        """
        return self.add_all([(record, tree)])[0]

    def add_all(self, papers: Iterable[tuple[Record, SectionTree]]) -> tuple[EntryReport, ...]:
        """Index many documents with few commits.

        Args:
            papers: Documents and their trees, each document once; read as they are needed.

        Returns:
            What was done, in order.

        Raises:
            UsageError: If a document occurs twice.
        """
        reports: list[EntryReport] = []
        waiting: list[Prepared] = []
        entries = 0
        for record, tree in papers:
            if any(paper.record.doc_id == record.doc_id for paper in waiting):
                raise UsageError(f"The document {record.doc_id!r} was given twice.")
            prepared, report = prepare(
                record,
                tree,
                template=self._template,
                embedder=self._embedder,
                known=self._known_vectors(record.doc_id),
            )
            waiting.append(prepared)
            reports.append(report)
            entries += report.entries
            if entries >= _BATCH_ENTRIES:
                self._commit_papers(waiting)
                waiting, entries = [], 0
        if waiting:
            self._commit_papers(waiting)
        return tuple(reports)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Take documents out of the index; ids that it does not hold are ignored.

        Args:
            doc_ids: Documents to remove.
        """
        with self._lock:
            self.refresh()
            gone = self._marked(doc_ids)
            if gone != self._manifest.segments:
                self._commit(gone)
                self._merge(self._merging.choose(self._manifest.segments))

    def compact(self) -> None:
        """Merge everything into one segment, whatever it costs."""
        with self._lock:
            self.refresh()
            if len(self._manifest.segments) > 1 or any(info.removed for info in self._manifest.segments):
                self._merge(self._manifest.segments)

    def _known_vectors(self, doc_id: str) -> dict[bytes, Vectors]:
        """Vectors of the document's former version by the hash of their text."""
        snapshot = self.snapshot()
        number = snapshot.number(doc_id)
        if number is None:
            return {}
        place = snapshot.place(number)
        segment = snapshot.segments[place.segment]
        span = segment.span(place.document)
        return {
            digest.tobytes(): np.array(vector)
            for digest, vector in zip(segment.digests[span], segment.vectors[span], strict=True)
        }

    def _commit_papers(self, papers: Sequence[Prepared]) -> None:
        with self._lock:
            self.refresh()
            written = write_segment(self._folder, build_segment(papers))
            self._commit((*self._marked(paper.record.doc_id for paper in papers), written))
            self._merge(self._merging.choose(self._manifest.segments))

    def _marked(self, doc_ids: Iterable[str]) -> tuple[SegmentInfo, ...]:
        """The manifest's segments with these documents marked as removed."""
        removed = [set(info.removed) for info in self._manifest.segments]
        for doc_id in doc_ids:
            if (number := self._snapshot.number(doc_id)) is not None:
                place = self._snapshot.place(number)
                removed[place.segment].add(place.document)
        return tuple(
            replace(info, removed=tuple(sorted(gone)))
            for info, gone in zip(self._manifest.segments, removed, strict=True)
        )

    def _merge(self, chosen: Sequence[SegmentInfo]) -> None:
        if not chosen:
            return
        names = {info.name for info in chosen}
        parts = [
            (segment, _alive(info))
            for segment, info in zip(self._snapshot.segments, self._manifest.segments, strict=True)
            if info.name in names
        ]
        others = tuple(info for info in self._manifest.segments if info.name not in names)
        if any(alive.any() for _, alive in parts):
            others = (*others, write_segment(self._folder, merge_segments(parts)))
        self._commit(others)

    def _commit(self, segments: Sequence[SegmentInfo]) -> None:
        """Make a state the valid one, show it, and delete what nothing names any more."""
        living = tuple(info for info in segments if info.living)
        manifest = replace(self._manifest, segments=living)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_manifest(self._folder, manifest)
        self._show(manifest)
        self._stamp = self._look()
        sweep(self._folder, {info.name for info in living})

    def _show(self, manifest: Manifest) -> None:
        """Open the segments of a manifest, keeping those that are open already."""
        opened = {segment.name: segment for segment in self._snapshot.segments}
        parts: list[tuple[Segment, Mask]] = []
        for info in manifest.segments:
            segment = opened.get(info.name) or open_segment(self._folder, info)
            if segment.vectors.shape[1] != manifest.embedder.dimension:
                raise CorpusDamaged(
                    f"The index file {info.name!r} holds vectors of another length.", hint=REINDEX
                )
            parts.append((segment, _alive(info)))
        self._snapshot, self._manifest = Snapshot(parts), manifest

    def _look(self) -> Stamp | None:
        try:
            found = (self._folder / MANIFEST).stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _empty_manifest(self) -> Manifest:
        return Manifest(format=FORMAT, embedder=self._embedder.fingerprint, template=self._template)


def _alive(info: SegmentInfo) -> Mask:
    alive = np.ones(info.documents, dtype=np.bool_)
    alive[list(info.removed)] = False
    return alive
