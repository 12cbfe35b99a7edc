"""Markdown as blocks in document order: headings recognised as CommonMark defines them, all else verbatim.

Only headings that stand on the outermost level count: one inside a quotation, a list item, a code block or a
comment divides nothing. A bold line is no heading. Comments are left out of the text, as every viewer does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from vectree.normal import match_key, one_line

MAX_TITLE = 300
"""Characters; a longer "heading" is text that begins with a mark."""

_FORM_FEED = "\n\n<!-- pagebreak -->\n\n"
_BREAK = re.compile(
    r"\s*(?:<!--\s*\\?(?:page[ _-]?break|new[ _-]?page)\s*-->"
    r"|<(?:div|p|hr|br)\b[^<>]{0,200}(?:break-(?:before|after):\s*(?:page|always)|class=[\"']?page-?break)[^<>]{0,200}>"
    r"\s*(?:</(?:div|p)>)?"
    r"|\\(?:newpage|pagebreak|clearpage))\s*",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r"[\\`*_<\[\]]|#+$")
_ATX_MARKS = re.compile(r"^#{1,6}(?=[ \t]|$)[ \t]*|(?:^|[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    TEXT = "text"
    CODE = "code"
    BREAK = "break"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of lines that belong together.

    Attributes:
        kind: What it is.
        text: As it will stand on the page: headings with ``#`` marks, comments left out, all else as written.
        raw: The lines as written.
        level: 1 to 6 for a heading, else 0.
        title: A heading's words without marks, else empty.
        fence: The marks that enclose a fenced code block, else empty.
    """

    kind: BlockKind
    text: str
    raw: str
    level: int = 0
    title: str = ""
    fence: str = ""


def read_blocks(source: str) -> list[Block]:
    """Take Markdown apart.

    Args:
        source: Markdown without front matter; form feeds are page breaks.

    Returns:
        Its blocks; together their ``raw`` is the source but for blank lines and form feeds.
    """
    text = source.replace("\f", _FORM_FEED)
    lines = text.split("\n")
    blocks: list[Block] = []
    at = 0
    for token in _block_parser().parse(text):
        if token.level or token.map is None or token.type == "inline":
            continue
        start, end = token.map
        # Lines that belong to no token define link targets.
        blocks.extend(_text(lines[at:start]))
        blocks.extend(_block(token, lines[start:end]))
        at = max(at, end)
    blocks.extend(_text(lines[at:]))
    return blocks


def heading_line(level: int, title: str) -> str:
    """Write a heading so that every reader of Markdown sees the same words.

    Args:
        level: 1 to 6.
        title: Its words.

    Returns:
        ``## Title``, with what would read as markup escaped.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", title)
    return f"{'#' * level} {escaped}"


@cache
def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _block(token: Token, lines: Sequence[str]) -> Iterator[Block]:
    match token.type:
        case "heading_open":
            yield _heading("\n".join(lines).rstrip(), int(token.tag[1]))
        case "fence":
            mark = _FENCE.match(lines[0])
            raw = "\n".join(lines).rstrip()
            yield Block(kind=BlockKind.CODE, text=raw, raw=raw, fence=mark.group(1) if mark else "")
        case "code_block":
            raw = "\n".join(lines).rstrip()
            yield Block(kind=BlockKind.CODE, text=raw, raw=raw)
        case "html_block":
            yield from _html(lines)
        case _:
            yield from _text(lines)


def _html(lines: Sequence[str]) -> Iterator[Block]:
    raw = "\n".join(lines).strip("\n")
    if _BREAK.fullmatch(raw):
        yield Block(kind=BlockKind.BREAK, text="", raw=raw)
    elif raw.strip():
        yield Block(kind=BlockKind.TEXT, text=_without_comments(raw), raw=raw)


def _text(lines: Sequence[str]) -> Iterator[Block]:
    raw = "\n".join(lines).strip("\n").rstrip()
    if _BREAK.fullmatch(raw):
        yield Block(kind=BlockKind.BREAK, text="", raw=raw)
    elif raw.strip():
        yield Block(kind=BlockKind.TEXT, text=raw, raw=raw)


def _without_comments(html: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 4)
        at = len(html) if end < 0 else end + 3
    kept.append(html[at:])
    return "".join(kept).strip()


def _heading(raw: str, level: int) -> Block:
    words = _ATX_MARKS.sub("", raw.strip())
    if not raw.lstrip().startswith("#"):  # setext: the last line is the rule below
        words = raw.rpartition("\n")[0]
    title = one_line(_plain(words))
    if not match_key(title) or len(title) > MAX_TITLE:
        return Block(kind=BlockKind.TEXT, text=title, raw=raw)
    return Block(kind=BlockKind.HEADING, text=heading_line(level, title), raw=raw, level=level, title=title)


def _plain(words: str) -> str:
    """The words a reader sees: link texts, code without its marks, no HTML tags."""
    pieces: list[str] = []
    for token in _inline_parser().parseInline(words[: 4 * MAX_TITLE]):
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                pieces.append(" ")
            elif child.type != "html_inline":
                pieces.append(child.content)
    return "".join(pieces)
