"""The methods of ``Corpus`` that read papers: add, its asynchronous twin, and sync."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from vectree.corpus.add_settings import AddSettings
from vectree.corpus.models import reading_model
from vectree.corpus.reports import AddReport, OnProgress, SyncReport
from vectree.corpus.state import CorpusState
from vectree.corpus.threads import in_thread
from vectree.llm.chat import ChatModel

PathLike = str | os.PathLike[str]


class AddingMethods:
    """What brings papers into a corpus.

    Args:
        state: The open corpus.
    """

    def __init__(self, state: CorpusState) -> None:
        self._state = state

    def add(
        self,
        *paths: PathLike,
        password: str | None = None,
        use_bookmarks: bool = True,
        parser: str = "auto",
        model: str | ChatModel | None = None,
        structure: str = "auto",
        paper_exact: bool = False,
        offline: bool = True,
        reread: bool = False,
        on_progress: OnProgress | None = None,
        jobs: int | None = None,
    ) -> AddReport:
        """Add papers. What is there already costs a hash; a bad file costs only itself.

        Args:
            *paths: PDF, Markdown, text, HTML, DOCX and QASPER files, and folders, searched at any depth.
            password: For encrypted files.
            use_bookmarks: Whether the files' bookmarks may serve as headings.
            parser: How PDFs are read: ``"pdfium"``, ``"marker"``, or ``"auto"``, which hands documents with
                many scanned or garbled pages to Marker where it is installed.
            model: Takes part in reading: headings where layout leaves doubt, summaries, metadata. By default
                none does; the model that answers questions is not used.
            structure: Who finds the headings, where there is a model: ``"auto"``, ``"llm"`` (the paper's way)
                or ``"layout"``.
            paper_exact: Follow the paper to the letter, for reproducing its rates.
            offline: Open no connection for bibliographic data; False asks Crossref. A model is yours.
            reread: Read also what is there already, for instance with a model now.
            on_progress: Called with signs of life, in this thread.
            jobs: Files read at the same time; by default one a core, at most four.

        Returns:
            What became of every file.
        """
        settings = AddSettings(
            password=password,
            use_bookmarks=use_bookmarks,
            parser=parser,
            model=reading_model(model),
            structure=structure,
            paper_exact=paper_exact,
            offline=offline,
            reread=reread,
            jobs=jobs,
            on_progress=on_progress,
        )
        return self._add(paths, settings)

    def sync(
        self,
        folder: PathLike,
        *,
        dry_run: bool = False,
        allow_empty: bool = False,
        password: str | None = None,
        use_bookmarks: bool = True,
        parser: str = "auto",
        model: str | ChatModel | None = None,
        structure: str = "auto",
        paper_exact: bool = False,
        offline: bool = True,
        on_progress: OnProgress | None = None,
        jobs: int | None = None,
    ) -> SyncReport:
        """Bring the corpus up to a folder: add what is new, replace what changed, remove what left it.

        Documents that came from elsewhere are left alone.

        Args:
            folder: The folder, searched at any depth.
            dry_run: Only say what would be done.
            allow_empty: Also remove everything if the folder holds no file that can be added; without it that
                is refused, since the folder may just not be mounted.
            password: For encrypted files.
            use_bookmarks: Whether the files' bookmarks may serve as headings.
            parser: As for `add`.
            model: As for `add`.
            structure: As for `add`.
            paper_exact: As for `add`.
            offline: As for `add`.
            on_progress: Called with signs of life, in this thread.
            jobs: Files read at the same time.

        Returns:
            What became of every file, and which documents went.
        """
        from vectree.corpus.syncing import sync_folder  # loaded by those who need it, as in `add`

        settings = AddSettings(
            password=password,
            use_bookmarks=use_bookmarks,
            parser=parser,
            model=reading_model(model),
            structure=structure,
            paper_exact=paper_exact,
            offline=offline,
            jobs=jobs,
            on_progress=on_progress,
        )
        return sync_folder(self._state, folder, settings, dry_run=dry_run, allow_empty=allow_empty)

    async def aadd(
        self,
        *paths: PathLike,
        password: str | None = None,
        use_bookmarks: bool = True,
        parser: str = "auto",
        model: str | ChatModel | None = None,
        structure: str = "auto",
        paper_exact: bool = False,
        offline: bool = True,
        reread: bool = False,
        on_progress: OnProgress | None = None,
        jobs: int | None = None,
    ) -> AddReport:
        """`add` without blocking the event loop; cancelling it ends the run after the paper at hand.

        Args:
            *paths: Files and folders.
            password: For encrypted files.
            use_bookmarks: Whether the files' bookmarks may serve as headings.
            parser: As for `add`.
            model: As for `add`.
            structure: As for `add`.
            paper_exact: As for `add`.
            offline: As for `add`.
            reread: As for `add`.
            on_progress: Called with signs of life, in a thread.
            jobs: Files read at the same time.

        Returns:
            As `add`.
        """
        settings = AddSettings(
            password=password,
            use_bookmarks=use_bookmarks,
            parser=parser,
            model=reading_model(model),
            structure=structure,
            paper_exact=paper_exact,
            offline=offline,
            reread=reread,
            jobs=jobs,
            on_progress=on_progress,
        )
        return await in_thread(lambda cancelled: self._add(paths, replace(settings, cancelled=cancelled)))

    def _add(self, paths: Iterable[PathLike], settings: AddSettings) -> AddReport:
        # What reads papers is loaded by those who add some; it would take a fifth of the time of the import.
        from vectree.corpus.adding import add_paths

        return add_paths(self._state, paths, settings)
