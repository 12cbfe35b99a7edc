"""The sentences of a page that can be quoted, and the word stems by which they are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vectree.agent.payloads.page_text import QuotedPage
from vectree.sentences import sentences
from vectree.words import content_words, stem, words

MIN_WORDS = 5
MAX_WORDS = 150

_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_MARKS = re.compile(
    r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|`|</?su[bp]>|^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+",
    re.MULTILINE,
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
_BLOCK = re.compile(r"\n(?=\s{0,3}#{1,6}\s)|\n\s*\n")
_REFERENCES = re.compile(r"[\dIVX.\s]*(?:references?|bibliography|literature cited)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence with its surroundings.

    Attributes:
        page: The page it stands on.
        text: Verbatim but for white space and markdown marks.
        heading: The last heading before it on the page.
        paragraph: Ordinal of its paragraph on the page.
        stems: Stems of its content words, in order.
    """

    page: QuotedPage
    text: str
    heading: str
    paragraph: int
    stems: tuple[str, ...]

    @property
    def length(self) -> int:
        """Number of words."""
        return len(words(self.text))

    def follows(self, other: Sentence) -> bool:
        """Whether it stands in the same paragraph as a sentence just before it.

        Args:
            other: The sentence before.

        Returns:
            True if both belong to one paragraph of one page.
        """
        return self.page is other.page and self.paragraph == other.paragraph


def page_sentences(page: QuotedPage) -> list[Sentence]:
    """Split a page, leaving out headings, tables, image references and reference lists.

    Args:
        page: The page.

    Returns:
        Sentences of 5 to 150 words, in order.
    """
    found: list[Sentence] = []
    heading, skipping = "", False
    for number, block in enumerate(_BLOCK.split(_IMAGE.sub("", page.text))):
        text = block
        if head := _HEADING.match(block):
            heading = head[1].strip()
            skipping = _REFERENCES.match(heading) is not None
            text = block[head.end() :]
        if skipping:
            continue
        prose = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("|"))
        found += [
            Sentence(
                page=page, text=sentence, heading=heading, paragraph=number, stems=tuple(stems(sentence))
            )
            for sentence in sentences(_MARKS.sub("", prose))
            if MIN_WORDS <= len(words(sentence)) <= MAX_WORDS
        ]
    return found


def stems(text: str) -> list[str]:
    """The stems of a text's content words.

    Args:
        text: Any text.

    Returns:
        Stems in order, duplicates kept.
    """
    return [stem(word) for word in content_words(text)]
