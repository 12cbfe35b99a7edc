"""Which sentences of a section are prose worth keeping: no captions, tables, citations or notices."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vectree.normal import match_key, one_line
from vectree.sentences import sentences
from vectree.words import content_words

MAX_SENTENCES = 1_500
"""Sentences of one section that are weighed; longer sections are weighed by their first ones."""

_FIGURE = re.compile(r"!\[([^\]]*)\]\([^)\s]*\)")
_HEADING_MARK = re.compile(r"^\s{0,8}#{1,6}\s+", re.MULTILINE)
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)")
_CAPTION = re.compile(
    r"^\W*(?:fig(?:ure|\.)?|table|tab\.|scheme|box|abb(?:ildung|\.)|tabelle|tableau|figura|tabla|plate|chart"
    r"|algorithm|supplementary (?:fig|tab)\w*|extended data)\s*(?:\.\s*)?[A-Z]?\d+[\w.]*"
    r"(?:\s*[.:|–—]|\s+(?-i:[A-Z(])|$)",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"(?:[*†‡§¶]{1,2}|\d{1,2})\s?(?=[A-Z][a-z]|https?:)")
_MAX_FOOTNOTE = 800
_NOTICE = re.compile(
    r"©|all rights reserved|creative commons|licen[sc]ed? under|open access article|full list of author"
    r"|correspond(?:ence|ing author)|^\W*(?:received|accepted|revised|published)\b.{0,60}\d{4}|e-?mail:"
    r"|https?://\S+$|downloaded from|^doi\b|competing interests?|contributed equally|peer review"
    r"|publisher'?s note|author manuscript|available in pmc|the licen[sc]e allows",
    re.IGNORECASE,
)
_CITED_NAME = re.compile(r"\b[A-Z][\w'’-]{1,30},? (?:[A-Z]\.?[ -]?){1,3}(?=[,;&.:(]|and\b)")
_CITED_FIRST = re.compile(r"^\W*\d{0,3}\W*[A-Z][\w'’-]+, (?:[A-Z]\.[ -]?){1,3}(?:,|&|et al|and [A-Z])")
_CITED_PLACE = re.compile(
    r"\b\d{1,4}\s?\(\d{1,4}\)\s?:\s?\w?\d+|^\W*\(?\d{4}\)?[;:]\s?\d+|\bet al\.,? \(?\d{4}\)?\.?$"
)
_LEGEND = re.compile(r"^\W*(?:\(?[a-h](?:\s?[–,-]\s?[a-h])*\)|note[s:.]|source:|n\s?=)", re.IGNORECASE)
_AFFILIATION = re.compile(
    r"^\W*\d{0,2}\s?(?i:department|division|institut|school of|facult|cent(?:er|re) for|universit|laborator)"
    r"|^\d{1,2}\s?[A-Z].*\b(?:University|Institute?|Hospital|College)\b"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEADERS = re.compile(r"\.{4,}|(?:\. ){3,}| \.$")
_ENDS = re.compile(r"[.!?。！？…][\])\"'”’»\d,–-]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a section.

    Attributes:
        text: Verbatim, white space as single spaces.
        place: Its position among all sentences of the section, from 0.
        words: Its content words.
    """

    text: str
    place: int
    words: frozenset[str]


def plain_text(markdown: str, title: str = "") -> str:
    """A section's text without its own title and without markdown marks.

    Args:
        markdown: The section's slice of the pages.
        title: Its title, number included; dropped where the text starts with it, on a line of its own or
            run in.

    Returns:
        Text with paragraphs kept. A figure gives its caption unless that stands in the text as well; the
        labels inside it are left out.
    """
    printed = match_key(_FIGURE.sub("", markdown))
    text = _FIGURE.sub(lambda figure: "" if match_key(figure[1]) in printed else figure[1], markdown)
    blocks = [block for block in re.split(r"\n[ \t]*\n", text) if not _is_labels(block)]
    text = _EMPHASIS.sub("", _HEADING_MARK.sub("", "\n\n".join(blocks))).strip()
    return _without_title(text, title)


def prose_sentences(markdown: str, title: str = "") -> list[Sentence]:
    """The sentences of a section that say something in words.

    Args:
        markdown: The section's text.
        title: Its title, number included; it is not part of the first sentence.

    Returns:
        Whole sentences without captions, table rows, reference entries, notices and formulas, in order.
    """
    text = _EMPHASIS.sub("", _FIGURE.sub("", markdown)).strip()
    text = _without_title(_HEADING_MARK.sub("", text, count=1) if title else text, title)
    found: list[Sentence] = []
    place = 0
    for block in _paragraphs(text):
        for sentence in sentences(block):
            if is_prose(sentence):
                found.append(Sentence(text=sentence, place=place, words=frozenset(content_words(sentence))))
            place += 1
        if place > MAX_SENTENCES:
            break
    return found


def _paragraphs(text: str) -> list[str]:
    """Paragraphs without captions, footnotes and table rows; an interrupted one is put together."""
    paragraphs: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        body = "\n".join(line for line in block.splitlines() if not _TABLE_ROW.match(line)).strip()
        if not body or _CAPTION.match(body) or _is_footnote(body):
            continue
        if paragraphs and body[0].islower() and not _ENDS.search(paragraphs[-1]):
            paragraphs[-1] = f"{paragraphs[-1]} {body}"
        else:
            paragraphs.append(body)
    return paragraphs


def _is_footnote(block: str) -> bool:
    """Whether a paragraph opens with a mark or a bare number: a footnote, an affiliation, an address."""
    return len(block) <= _MAX_FOOTNOTE and _FOOTNOTE.match(block) is not None


def is_prose(sentence: str) -> bool:
    """Whether a sentence is worth quoting.

    Args:
        sentence: One sentence on one line.

    Returns:
        False for fragments, captions, tables, citations, notices and formulas.
    """
    if not _shaped(sentence) or sentence.lstrip().startswith("#"):
        return False
    cited = _CITED_PLACE.search(sentence) or _CITED_FIRST.match(sentence)
    cited = cited or len(_CITED_NAME.findall(sentence)) > 2
    beside = _CAPTION.match(sentence) or _LEGEND.match(sentence) or _AFFILIATION.search(sentence)
    return not (cited or beside or _NOTICE.search(sentence))


def _shaped(sentence: str) -> bool:
    """Length, ending, and letters in words rather than in symbols."""
    tokens = sentence.split()
    if not sentence.isascii() and len(_CJK.findall(sentence)) > 8:
        return len(sentence) <= 400 and bool(_ENDS.search(sentence))
    if not 5 <= len(tokens) <= 70 or not _ENDS.search(sentence) or _LEADERS.search(sentence):
        return False
    if sum(map(str.isalpha, sentence)) < 0.6 * len(sentence):
        return False
    single = sum(len(token.strip(".,;:()[]")) <= 1 for token in tokens)
    return single <= 0.3 * len(tokens) and not one_line(sentence)[0].islower()


def _is_labels(block: str) -> bool:
    """Whether a paragraph is what the axes of a plot leave behind: digits and signs, hardly a letter."""
    dense = "".join(block.split())
    return not dense or (dense[0] != "|" and sum(map(str.isalpha, dense)) < 0.4 * len(dense))


def _without_title(text: str, title: str) -> str:
    """Cut a title off the start of a text, letter by letter, whatever its punctuation and line breaks."""
    wanted = match_key(title)
    matched = 0
    for place, char in enumerate(text):
        if matched == len(wanted):
            return text[place:].lstrip(" \t\n.:—–-") if matched else text
        for letter in match_key(char):
            if matched == len(wanted) or letter != wanted[matched]:
                return text
            matched += 1
    return "" if wanted and matched == len(wanted) else text
