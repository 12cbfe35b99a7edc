"""The index of a corpus: entries, vectors and postings of every paper, changed in small commits (§3.4).

``index/`` holds immutable segments and ``manifest.json``, which is replaced atomically and names the segments
that count. Adding a paper writes one small segment, removing one only changes the manifest, and now and then
some segments are merged. A reader looks at the manifest before each search and never sees half a change.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vectree.document import Record, SectionTree
from vectree.errors import UsageError
from vectree.index.embedder import Embedder, Vectors
from vectree.index.entries import EntryReport, Template, make_entries
from vectree.index.entry_keys import new_space
from vectree.index.manifest import SegmentInfo, write_manifest
from vectree.index.merging import MergePolicy
from vectree.index.preparing import digest_of, prepare
from vectree.index.rows import make_row
from vectree.index.segment import Prepared, build_segment, merge_segments
from vectree.index.segment_files import sweep, write_segment
from vectree.index.state import IndexState, alive_documents
from vectree.index.vector_store import VectorStore

COMMIT_SECONDS = 0.5
"""How long a rebuild works for one commit, which is what it loses at most if it is killed."""

KnownVectors = Callable[[str], Mapping[bytes, Vectors]]
"""Vectors of a document that need not be made again, by the digest of their text."""

_BATCH_ENTRIES = 4_096


class CorpusIndex(IndexState):
    """Both halves of the index, dense and lexical, behind one commit point.

    Reading is safe from several threads and processes; for `add` and `remove` the caller holds the corpus's
    write lock.

    Args:
        folder: The index folder; created by the first `add`.
        embedder: Must be the one the index was built with.
        template: How document entries are written: ``"title-first"`` or ``"paper"``.
        merging: When segments are merged.
        store: Holds the vectors, or proposes neighbours; must be the one the index was built with. By default
            there is none, and the index reads all vectors itself.
    """

    def __init__(
        self,
        folder: Path,
        embedder: Embedder,
        template: str = Template.TITLE_FIRST,
        *,
        merging: MergePolicy | None = None,
        store: VectorStore | None = None,
    ) -> None:
        super().__init__(folder, embedder, template, store=store)
        self._merging = merging or MergePolicy()
        self._swept = False

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
        return self._index(papers, self.known_vectors, math.inf)

    def resume(
        self, papers: Iterable[tuple[Record, SectionTree]], *, donor: IndexState | None = None
    ) -> tuple[EntryReport, ...]:
        """Index what is not indexed yet as it is now, committing often: little is lost if this is interrupted.

        Args:
            papers: As for `add_all`; those that the index holds already cost no embedding and no write.
            donor: Another index with vectors of the same embedder, which need not be made again.

        Returns:
            What was done to the others, in order.
        """

        def known(doc_id: str) -> dict[bytes, Vectors]:
            return (donor.known_vectors(doc_id) if donor is not None else {}) | self.known_vectors(doc_id)

        missing = ((record, tree) for record, tree in papers if not self._holds(record, tree))
        return self._index(missing, known, COMMIT_SECONDS)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Take documents out of the index; ids that it does not hold are ignored.

        Args:
            doc_ids: Documents to remove.
        """
        with self._lock:
            self.refresh()
            wanted = tuple(doc_ids)
            gone = self._marked(wanted)
            if gone != self._manifest.segments:
                stale = self._keys_of(wanted)
                self._commit(gone)
                self._delete_stored(stale)
                self._merge(self._merging.choose(self._manifest.segments))

    def compact(self) -> None:
        """Merge everything into one segment, whatever it costs."""
        with self._lock:
            self.refresh()
            if len(self._manifest.segments) > 1 or any(info.removed for info in self._manifest.segments):
                self._merge(self._manifest.segments)

    def drop(self) -> None:
        """Give up what the index holds in a vector store; its folder is the caller's to delete."""
        with self._lock:
            if self._stored is not None:
                self._stored.delete(key for key in self._snapshot.keys if key)
                self._stored.space.drop()

    def _index(
        self, papers: Iterable[tuple[Record, SectionTree]], known: KnownVectors, seconds: float
    ) -> tuple[EntryReport, ...]:
        """Prepare papers one by one, and commit them when there are many or the last commit is long ago."""
        reports: list[EntryReport] = []
        waiting: dict[str, Prepared] = {}
        entries, since = 0, time.monotonic()
        for record, tree in papers:
            if record.doc_id in waiting:
                raise UsageError(f"The document {record.doc_id!r} was given twice.")
            waiting[record.doc_id], report = prepare(
                record, tree, template=self._template, embedder=self._embedder, known=known(record.doc_id)
            )
            reports.append(report)
            entries += report.entries
            if entries >= _BATCH_ENTRIES or time.monotonic() - since >= seconds:
                self._commit_papers(list(waiting.values()))
                entries, since = 0, time.monotonic()
                waiting.clear()
        if waiting:
            self._commit_papers(list(waiting.values()))
        return tuple(reports)

    def _holds(self, record: Record, tree: SectionTree) -> bool:
        """Whether a document is indexed with this very row and these very entries."""
        snapshot = self.snapshot()
        number = snapshot.number(record.doc_id)
        if number is None:
            return False
        entries = make_entries(record, tree, self._template)
        wanted = [digest_of(entry.text) for entry in entries]
        return snapshot.row(number) == make_row(record, entries) and snapshot.digests(number) == wanted

    def _commit_papers(self, papers: Sequence[Prepared]) -> None:
        """Vectors into the store, then the segment and the manifest, then away with what they replace."""
        with self._lock:
            self.refresh()
            self._begin_space()
            doc_ids = [paper.record.doc_id for paper in papers]
            put = self._stored.put(papers) if self._stored is not None else set[str]()
            stale = self._keys_of(doc_ids) - put
            written = write_segment(self._folder, build_segment(papers, with_vectors=self._keeps_vectors))
            self._commit((*self._marked(doc_ids), written))
            self._delete_stored(stale)
            self._merge(self._merging.choose(self._manifest.segments))

    def _begin_space(self) -> None:
        """Commit the name of a new space before anything lies in it, so that nothing is left there unnamed."""
        if self._store is not None and not self._manifest.space:
            self._manifest = replace(self._manifest, space=new_space())
            self._commit(())

    def _keys_of(self, doc_ids: Iterable[str]) -> set[str]:
        """Keys of documents in the vector store; empty without one."""
        if self._stored is None:
            return set()
        numbers = [self._snapshot.number(doc_id) for doc_id in doc_ids]
        spans = [self._snapshot.span(number) for number in numbers if number is not None]
        return {key for span in spans for key in self._snapshot.keys[span]}

    def _delete_stored(self, keys: set[str]) -> None:
        if self._stored is None:
            return
        self._stored.delete(keys)
        if not self._swept:
            self._stored.sweep(self._snapshot)
            self._swept = True

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
            (segment, alive_documents(info))
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
