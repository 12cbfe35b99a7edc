"""Building the index anew from the stored papers, beside the old one, which serves until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from vectree.corpus.state import CorpusState, index_folder, mark_of
from vectree.document import Record, SectionTree
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import Embedder
from vectree.store.durable import discard
from vectree.store.manifest import Manifest, write_manifest
from vectree.store.stale import StaleMarks

OnIndexed = Callable[[str, int, int], None]
"""Called with a ``doc_id``, its ordinal from 1 and the number of papers, before the paper is indexed."""


def rebuild(
    state: CorpusState, manifest: Manifest, embedder: Embedder, *, on_paper: OnIndexed | None = None
) -> int:
    """Build the index anew and switch to it by one write of ``corpus.json``; the caller holds the lock.

    Args:
        state: The open corpus.
        manifest: ``corpus.json`` as it is.
        embedder: Makes the vectors from now on.
        on_paper: Called for each paper.

    Returns:
        The number of papers indexed.
    """
    records = state.store.records()
    generation = manifest.generation + 1
    folder = index_folder(state.root, generation)
    discard(folder)
    index = CorpusIndex(folder, embedder, manifest.template)
    index.add_all(_papers(state, records, on_paper))
    write_manifest(state.root, replace(manifest, embedder=mark_of(embedder), generation=generation))
    marks = StaleMarks(state.root)
    marks.clear(marks.list())
    state.use_embedder(embedder)
    return len(records)


def _papers(
    state: CorpusState, records: tuple[Record, ...], on_paper: OnIndexed | None
) -> Iterator[tuple[Record, SectionTree]]:
    for ordinal, record in enumerate(records, 1):
        if on_paper is not None:
            on_paper(record.doc_id, ordinal, len(records))
        yield record, state.store.tree(record.doc_id)
