"""The title of a document: the most prominent words of its first pages that are no label and no name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import PurePath

from vectree.ingest.authors import looks_like_names, surely_names
from vectree.ingest.front import Row
from vectree.ingest.front_words import BANNER, NO_TITLE_KEYS
from vectree.normal import match_key, one_line

_MIN_SIZE = 1.12
"""A title is at least this much larger than running text."""

_BIG = 1.3
"""Rows this much larger than running text may continue a title set in several sizes."""

_AGREE = 0.85
_MAX_ROWS = 8
_MAX_COMPARED = 600
_LABELS = frozenset(("title", "titel", "titre", "título", "titolo"))

_BAD_INFO = re.compile(
    r"^\s*(?:untitled|title|unknown|documents?|slides?|presentation|manuscript|paper|article|main|template|layout)"
    r"[\W\d]*$|^\s*(?:microsoft (?:word|powerpoint)|powerpoint|proceedings template|doi\b|10\.\d{4,}/|\d{6,})"
    r"|\.(?:pdf|docx?|tex|dvi|e?ps|indd|qxd|rtf|odt|fm|xml)\b|^\S*$|^[\W\d]+$|\d+\.\.\d+$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[^\W\d_]")
_LOOSE_HYPHEN = re.compile(r"(?<=\w) -(?=\w)")
_TRAILING_MARK = re.compile(r"\s*[*†‡§¶✩☆#]+$")


def find_title(rows: Sequence[Row], body: float, info_title: str) -> tuple[str, list[Row]]:
    """Find the title on the first pages.

    Args:
        rows: Rows of the first pages from top to bottom.
        body: Font size of running text.
        info_title: The title the file claims, empty if none; it counts where it agrees with the page.

    Returns:
        The title and the rows it stands on; empty if nothing can be one.
    """
    first = [row for row in rows if row.page == rows[0].page] if rows else []
    labelled = _labelled(first)
    if labelled:
        return joined(labelled), labelled
    blocks = _blocks(first, body) or _blocks(rows, body)
    if usable_info_title(info_title):
        agreeing = [block for block in blocks if agrees(joined(block), info_title)]
        agreeing = agreeing or _spelled_out(first, info_title)
        if agreeing:
            return joined(agreeing[0]), agreeing[0]
    blocks = blocks or _first_block(first)
    if not blocks:
        return "", []
    best = max(blocks, key=lambda block: (max(row.size for row in block), -block[0].top))
    best = _grown(best, [row for row in first if _prominent(row, best[0], body)])
    return joined(best), best


def title_again(rows: Sequence[Row], title: str, page: int) -> list[Row]:
    """Find a title once more, on the page after a cover.

    Args:
        rows: Rows of the first pages.
        title: The title as found on the cover.
        page: Physical page to look on.

    Returns:
        The rows it stands on; empty if it is not there.
    """
    found = _spelled_out([row for row in rows if row.page == page], title)
    return found[0] if found else []


def usable_info_title(title: str) -> bool:
    """Whether the title field of a file can be a title at all.

    Args:
        title: As stored in the file.

    Returns:
        False for file names, placeholders, DOIs and single words.
    """
    text = one_line(title)
    return len(match_key(text)) >= 8 and not _BAD_INFO.search(text)


def agrees(printed: str, claimed: str) -> bool:
    """Whether two titles are the same work's, one of them perhaps cut a little short.

    Args:
        printed: Title as printed.
        claimed: Title as claimed elsewhere.

    Returns:
        True if one contains the other, or they differ in few letters.
    """
    one, other = match_key(printed[:_MAX_COMPARED]), match_key(claimed[:_MAX_COMPARED])
    if len(other) >= 12 and other in one:
        return True
    if one in other and len(one) >= max(12, 0.6 * len(other)):
        return True
    return bool(one and other) and SequenceMatcher(None, one, other, autojunk=False).ratio() >= _AGREE


def title_from_name(source: str) -> str:
    """A title of last resort.

    Args:
        source: Path or name of the source file.

    Returns:
        The file name without its ending, underscores as spaces; "Untitled" if nothing is left.
    """
    stem = PurePath(source.replace("\\", "/")).name
    stem = re.sub(r"\.(?:pdf|md|txt|html?|docx)$", "", stem, flags=re.IGNORECASE)
    return one_line(stem.replace("_", " "))[:200] or "Untitled"


def joined(rows: Sequence[Row]) -> str:
    """The text of title rows on one line.

    Args:
        rows: Rows from top to bottom.

    Returns:
        Their text, broken words joined, footnote marks dropped; a subtitle in another font after a colon.
    """
    text = ""
    for before, row in zip([None, *rows[:-1]], rows, strict=True):
        glue = " "
        if before is None or (before.hyphen and row.text[:1].islower()):
            glue = ""
        elif before.hyphen or text.endswith("-"):
            glue = "-" if before.hyphen else ""
        elif (
            row.font != before.font
            and row.size < 0.9 * before.size
            and not text.endswith((":", "?", "–", "-"))
        ):
            glue = ": "
        text = f"{text}{glue}{row.text}"
    line = one_line(text).replace("\u2011", "-").replace("\u2010", "-")
    line = _TRAILING_MARK.sub("", _LOOSE_HYPHEN.sub("-", line))
    return line.rstrip(".") if line.count(".") == 1 else line


def is_banner(text: str) -> bool:
    """Whether a line names a journal, an article type, an institution or an address instead of a work.

    Args:
        text: A line or block of the first page.

    Returns:
        True if it cannot be a title.
    """
    key = match_key(text)
    return key in NO_TITLE_KEYS or bool(BANNER.search(one_line(text)))


def _blocks(rows: Sequence[Row], body: float) -> list[list[Row]]:
    """Groups of adjacent rows of one size that are larger than running text and may be a title."""
    large = [row for row in rows if row.size >= _MIN_SIZE * body]
    groups: list[list[Row]] = []
    for row in large:
        if row.key in NO_TITLE_KEYS:
            continue
        goes_on = bool(groups) and _continues(groups[-1][-1], row) and not surely_names(row.text)
        if goes_on and len(groups[-1]) < _MAX_ROWS:
            groups[-1].append(row)
        else:
            groups.append([row])
    return [group for group in map(_below_banner, groups) if _may_be_title(group)]


def _below_banner(group: list[Row]) -> list[Row]:
    """The group without a journal's name that stands right above the title; a banner as a whole stays."""
    start = next((place for place, row in enumerate(group) if not is_banner(row.text)), 0)
    return group if is_banner(joined(group)) else group[start:]


def _continues(before: Row, row: Row) -> bool:
    same_size = abs(before.size - row.size) <= 0.08 * before.size
    gap = row.top - before.bottom
    return (
        same_size
        and row.page == before.page
        and -before.size < gap <= 0.9 * before.size
        and _alike(before, row)
    )


def _alike(before: Row, row: Row) -> bool:
    return before.bold == row.bold or before.font.split("-")[0] == row.font.split("-")[0]


def _may_be_title(group: Sequence[Row]) -> bool:
    text = joined(group)
    letters = sum(char.isalpha() for char in text)
    enough = letters >= (4 if any("\u3040" <= char <= "\u9fff" for char in text) else 8)
    wordy = enough and letters > 0.5 * len(text) and not _NUMBERED.match(text)
    return wordy and not is_banner(text) and not surely_names(text)


def _grown(block: list[Row], large: Sequence[Row]) -> list[Row]:
    """The block with neighbours in other sizes: a title page sets one title in several."""
    if block[0] not in large:
        return block
    grown = list(block)
    place = large.index(block[0])
    for row in large[place + len(block) :]:
        if len(grown) == _MAX_ROWS or not _neighbours(grown[-1], row, row):
            break
        grown.append(row)
    for row in reversed(large[:place]):
        if row.font != grown[0].font or not _neighbours(row, grown[0], row):
            break
        grown.insert(0, row)
    return grown


def _prominent(row: Row, seed: Row, body: float) -> bool:
    """Whether a row may belong to the same title: much larger than running text, or in the title's font."""
    return row.size >= _BIG * body or (seed.bold and row.font == seed.font and row.size >= 0.4 * seed.size)


def _neighbours(upper: Row, lower: Row, new: Row) -> bool:
    close = lower.top - upper.bottom <= 1.2 * max(upper.size, lower.size)
    return close and not is_banner(new.text) and not looks_like_names(new.text)


def _spelled_out(rows: Sequence[Row], claimed: str) -> list[list[Row]]:
    """Rows, of whatever size, that together spell the claimed title."""
    wanted = match_key(claimed)
    for start in range(min(len(rows), 40)):
        key = ""
        for end in range(start, min(start + _MAX_ROWS, len(rows))):
            key += rows[end].key
            if not wanted.startswith(key):
                break
            if key == wanted:
                return [list(rows[start : end + 1])]
    return []


def _labelled(rows: Sequence[Row]) -> list[Row]:
    """The row below a row that says "Title" and nothing else, as repository covers print it."""
    for label, row in pairwise(rows):
        if label.key in _LABELS and len(row.text) > 8:
            return [row]
    return []


def _first_block(rows: Sequence[Row]) -> list[list[Row]]:
    """Without larger type: the first rows above the names or the first paragraph."""
    block: list[Row] = []
    for row in rows[:12]:
        if is_banner(row.text):
            continue
        apart = bool(block) and row.top - block[-1].bottom > 1.5 * row.size
        if block and (apart or row.bold != block[0].bold or looks_like_names(row.text)):
            break
        block.append(row)
    return [block] if 0 < len(block) <= 4 and _may_be_title(block) else []
