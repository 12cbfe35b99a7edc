"""Building the index anew from the stored papers, beside the old one, which serves until then.

The new index grows in ``index/rebuild/``, committed as it goes. If that is interrupted, the next rebuild for
the same embedder and store goes on from there; for others it begins anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from vectree.corpus.state import CorpusState, index_folder, mark_of
from vectree.document import Record, SectionTree
from vectree.errors import CorpusDamaged, FormatMismatch, IndexMismatch, VecTreeError
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import Embedder
from vectree.index.manifest import read_manifest as read_index_manifest
from vectree.index.stores import word_of
from vectree.index.vector_store import VectorStore
from vectree.store.durable import discard, move
from vectree.store.layout import INDEX
from vectree.store.manifest import Manifest, write_manifest
from vectree.store.stale import StaleMarks

OnIndexed = Callable[[str, int, int], None]
"""Called with a ``doc_id``, its ordinal from 1 and the number of papers, before the paper is indexed."""

REBUILD = "rebuild"
"""Folder of an index in the making, below ``index/``."""

_LOG = logging.getLogger(__name__)


def rebuild(
    state: CorpusState,
    manifest: Manifest,
    embedder: Embedder,
    store: VectorStore | None,
    *,
    on_paper: OnIndexed | None = None,
) -> int:
    """Build the index anew and switch to it by one write of ``corpus.json``; the caller holds the lock.

    Args:
        state: The open corpus.
        manifest: ``corpus.json`` as it is.
        embedder: Makes the vectors from now on.
        store: Holds them from now on; ``None`` for the index itself.
        on_paper: Called for each paper.

    Returns:
        The number of papers indexed.
    """
    records = state.store.records()
    index = _begin(state, manifest, embedder, store)
    index.remove(index.doc_ids() - {record.doc_id for record in records})
    former = _former(state)
    moves = manifest.index != word_of(store) and manifest.embedder == mark_of(embedder)
    index.resume(_papers(state, records, on_paper), donor=former if moves else None)
    generation = manifest.generation + 1
    _settle(state, generation)
    write_manifest(
        state.root,
        replace(manifest, embedder=mark_of(embedder), index=word_of(store), generation=generation),
    )
    marks = StaleMarks(state.root)
    marks.clear(marks.list())
    state.use(embedder, store)
    if former is not None:
        _drop(former)
    return len(records)


def _begin(
    state: CorpusState, manifest: Manifest, embedder: Embedder, store: VectorStore | None
) -> CorpusIndex:
    """The index of an interrupted rebuild, if it fits, or an empty one."""
    folder = state.root / INDEX / REBUILD
    try:
        return CorpusIndex(folder, embedder, manifest.template, store=store)
    except (CorpusDamaged, FormatMismatch, IndexMismatch) as error:
        _LOG.info("The rebuild that was interrupted is given up: %s", error)
        _give_up(state, folder)
        return CorpusIndex(folder, embedder, manifest.template, store=store)


def _give_up(state: CorpusState, folder: Path) -> None:
    """Delete an unfinished index, and what it has put into its vector store if that can be reached."""
    try:
        if (found := read_index_manifest(folder)) is not None and found.space:
            store = state.place.recorded(found.store)
            if store is not None:
                store.space(found.space, found.embedder.dimension).drop()
    except VecTreeError as error:
        _LOG.warning("Entries of an interrupted rebuild are left in the vector store: %s", error)
    discard(folder)


def _settle(state: CorpusState, generation: int) -> None:
    """Give the new index its place; without papers there may be nothing to move."""
    finished, place = state.root / INDEX / REBUILD, index_folder(state.root, generation)
    discard(place)
    if finished.exists():
        move(finished, place)


def _former(state: CorpusState) -> CorpusIndex | None:
    """The index that still serves; ``None`` if it cannot be opened, which a rebuild is there to mend."""
    try:
        return state.current().index
    except VecTreeError as error:
        _LOG.info("The former index cannot be opened: %s", error)
        return None


def _drop(former: CorpusIndex) -> None:
    try:
        former.drop()
    except VecTreeError as error:
        _LOG.warning("Entries of the former index are left in the vector store: %s", error)


def _papers(
    state: CorpusState, records: tuple[Record, ...], on_paper: OnIndexed | None
) -> Iterator[tuple[Record, SectionTree]]:
    for ordinal, record in enumerate(records, 1):
        if on_paper is not None:
            on_paper(record.doc_id, ordinal, len(records))
        yield record, state.store.tree(record.doc_id)
