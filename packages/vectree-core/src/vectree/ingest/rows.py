"""Page text as rows: the one view of a page that headings are searched and verified in.

Parsers give either lines with fonts or markdown. Both become rows here: a text, its normal form, and what is
known to be no heading's place (furniture, contents entries). All later stages compare rows, never raw text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from vectree.document import Box
from vectree.ingest.contents import contents_orders
from vectree.ingest.parse import Line, ParsedDocument, ParsedPage
from vectree.ingest.running import running_lines
from vectree.normal import match_key

_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_MARKUP = re.compile(r"\\([^\w\s])|!\[[^\]]*\]\([^)]*\)|<[^>]{1,80}>|[*_`]{1,3}")
_MAX_HEADING = 1_000
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a page.

    Attributes:
        text: The line without markdown marks.
        key: Its normal form; empty inside a code block, where no heading stands.
        line: The parser's line; for markdown a stand-in without a font.
        furniture: Whether it is a running head, footer, page number or margin text.
        contents: Whether it is an entry of a contents list.
        marked: Whether markdown marks it as a heading.
        lead: Normal form of the leading run set in another font, if there is one.
        offset: Where it starts in the page's markdown; 0 for lines with fonts.
    """

    text: str
    key: str
    line: Line
    furniture: bool = False
    contents: bool = False
    marked: bool = False
    lead: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRows:
    """The rows of one page in reading order, furniture included.

    Attributes:
        number: Physical page.
        width: Points; 0 for markdown.
        height: Points; 0 for markdown.
        rows: In reading order.
        key: Normal form of all rows but furniture and contents entries, joined.
        contents: Whether most of the page is a contents list.
    """

    number: int
    width: float
    height: float
    rows: tuple[Row, ...]
    key: str
    contents: bool = False


def rows_of(document: ParsedDocument) -> tuple[PageRows, ...]:
    """Lay every page of a document out in rows.

    Args:
        document: As parsed.

    Returns:
        One entry a page, in order.
    """
    running = running_lines(document.pages)
    return tuple(_page_rows(page, running) for page in document.pages)


def _page_rows(page: ParsedPage, running: frozenset[tuple[int, int]]) -> PageRows:
    rows = _markdown_rows(page.markdown) if page.markdown is not None else _line_rows(page, running)
    body = [row for row in rows if not row.furniture]
    listed = sum(row.contents for row in body)
    return PageRows(
        number=page.number,
        width=page.width,
        height=page.height,
        rows=rows,
        key="".join(row.key for row in body if not row.contents),
        contents=listed > len(body) / 2,
    )


def _line_rows(page: ParsedPage, running: frozenset[tuple[int, int]]) -> tuple[Row, ...]:
    listed = contents_orders(page.lines)
    return tuple(
        Row(
            text=line.text,
            key=match_key(line.text),
            line=line,
            furniture=(page.number, index) in running,
            contents=index in listed,
            lead=match_key(line.run.text) if line.run else "",
        )
        for index, line in enumerate(page.lines)
    )


def _markdown_rows(markdown: str) -> tuple[Row, ...]:
    texts = markdown.split("\n")
    heads = [_ATX.match(text) if len(text) <= _MAX_HEADING else None for text in texts]
    plain = [
        _MARKUP.sub(r"\1", head.group(2) if head else text).strip()
        for head, text in zip(heads, texts, strict=True)
    ]
    stand_ins = [_stand_in(text, order) for order, text in enumerate(plain)]
    listed = contents_orders(stand_ins)
    rows: list[Row] = []
    offset, fence = 0, ""
    for order, text in enumerate(texts):
        code, fence = fence, _open_fence(fence, text)
        if plain[order]:
            marked = heads[order] is not None and not fence
            rows.append(
                Row(
                    text=plain[order],
                    key="" if code or fence else match_key(plain[order]),
                    line=stand_ins[order],
                    contents=order in listed and not marked,
                    marked=marked,
                    offset=offset,
                )
            )
        offset += len(text) + 1
    return tuple(rows)


def _open_fence(fence: str, line: str) -> str:
    """The marks of the code block that is open after a line; only as many of the same marks close it."""
    match = _FENCE.match(line)
    if match is None:
        return fence
    marks, rest = match.groups()
    if not fence:
        return marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if closes else fence


def _stand_in(text: str, order: int) -> Line:
    """A line of markdown as a line without a font, one below the other."""
    box = Box(x0=0.0, y0=order * 12.0, x1=len(text) * 5.0, y1=order * 12.0 + 10.0)
    return Line(text=text, box=box, size=10.0, bold=False, italic=False, font="", order=order)
