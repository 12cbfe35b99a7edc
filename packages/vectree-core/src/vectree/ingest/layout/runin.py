"""Headings that open a paragraph: "Cell culture. Cells were grown …".

They count only where they are systematic: several in the same look. A bold word at the start of one
paragraph is emphasis. Two kinds need no look of their own: an abstract's opening word, and the parts of a
structured abstract.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from vectree.ingest.layout.body import BodyText, font_family
from vectree.ingest.layout.found import Found
from vectree.ingest.layout.neighbours import in_figure
from vectree.ingest.layout.reject import wording
from vectree.ingest.layout.row_text import join_rows
from vectree.ingest.lexicon import (
    is_abstract_part,
    is_abstract_title,
    is_caption,
    is_section_title,
    is_statement,
)
from vectree.ingest.numbering import split_number
from vectree.ingest.parse import Line, Run
from vectree.ingest.rows import PageRows, Row

_MIN_BOLD = 3
_MIN_ITALIC = 4
_MAX_PER_PAGE = 6
_MAX_WORDS = 16
_MAX_LENGTH = 220
_MAX_LEAD_ROWS = 3
_MIN_ITALIC_LENGTH = 8
_ABSTRACT_PAGES = 3
_MIN_PARTS = 3
_SIZE_RANGE = 1.3
_SHORT_LINE = 0.75
_LEAD_END = (".", ":", "—", "–", ".—", "?")
_SENTENCE_END = (".", ":", "?", "!", ")", "]", "”", '"')
_CODE_FONT = re.compile(r"mono|courier|consol|typewriter|^(cm|sf|ec|lm)tt", re.IGNORECASE)
_CITED = re.compile(r"\b(19|20)\d\d\b|\bet al\b|^[A-Z][a-z]*\. |\(.*\d{4}.*\)$|\[\d+\]$")
_PART = re.compile(r"^(?P<title>[^\W\d_][^.:—–]{2,40}?)\s*(?P<mark>[:.]|\s?[—–])\s*(?=\S)")
_OPENING = re.compile(
    r"^(?P<title>[^\W\d_][\w ]{2,20}?)\s*(?:[.:]\s*[—–-]?|[—–-]{1,2})\s*(?=[A-ZÀ-Þ“\"‘(\d])"
)


def find_run_ins(pages: Sequence[PageRows], body: BodyText, end: tuple[int, int] | None) -> list[Found]:
    """Find headings that open a paragraph.

    Args:
        pages: Rows of every page.
        body: What running text looks like.
        end: Place of the list of references, where they stop counting; ``None`` without one.

    Returns:
        In document order.
    """
    groups: dict[tuple[bool, bool, str], list[Found]] = defaultdict(list)
    for page in pages:
        for run, found in _leads(page, body):
            if end is None or found.place < end:
                font = "" if run.bold else font_family(run.font)
                groups[run.bold, run.italic, font].append(found)
    kept = [
        found
        for look, members in groups.items()
        if _systematic(look[0], members, len(pages))
        for found in members
    ]
    places = {found.place for found in kept}
    kept += [found for found in _abstract_leads(pages, body) if found.place not in places]
    return sorted(kept, key=lambda found: found.place)


def _systematic(bold: bool, members: Sequence[Found], pages: int) -> bool:
    enough = _MIN_BOLD if bold else _MIN_ITALIC
    return enough <= len(members) <= _MAX_PER_PAGE * max(pages, 2)


def _leads(page: PageRows, body: BodyText) -> Iterator[tuple[Run, Found]]:
    rows = [
        (place, row)
        for place, row in enumerate(page.rows)
        if not row.furniture and not row.contents and not in_figure(page.rows, place, body)
    ]
    for index, (place, row) in enumerate(rows):
        run = row.line.run
        if (
            run is None
            or _CODE_FONT.search(run.font)
            or not _text_size(run, body)
            or not _emphatic(run, body)
        ):
            continue
        start = _lead_start(rows, index, run)
        texts = [(earlier.text, earlier.line.hyphen) for _, earlier in rows[start:index]]
        title = join_rows([*texts, (run.text, False)])
        rest = row.text[len(run.text) :].lstrip()
        above = rows[start - 1][1].line if start else None
        below = rows[index + 1][1].line if index + 1 < len(rows) else None
        if not rest and below is not None and body.carries(below) and below.run is None:
            rest = below.text
        elif _label(row.line, title, body):
            continue
        starts = _opens_paragraph(rows[start][1].line, above, body)
        if starts and _reads_like_title(title, rest, bold=run.bold):
            yield run, _found(page.number, rows[start][0], place, title, run, body)


def _text_size(run: Run, body: BodyText) -> bool:
    return any(abs(run.size - size) < _SIZE_RANGE for size in body.sizes)


def _emphatic(run: Run, body: BodyText) -> bool:
    if (run.bold and not body.bold) or (run.italic and not body.italic):
        return True
    return all(font != font_family(run.font) for font, _ in body.fonts)


def _lead_start(rows: Sequence[tuple[int, Row]], index: int, run: Run) -> int:
    """The first of the full lines above that are set like the run and continue into it."""
    start = index
    while start and index - start < _MAX_LEAD_ROWS - 1:
        line, below = rows[start - 1][1].line, rows[start][1].line
        alike = (
            line.bold == run.bold
            and line.font == run.font
            and line.run is None
            and abs(line.size - run.size) < 0.6
        )
        apart = below.box.y0 - line.box.y0
        if not alike or not 0 < apart < 1.55 * line.size or is_section_title(line.text):
            break
        start -= 1
    return start


def _reads_like_title(title: str, rest: str, *, bold: bool) -> bool:
    marked = title.endswith(_LEAD_END) or rest.startswith((".", ":", "—", "–"))
    if not marked and not (bold and rest[:1].isupper() and len(title.split()) > 1):
        return False
    plain = title.rstrip(".:—– ")
    if (
        not 4 <= len(plain) <= _MAX_LENGTH
        or len(title.split()) > _MAX_WORDS
        or not _starts_high(plain)
        or not rest.strip(".:—– ")
    ):
        return False
    if is_section_title(plain):
        return True
    if is_caption(plain) or is_statement(title, loose=True) or wording(plain) or _CITED.search(plain):
        return False
    return bold or (len(plain) >= _MIN_ITALIC_LENGTH and plain.count(".") == 0)


def _label(line: Line, title: str, body: BodyText) -> bool:
    """A field of a list ("Licence: MIT"): its text ends on the same short line."""
    return line.box.width < _SHORT_LINE * body.width and not is_section_title(title.rstrip(".:—– "))


def _starts_high(text: str) -> bool:
    bare = split_number(text)[1] or text
    return not bare[:1].islower()


def _opens_paragraph(line: Line, above: Line | None, body: BodyText) -> bool:
    """Whether a line begins a paragraph: after white space, an indent, another column or a finished one."""
    if above is None or line.box.y0 <= above.box.y0:
        return True
    if (
        line.box.y0 - above.box.y1 - body.gap > 0.2 * body.size
        or not body.carries(above)
        or body.stands_out(above)
    ):
        return True
    indented = line.box.x0 - above.box.x0 > 0.5 * body.size
    short = above.box.width < 0.9 * body.width
    return above.text.endswith(_SENTENCE_END) and (indented or short or above.text.endswith("."))


def _abstract_leads(pages: Sequence[PageRows], body: BodyText) -> list[Found]:
    """An abstract's opening word, and the parts of a structured abstract, in any look."""
    parts: list[Found] = []
    opening: list[Found] = []
    for page in pages[:_ABSTRACT_PAGES]:
        above: Line | None = None
        for place, row in enumerate(page.rows):
            if row.furniture or row.contents:
                continue
            starts = _opens_paragraph(row.line, above, body) or (
                above is not None and above.text.endswith(".")
            )
            if (
                starts
                and not opening
                and (match := _OPENING.match(row.text))
                and is_abstract_title(match["title"])
            ):
                opening.append(_plain(page.number, place, match["title"], row.line, body))
            elif starts and (title := _part_title(row.line)):
                parts.append(_plain(page.number, place, title, row.line, body))
            above = row.line
    return opening + (_one_abstract(parts) if len(parts) >= _MIN_PARTS else [])


def _part_title(line: Line) -> str:
    """The part of a structured abstract that a line opens, by its mark or by its type; else empty."""
    match = _PART.match(line.text)
    titles = [match["title"] if match else "", line.run.text if line.run else ""]
    return next((title for title in titles if is_abstract_part(title)), "").strip(" .:—–")


def _one_abstract(parts: Sequence[Found]) -> list[Found]:
    """Parts that stand close enough together to divide one abstract."""
    pages = {part.page for part in parts}
    return [part for part in parts if part.page <= min(pages) + 1]


def _plain(page: int, place: int, title: str, line: Line, body: BodyText) -> Found:
    return Found(
        page=page,
        first=place,
        last=place,
        number=None,
        title=title.strip(),
        style=body.style(line),
        known=is_section_title(title),
        run_in=True,
    )


def _found(page: int, first: int, last: int, title: str, run: Run, body: BodyText) -> Found:
    number, rest = split_number(title)
    shown = (rest if number is not None else title).rstrip(".:—– ")
    return Found(
        page=page,
        first=first,
        last=last,
        number=number,
        title=shown,
        style=body.style(run),
        known=is_section_title(shown),
        run_in=True,
    )
