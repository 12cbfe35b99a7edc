"""A writer at work: the store first, then the index that is derived from it.

The order of steps keeps three promises, to readers and to whoever comes after a crash. A hit of the index
always has its paper: papers are stored before they are indexed, and leave the index before they leave the
store. A paper that is stored but not indexed is indexed by the next writer. Entries that may be out of date
are marked, and made anew by the next writer too.
"""

from __future__ import annotations

import errno
from collections.abc import Container, Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from vectree.corpus.catalogue import Catalogue
from vectree.corpus.state import CorpusState, OpenIndex, mark_of
from vectree.document import Record, SectionTree
from vectree.errors import CorpusNotFound, StoreError
from vectree.index.entries import EntryReport, Template
from vectree.store.durable import discard
from vectree.store.layout import INDEX, has_papers
from vectree.store.lock import write_lock
from vectree.store.manifest import Manifest, check_usable, read_manifest, write_manifest
from vectree.store.stale import StaleMarks
from vectree.store.writer import PaperWriter, StagedPaper

_UNWRITABLE = frozenset({errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EDQUOT, errno.EIO})


class WriteSession:
    """What a writer may do while it holds the lock; see `locked`.

    Args:
        state: The open corpus.
        without: Documents that are about to be removed; their files are not read, which may be damaged.
    """

    def __init__(self, state: CorpusState, *, without: Container[str] = ()) -> None:
        self.state = state
        self.writer = PaperWriter(state.root)
        store = state.store
        self.catalogue = Catalogue(
            store.record(doc_id) for doc_id in store.doc_ids() if doc_id not in without
        )
        self._stale = StaleMarks(state.root)

    @property
    def current(self) -> OpenIndex:
        """The open index."""
        return self.state.current()

    def repair(self) -> None:
        """Bring the index up to the store, where an earlier writer died between the two."""
        index, stale = self.current.index, self._stale.list()
        stored = {record.doc_id for record in self.catalogue}
        if ghosts := index.doc_ids() - stored:
            index.remove(ghosts)
        behind = (stored - index.doc_ids()) | (stale & stored)
        papers = (record for record in self.catalogue if record.doc_id in behind)
        for entries in index.add_all((record, self.state.store.tree(record.doc_id)) for record in papers):
            self._note_entries(entries)
        self._stale.clear(stale)
        self._relink()

    def publish(self, staged: StagedPaper, record: Record, tree: SectionTree) -> None:
        """Make a paper visible, then index it, then link its related documents back to it.

        Args:
            staged: The paper, filled.
            record: Its record; with a ``doc_id`` that exists it replaces that document.
            tree: Its section tree.
        """
        former = self.catalogue.get(record.doc_id)
        if former is not None:
            self._stale.set([record.doc_id])
            self._unlink(record)
        self.writer.publish(staged, record)
        self.catalogue.put(record)
        self._note_entries(self.current.index.add(record, tree))
        self._stale.clear([record.doc_id] if former is not None else [])
        if record.related:
            self._relink()

    def set_sources(self, record: Record, sources: Iterable[str]) -> None:
        """Change what a document is found behind; search does not see the difference.

        Args:
            record: The document.
            sources: At least one.
        """
        self._rewrite(replace(record, sources=tuple(sources)), indexed=False)

    def revise(self, record: Record) -> None:
        """Change what is known of a document; its index entries follow.

        Args:
            record: The document with new metadata.
        """
        self._rewrite(record)

    def remove(self, doc_ids: Iterable[str]) -> None:
        """Delete documents, and the links of others to them.

        Args:
            doc_ids: Documents that exist.
        """
        gone = tuple(doc_ids)
        for doc_id in gone:
            self.catalogue.drop(doc_id)
        self._relink()
        self.current.index.remove(gone)
        for doc_id in gone:
            self.writer.remove(doc_id)

    def _note_entries(self, entries: EntryReport) -> None:
        """Add to the report of a paper what is known only after it was indexed."""
        report = self.state.store.report(entries.doc_id)
        report["index"] = {
            "entries": entries.entries,
            "truncated": list(entries.truncated),
            "left_out": list(entries.left_out),
        }
        self.writer.rewrite_report(entries.doc_id, report)

    def _relink(self) -> None:
        """Make links between related documents mutual, and drop those that lead nowhere."""
        for record in self.catalogue.unlinked():
            self._rewrite(record)

    def _unlink(self, record: Record) -> None:
        """Drop the links to a document from those it is not related to any more."""
        for other in tuple(self.catalogue):
            if record.doc_id in other.related and other.doc_id not in record.related:
                self._rewrite(replace(other, related=tuple(r for r in other.related if r != record.doc_id)))

    def _rewrite(self, record: Record, *, indexed: bool = True) -> None:
        if indexed:
            self._stale.set([record.doc_id])
        self.writer.rewrite(record)
        self.catalogue.put(record)
        if indexed:
            self.current.index.add(record, self.state.store.tree(record.doc_id))
            self._stale.clear([record.doc_id])


@contextmanager
def locked(state: CorpusState, *, create: bool = False) -> Generator[Manifest]:
    """Hold the write lock of a corpus, with the store put right if a writer died in it.

    Args:
        state: The open corpus.
        create: Whether to make a corpus where there is none.

    Yields:
        Manifest: ``corpus.json``; the lock is held inside the block.
    """
    if create:
        _prepare_folder(state)
    else:
        state.manifest()
    with write_lock(state.root), _writable(state.root):
        if create:
            _create(state)
        manifest = state.manifest()
        PaperWriter(state.root).recover()
        _sweep_generations(state, manifest)
        yield manifest


def _prepare_folder(state: CorpusState) -> None:
    try:
        state.manifest()
    except CorpusNotFound:
        check_usable(state.root)
        mark_of(state.embedder())  # a model that cannot be had fails before a folder is made
        with _writable(state.root):
            state.root.mkdir(parents=True, exist_ok=True)


def _create(state: CorpusState) -> None:
    """Make the corpus; one without papers takes the embedder and the store that are asked for now."""
    mark = mark_of(state.embedder())
    try:
        manifest = read_manifest(state.root)
    except CorpusNotFound:
        index = state.place.word(None)
        write_manifest(
            state.root,
            Manifest(embedder=mark, template=(state.template or Template.TITLE_FIRST).value, index=index),
        )
        return
    index = state.place.word(manifest)
    template = manifest.template
    if state.template is not None and not has_papers(state.root):
        template = state.template.value
    if (manifest.embedder, manifest.index, manifest.template) != (mark, index, template):
        new = replace(
            manifest, embedder=mark, index=index, template=template, generation=manifest.generation + 1
        )
        write_manifest(state.root, new)


@contextmanager
def _writable(root: Path) -> Generator[None]:
    """Say in a sentence what keeps a corpus from being written, instead of failing with a system's error."""
    try:
        yield
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        raise StoreError(
            f"The corpus {str(root)!r} cannot be written to: {error.strerror}.",
            hint="Check the space on the disk and the permissions of the folder; what was finished is kept.",
        ) from error


def _sweep_generations(state: CorpusState, manifest: Manifest) -> None:
    folder = state.root / INDEX
    if folder.is_dir():
        for path in folder.iterdir():
            if path.name.isdecimal() and path.name != str(manifest.generation):
                discard(path)
