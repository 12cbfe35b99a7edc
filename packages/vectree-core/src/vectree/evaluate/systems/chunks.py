"""Units of retrieval: fixed-length passages and whole pages, each with the pages it spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vectree.evaluate.metrics.spans import pages_spanned
from vectree.evaluate.records import Papers, Unit
from vectree.tokens import CHARACTERS_PER_TOKEN

CHUNK_TOKENS = 800
"""§4.2: length of a passage."""

OVERLAP_TOKENS = 400
"""§4.2: what a passage shares with the next one."""

_JOINT = "\n\n"
_LONGEST_WORD = 64


class Passage(Protocol):
    """What a baseline shows to the model: a passage, a page, or a summary of several."""

    @property
    def text(self) -> str:
        """What is embedded and shown."""
        ...

    @property
    def units(self) -> tuple[Unit, ...]:
        """The evidence units it counts as."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A unit of retrieval.

    Attributes:
        doc_id: Its document.
        text: What is embedded and shown.
        pages: Every page it spans, from 1.
    """

    doc_id: str
    text: str
    pages: tuple[int, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The evidence units it counts as."""
        return tuple((self.doc_id, page) for page in self.pages)


def page_texts(papers: Papers, doc_id: str) -> tuple[str, ...]:
    """Read a document as the agent would see it.

    Args:
        papers: The corpus.
        doc_id: The document.

    Returns:
        Markdown of each page, in order, without white space at the ends.
    """
    total = papers.library.record(doc_id).total_pages
    return tuple(page.text.strip() for page in papers.library.pages(doc_id, range(1, total + 1)))


def page_chunks(doc_id: str, pages: Sequence[str]) -> list[Chunk]:
    """Take every page as a unit; for QASPER that is every paragraph.

    Args:
        doc_id: The document.
        pages: Its pages.

    Returns:
        One unit for each page with text.
    """
    return [
        Chunk(doc_id=doc_id, text=text, pages=(number,)) for number, text in enumerate(pages, start=1) if text
    ]


def passage_chunks(
    doc_id: str, pages: Sequence[str], *, tokens: int = CHUNK_TOKENS, overlap: int = OVERLAP_TOKENS
) -> list[Chunk]:
    """Cut a document into overlapping passages, ignoring its structure.

    Cuts are moved back to the nearest white space, so that no word is cut unless it is very long.

    Args:
        doc_id: The document.
        pages: Its pages; joined by blank lines.
        tokens: Length of a passage at four characters a token.
        overlap: Tokens shared with the next passage; less than ``tokens``.

    Returns:
        Passages in order.
    """
    starts, text = joined(pages)
    length, stride = tokens * CHARACTERS_PER_TOKEN, (tokens - overlap) * CHARACTERS_PER_TOKEN
    found: list[Chunk] = []
    for nominal in range(0, len(text), stride):
        start, end = _word_start(text, nominal), _word_start(text, nominal + length)
        if passage := text[start:end].strip():
            start += len(text[start:end]) - len(text[start:end].lstrip())
            spanned = pages_spanned(starts, start, start + len(passage))
            numbers = tuple(number for number in spanned if pages[number - 1])
            found.append(Chunk(doc_id=doc_id, text=passage, pages=numbers))
        if nominal + length >= len(text):
            break
    return found


def joined(pages: Sequence[str]) -> tuple[list[int], str]:
    """Join pages by blank lines.

    Args:
        pages: Texts of pages.

    Returns:
        Offset of each page, and the text of all; a page without text begins where the next one does.
    """
    starts: list[int] = []
    parts: list[str] = []
    offset = 0
    for page in pages:
        starts.append(offset)
        if page:
            parts.append(page)
            offset += len(page) + len(_JOINT)
    return starts, _JOINT.join(parts)


def _word_start(text: str, place: int) -> int:
    """The beginning of the word that a place lies in."""
    if place <= 0 or place >= len(text):
        return min(max(place, 0), len(text))
    for back in range(min(_LONGEST_WORD, place)):
        if text[place - back - 1].isspace():
            return place - back
    return place
