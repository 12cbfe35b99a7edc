"""Which pages a model asked for: ``"3-7,9"`` and every other way models write it (§3.3: ten pages per call).

Ranges are clipped to the document before they are expanded, so ``"1-1000000000"`` costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vectree.errors import InvalidArguments

MAX_PAGES_PER_CALL = 10
"""§3.3: page requests are capped at ten pages per call."""

FORMAT = 'Write physical pages counted from 1, such as "4", "3-7" or "3-5,9".'

_MAX_CHARACTERS = 2_000
_MAX_PARTS = 200
_MAX_LISTED = 6

_BRACKETS = str.maketrans("[](){}\"'`", " " * 9)
_SEPARATOR = re.compile(r"[,;&]|\band\b", re.IGNORECASE)
_DASH = re.compile(r"\s*(?:[-\u2010-\u2015\u2212]|\bto\b)\s*", re.IGNORECASE)
_PREFIX = re.compile(r"(?:^|(?<=-))(?:pages?|pp?\b)\.?\s*(?=\w)", re.IGNORECASE)
_SPAN = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")

PageOfLabel = Callable[[str], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSelection:
    """Pages to serve, and what the model must be told about the others.

    Attributes:
        pages: Existing physical pages in the order asked for, each once, at most ten.
        notes: Sentences on what was left out or taken for something else.
    """

    pages: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One part of a specification: the pages that exist, as a range, and the rest as written."""

    pages: range
    beyond: str = ""
    note: str = ""


def select_pages(
    spec: str,
    *,
    total_pages: int,
    page_of_label: PageOfLabel = lambda _: None,
    limit: int = MAX_PAGES_PER_CALL,
) -> PageSelection:
    """Resolve a page specification against a document.

    Numbers are physical pages. A number beyond the last page, or a word such as ``iv``, is taken for a
    printed page label where exactly one page carries it. More pages than ``limit`` are served as the first
    ones, with a note on the rest.

    Args:
        spec: Pages and ranges, separated by commas; brackets, ``p.``, en dashes and spaces do no harm.
        total_pages: Number of physical pages of the document.
        page_of_label: The physical page with a printed label, or ``None`` if none or several carry it; asked
            only where a part of the specification is no physical page.
        limit: Most pages to serve.

    Returns:
        At least one page.

    Raises:
        InvalidArguments: If a part cannot be understood, or nothing asked for is a page of the document.
    """
    parts = [_resolve(part, total_pages, page_of_label) for part in _split(spec)]
    served, left_out = _expand([part.pages for part in parts], limit)
    beyond = _listed([part.beyond for part in parts if part.beyond])
    missing = f"No such page: {beyond}. The paper has {_count(total_pages)}." if beyond else ""
    if not served:
        raise InvalidArguments(missing, hint=FORMAT)
    notes = [part.note for part in parts if part.note]
    if left_out:
        notes.append(f"At most {limit} pages per call; not served: {_listed(left_out)}.")
    if missing:
        notes.append(missing)
    return PageSelection(pages=tuple(served), notes=tuple(notes))


def _split(spec: str) -> list[str]:
    if len(spec) > _MAX_CHARACTERS:
        raise InvalidArguments(
            f"pages has {len(spec)} characters, {_MAX_CHARACTERS} are allowed.", hint=FORMAT
        )
    parts = [part.strip() for part in _SEPARATOR.split(spec.translate(_BRACKETS)) if part.strip()]
    if not parts:
        raise InvalidArguments("pages is empty.", hint=FORMAT)
    if len(parts) > _MAX_PARTS:
        raise InvalidArguments(f"pages has {len(parts)} parts, {_MAX_PARTS} are allowed.", hint=FORMAT)
    return parts


def _resolve(part: str, total: int, page_of_label: PageOfLabel) -> _Part:
    text = _PREFIX.sub("", _DASH.sub("-", part))
    span = _SPAN.fullmatch(text)
    first, last = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
    if (span is None or first > total) and (labelled := _by_label(text, page_of_label)):
        where = f"page {labelled[0]}" if len(labelled) == 1 else f"pages {labelled[0]}-{labelled[-1]}"
        return _Part(pages=labelled, note=f"{text} was taken as printed page number: {where} of the file.")
    if span is None:
        raise InvalidArguments(
            f"pages: {part[:40]!r} is no page or range; the paper has {_count(total)}.", hint=FORMAT
        )
    if first < 1:
        raise InvalidArguments(f"pages: {part[:40]!r}: pages are counted from 1 to {total}.", hint=FORMAT)
    if last < first:
        raise InvalidArguments(
            f"pages: {part[:40]!r} runs backwards.", hint=f'Did you mean "{last}-{first}"? {FORMAT}'
        )
    return _Part(
        pages=range(first, min(last, total) + 1),
        beyond=_span(max(first, total + 1), last) if last > total else "",
    )


def _by_label(text: str, page_of_label: PageOfLabel) -> range | None:
    if (page := page_of_label(text)) is not None:
        return range(page, page + 1)
    first, dash, last = text.partition("-")
    if not (dash and first and last):
        return None
    start, end = page_of_label(first), page_of_label(last)
    return range(start, end + 1) if start is not None and end is not None and start <= end else None


def _expand(ranges: Iterable[range], limit: int) -> tuple[list[int], list[str]]:
    """The first ``limit`` distinct pages, and the rest as text. Ranges are clipped to the document before."""
    served: list[int] = []
    left_out: list[str] = []
    for pages in ranges:
        for page in pages:
            if page in served:
                continue
            if len(served) == limit:
                left_out.append(_span(page, pages[-1]))
                break
            served.append(page)
    return served, left_out


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _listed(items: list[str]) -> str:
    more = f" and {len(items) - _MAX_LISTED} more" if len(items) > _MAX_LISTED else ""
    return ", ".join(items[:_MAX_LISTED]) + more


def _count(total: int) -> str:
    return f"{total} page" if total == 1 else f"{total} pages"
