"""A corpus folder as the systems under evaluation see it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from vectree.corpus.library import CorpusLibrary
from vectree.corpus.state import CorpusState
from vectree.document import Record
from vectree.evaluate.records import Papers, Unit
from vectree.index.embedder import Embedder

_REMEMBERED = 4096
"""Pages remembered by a page reader."""


def open_papers(path: Path, *, embedder: str | Embedder | None = None) -> Papers:
    """Open a corpus for evaluation; it is only read.

    Args:
        path: The corpus folder; `CorpusNotFound` says that there is none.
        embedder: By default the corpus's own; one it was not built with raises `IndexMismatch`.

    Returns:
        The papers.
    """
    state = CorpusState(path, embedder)
    return Papers(
        library=CorpusLibrary(state),
        doc_ids=tuple(sorted(state.store.doc_ids())),
        embedder=state.embedder(),
        report=state.store.report,
        ungated=CorpusLibrary(state, gates=False),
    )


def records(papers: Papers) -> tuple[Record, ...]:
    """Look up every document.

    Args:
        papers: The corpus.

    Returns:
        Records in the order of ``doc_ids``.
    """
    return tuple(papers.library.record(doc_id) for doc_id in papers.doc_ids)


def page_reader(papers: Papers) -> Callable[[Unit], str]:
    """Make a function that reads pages as extracted, and remembers the last ones.

    Args:
        papers: The corpus.

    Returns:
        A function from a unit to the raw text of its page, without white space at the ends.
    """

    @lru_cache(maxsize=_REMEMBERED)
    def read(unit: Unit) -> str:
        doc_id, page = unit
        return papers.library.pages(doc_id, [page])[0].raw.strip()

    return read
