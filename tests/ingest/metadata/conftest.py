"""First pages written as a few lines: ``document(["24B|A Title", "An Author"], ["page 2"])``.

A line may begin with a style and a bar: a font size, ``B`` for bold, ``f`` for furniture. A bar at its end
marks a word broken at the line's end.
"""

from __future__ import annotations

import re

import pytest

from vectree.document import Box, TextStatus
from vectree.ingest.parse import Line, ParsedDocument, ParsedPage

_STYLE = re.compile(r"^(\d+(?:\.\d+)?)?(B)?(f)?\|")


def _line(text: str, order: int, top: float) -> Line:
    style = _STYLE.match(text)
    size = float(style.group(1) or 10) if style else 10.0
    body = text[style.end() :] if style else text
    hyphen = body.endswith("|")
    body = body.rstrip("|").rstrip("-") if hyphen else body
    bold = bool(style and style.group(2))
    return Line(
        text=body,
        box=Box(x0=50, y0=top, x1=50 + 0.5 * size * len(body), y1=top + size),
        size=size,
        bold=bold,
        italic=False,
        font="Serif-Bold" if bold else "Serif",
        hyphen=hyphen,
        furniture=bool(style and style.group(3)),
        order=order,
    )


def _page(number: int, texts: list[str]) -> ParsedPage:
    lines: list[Line] = []
    top = 60.0
    for order, text in enumerate(texts):
        lines.append(_line(text, order, top))
        top += 1.2 * lines[-1].size
    raw = "\n".join(line.text for line in lines)
    status = TextStatus.TEXT if raw else TextStatus.BLANK
    return ParsedPage(number=number, width=595, height=842, raw=raw, status=status, lines=tuple(lines))


@pytest.fixture
def document():
    """A parsed document of the given pages, each a list of lines."""

    def build(*pages: list[str], info: dict[str, str] | None = None) -> ParsedDocument:
        body = ["Running text of the paper that sets the body size, line after line."] * 30
        contents = [*pages, body] if pages else [body]
        return ParsedDocument(
            pages=tuple(_page(number, texts) for number, texts in enumerate(contents, start=1)),
            info=info or {},
        )

    return build
