r"""Synthetic pages for text that has none.

A page is what a citation names, so it must hold still: pages are filled from the front, block by block, and
depend on nothing that comes after them. An addition at the end of a file leaves every earlier page as it was.

* A page break that the file states (a form feed, ``<!-- pagebreak -->``, ``\newpage``, an HTML element with
  ``page-break-after``) always begins a page, also an empty one.
* Otherwise a page is closed before the block that would make it longer than ``PAGE_CHARACTERS``, and before a
  heading once it is longer than half of that, so that most sections begin a page.
* A heading never stands last on a page. A block is cut only if it is longer than a page: at line ends, else
  between words; a piece of a fenced code block gets the fence's marks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vectree.ingest.parsers.markdown.blocks import Block, BlockKind

PAGE_CHARACTERS = 4_000
"""About a thousand tokens: a full page of a journal."""

STATED_CHARACTERS = 3 * PAGE_CHARACTERS
"""A page between stated breaks is left whole up to this length: it is somebody's real page."""

_TITLE_PAGE = 200


def paginate(blocks: Sequence[Block]) -> list[list[Block]]:
    """Lay blocks out in pages.

    Args:
        blocks: In document order.

    Returns:
        At least one page; pages between two stated breaks may be empty.
    """
    stretches: list[list[Block]] = [[]]
    for block in blocks:
        if block.kind is BlockKind.BREAK:
            stretches.append([])
        else:
            stretches[-1].append(block)
    if len(stretches) > 1 and not stretches[-1]:
        stretches.pop()  # a break at the very end begins nothing
    limit = PAGE_CHARACTERS if len(stretches) == 1 else STATED_CHARACTERS
    return [page for stretch in stretches for page in _fill(stretch, limit)]


def _fill(blocks: Sequence[Block], limit: int) -> list[list[Block]]:
    if limit > PAGE_CHARACTERS and _length(blocks) <= limit:
        return [list(blocks)]
    pages: list[list[Block]] = [[]]
    filled, headings_only = 0, True
    for block in (piece for whole in blocks for piece in _pieces(whole)):
        if _closes(pages[-1], block, filled, headings_only):
            moved = [] if headings_only else _headings_at_end(pages[-1])
            pages[-1] = pages[-1][: len(pages[-1]) - len(moved)]
            pages.append(moved)
            filled, headings_only = _length(moved), True
        pages[-1].append(block)
        filled += _length([block])
        headings_only = headings_only and block.kind is BlockKind.HEADING
    return pages


def _closes(page: Sequence[Block], block: Block, filled: int, headings_only: bool) -> bool:
    """Whether a page ends before a block; headings wait for the text below them, but not for ever."""
    if headings_only:
        return filled > PAGE_CHARACTERS
    if block.kind is BlockKind.HEADING and page[-1].kind is not BlockKind.HEADING:
        return filled > PAGE_CHARACTERS / 2
    return filled + len(block.text) > PAGE_CHARACTERS


def _headings_at_end(page: Sequence[Block]) -> list[Block]:
    last = len(page)
    while last and page[last - 1].kind is BlockKind.HEADING:
        last -= 1
    return list(page[last:])


def _length(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) + 2 for block in blocks)


def _pieces(block: Block) -> Iterator[Block]:
    """A block, or what it is cut into where it is longer than a page."""
    if len(block.text) <= PAGE_CHARACTERS or block.kind is BlockKind.HEADING:
        yield block
        return
    lines = block.text.split("\n")
    if block.fence:
        closed = lines[-1].strip().startswith(block.fence)
        opening, inner = lines[0], lines[1 : -1 if closed else None]
        for text in _cut(inner):
            yield replace(block, text=f"{opening}\n{text}\n{block.fence}", raw=text)
        return
    for text in _cut(lines):
        yield replace(block, text=text, raw=text)


def _cut(lines: Sequence[str]) -> Iterator[str]:
    """Lines put together as far as a page allows."""
    room = PAGE_CHARACTERS - _TITLE_PAGE
    waiting: list[str] = []
    filled = 0
    for line in (part for whole in lines for part in _short(whole, room)):
        if waiting and filled + len(line) > room:
            yield "\n".join(waiting)
            waiting, filled = [], 0
        waiting.append(line)
        filled += len(line) + 1
    if waiting:
        yield "\n".join(waiting)


def _short(line: str, room: int) -> Iterator[str]:
    """A line cut after the last sentence, else the last word, that fits."""
    at = 0
    while len(line) - at > room:
        cut = line.rfind(". ", at + room // 2, at + room)
        cut = cut + 1 if cut >= 0 else line.rfind(" ", at + room // 2, at + room)
        cut = cut if cut > at else at + room
        yield line[at:cut].strip()
        at = cut
    yield line[at:].strip() if at else line
