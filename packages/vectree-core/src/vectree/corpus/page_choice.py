"""Which pages a caller of the corpus means: a number, a list, or a text such as ``"3-5,9"``."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence

from vectree.agent.page_spec import select_pages
from vectree.document import Page, Record
from vectree.store.files import PaperStore

log = logging.getLogger(__name__)


def read_pages(
    store: PaperStore, record: Record, pages: str | int | Iterable[int] | None
) -> tuple[Page, ...]:
    """Read the pages a caller means. Other than the tool for models, it has no bound on their number.

    Args:
        store: The papers.
        record: The document.
        pages: Physical pages from 1; ``None`` for all; a text may name printed labels too.

    Returns:
        The pages, each once, in page order. What a text asks for beyond the last page is left out and logged.
    """
    if pages is None:
        return store.pages(record.doc_id)
    if isinstance(pages, int):
        return store.pages(record.doc_id, [pages])
    if not isinstance(pages, str):
        return store.pages(record.doc_id, list(pages))
    labels = _Labels(store, record)
    chosen = select_pages(
        pages, total_pages=record.total_pages, page_of_label=labels.page, limit=record.total_pages
    )
    for note in chosen.notes:
        log.warning("%s: %s", record.doc_id, note)
    return store.pages(record.doc_id, chosen.pages)


class _Labels:
    """Printed page labels, read only if one is asked for."""

    def __init__(self, store: PaperStore, record: Record) -> None:
        self._store = store
        self._record = record
        self._pages: dict[str, int] | None = None

    def page(self, label: str) -> int | None:
        if self._pages is None:
            self._pages = _unambiguous(self._store.pages(self._record.doc_id))
        return self._pages.get(label.casefold())


def _unambiguous(pages: Sequence[Page]) -> dict[str, int]:
    printed = [(page.label.casefold(), page.number) for page in pages if page.label]
    counts = Counter(label for label, _ in printed)
    return {label: number for label, number in printed if counts[label] == 1}
