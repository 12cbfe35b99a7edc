"""The methods of ``Corpus`` that exchange trees with other programs."""

from __future__ import annotations

from typing import Any

from vectree.corpus.add_settings import AddSettings
from vectree.corpus.adding_methods import PathLike
from vectree.corpus.page_choice import read_pages
from vectree.corpus.reports import AddReport, OnProgress
from vectree.corpus.state import CorpusState


class ExchangeMethods:
    """What takes trees in and gives them out.

    Args:
        state: The open corpus.
    """

    def __init__(self, state: CorpusState) -> None:
        self._state = state

    def import_pageindex(
        self,
        *paths: PathLike,
        pdf: PathLike | None = None,
        password: str | None = None,
        on_progress: OnProgress | None = None,
        jobs: int | None = None,
    ) -> AddReport:
        """Add documents with the trees that PageIndex made of them; no model is asked.

        Args:
            *paths: Tree files (``*_structure.json``), or local stores (``.pageindex``).
            pdf: The PDF of the one tree, or a folder of PDFs, in which each tree finds its own by name.
                Without it the pages in a store are used.
            password: For encrypted files.
            on_progress: Called with signs of life, in this thread.
            jobs: Files read at the same time.

        Returns:
            What became of every tree; a document that the corpus has already counts as replaced.
        """
        from vectree.corpus.importing import import_pageindex  # loaded by those who need it, as in `add`

        settings = AddSettings(password=password, jobs=jobs, on_progress=on_progress)
        return import_pageindex(self._state, paths, settings, pdf=pdf)

    def export_pageindex(self, doc_id: str, *, text: bool = False) -> dict[str, Any]:
        """Write a paper's tree in the form of PageIndex.

        Args:
            doc_id: The paper.
            text: Whether every node carries its text.

        Returns:
            Plain JSON.
        """
        from vectree.ingest.pageindex.exporting import export_tree

        store = self._state.store
        return store.consistent(
            doc_id,
            lambda record: export_tree(
                record, store.tree(record.doc_id), read_pages(store, record, None) if text else None
            ),
        )
