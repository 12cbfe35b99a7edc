"""The papers of a corpus, written: staged beside the others, made visible by one rename.

Whoever calls holds the write lock. At any moment a paper is in ``papers/`` wholly, or not at all. A process
may die between any two lines here: `PaperWriter.recover` puts right what it left.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vectree.document import Figure, Page, Record, SectionTree
from vectree.errors import StoreError, UnknownDocument
from vectree.store.durable import discard, flush_tree, move, replace_file
from vectree.store.identity import is_doc_id
from vectree.store.json_files import encode, encode_checked
from vectree.store.layout import (
    ASIDE,
    FIGURE_FOLDER,
    FIGURES,
    PAGES,
    PAPERS,
    RECORD,
    REPORT,
    STAGING,
    TREE,
)
from vectree.store.plain_files import is_figure_name, open_plain


class StagedPaper:
    """A paper in the making: a folder of its own, invisible until it is published.

    Args:
        folder: An existing empty folder below ``staging/``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.figures = folder / FIGURE_FOLDER
        """Receives figure files; the parser writes them here directly."""
        self.figures.mkdir()

    def fill(
        self, *, pages: Iterable[Page], tree: SectionTree, figures: tuple[Figure, ...], report: dict[str, Any]
    ) -> None:
        """Write everything but the record, which needs a name that only the writer can give.

        Args:
            pages: Every page, numbers 1 to n in order.
            tree: The section tree.
            figures: Figures; each has its file in ``figures``. Files that none of them names are deleted.
            report: Plain JSON.

        Raises:
            StoreError: If a value cannot be stored, or a figure has no plain file.
        """
        self._keep_only(figures)
        (self.folder / TREE).write_bytes(encode_checked(SectionTree, tree))
        (self.folder / FIGURES).write_bytes(encode_checked(tuple[Figure, ...], figures))
        (self.folder / REPORT).write_bytes(encode(dict[str, Any], report))
        with (self.folder / PAGES).open("wb") as file:
            for expected, page in enumerate(pages, 1):
                if page.number != expected:
                    raise StoreError(
                        f"Pages cannot be stored: page {page.number} came where {expected} was due."
                    )
                file.write(encode(Page, page) + b"\n")

    def discard(self) -> None:
        """Delete the folder; nothing happens if it was published."""
        discard(self.folder)

    def _keep_only(self, figures: tuple[Figure, ...]) -> None:
        recorded = {figure.name for figure in figures}
        for name in recorded:
            if not is_figure_name(name):
                raise StoreError(f"A figure cannot be stored under the name {name[:80]!r}.")
            try:
                open_plain(self.folder, f"{FIGURE_FOLDER}/{name}").close()
            except OSError as error:
                raise StoreError(
                    f"The figure {name!r} cannot be stored: {error.strerror or error}."
                ) from error
        for path in self.figures.iterdir():
            if path.name not in recorded:
                discard(path)


class PaperWriter:
    """Write access to the papers of one corpus folder; the caller holds the write lock.

    Args:
        root: The corpus folder.
    """

    def __init__(self, root: Path) -> None:
        self._papers = root / PAPERS
        self._staging = root / STAGING

    def recover(self) -> None:
        """Put right what a process that died left: undo half a replacement, sweep what was in the making."""
        self._papers.mkdir(parents=True, exist_ok=True)
        self._staging.mkdir(exist_ok=True)
        for path in sorted(self._staging.iterdir()):
            doc_id = path.name.removeprefix(ASIDE)
            if path.name.startswith(ASIDE) and is_doc_id(doc_id) and not (self._papers / doc_id).exists():
                move(path, self._papers / doc_id)
            else:
                discard(path)

    def stage(self) -> StagedPaper:
        """Begin a paper. Safe to call from several threads.

        Returns:
            An empty paper in the making.
        """
        folder = self._staging / f"new-{secrets.token_hex(8)}"
        folder.mkdir(parents=True)
        return StagedPaper(folder)

    def publish(self, staged: StagedPaper, record: Record) -> None:
        """Make a paper visible, in place of an older version of itself if there is one.

        Args:
            staged: A filled paper.
            record: Its record; its ``doc_id`` is the paper's name from now on.

        Raises:
            StoreError: If the record cannot be stored.
        """
        if not is_doc_id(record.doc_id):
            raise StoreError(f"{record.doc_id[:80]!r} is no doc_id.")
        (staged.folder / RECORD).write_bytes(encode_checked(Record, record))
        flush_tree(staged.folder)
        home, aside = self._papers / record.doc_id, self._staging / f"{ASIDE}{record.doc_id}"
        if home.exists():
            move(home, aside)
        move(staged.folder, home)
        discard(aside)

    def rewrite(self, record: Record) -> None:
        """Replace the record of a paper, and nothing else of it.

        Args:
            record: The new record of a paper that is there.

        Raises:
            UnknownDocument: If it is not there.
        """
        home = self._papers / record.doc_id
        if not is_doc_id(record.doc_id) or not home.is_dir():
            raise UnknownDocument(f"There is no document {record.doc_id[:80]!r} in the corpus.")
        replace_file(home / RECORD, encode_checked(Record, record), scratch=self._staging)

    def rewrite_report(self, doc_id: str, report: dict[str, Any]) -> None:
        """Replace the report of a paper.

        Args:
            doc_id: A paper that is there.
            report: Plain JSON.
        """
        home = self._papers / doc_id
        replace_file(home / REPORT, encode(dict[str, Any], report), scratch=self._staging)

    def remove(self, doc_id: str) -> None:
        """Delete a paper; damaged ones too.

        Args:
            doc_id: The paper; nothing happens if it is not there.
        """
        home = self._papers / doc_id
        if is_doc_id(doc_id) and home.is_dir():
            gone = self._staging / f"gone-{secrets.token_hex(8)}"
            move(home, gone)
            discard(gone)
