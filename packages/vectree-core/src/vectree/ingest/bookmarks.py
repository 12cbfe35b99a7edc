"""The outline a PDF carries, made fit for use.

A third of real PDFs have one worth having. The rest is junk of a few kinds: captions, file names, anchors of
word processors, one title repeated, pages that do not exist. Cleaning keeps titles; whether they are true is
for the verifier.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.ingest.lexicon import is_caption, is_contents_title, is_section_title
from vectree.ingest.numbering import Enumerator, split_numbers
from vectree.ingest.parse import Bookmark, ParsedDocument
from vectree.normal import match_key, one_line

MAX_BOOKMARKS = 3_000
_MAX_TITLE = 300
_MIN_TITLE_KEY = 20
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,40}>|&break\s*/?;")
_JUNK = re.compile(
    r"^(anchor|outline placeholder|bookmark|_?hlk|_?goog|_?toc|_?ref|ole_link|page|slide|folie|blank page"
    r"|cover( page)?|couverture|titelseite|title( page)?|untitled|start|home|button|link)[\s._]*[\dA-Z_]*$"
    r"|\.(pdf|docx?|indd|tex|eps|ps|qxd|fm|rtf|pptx?)$|^[\W\d_]*$|^[ivxlc]+$|^_\w+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """A bookmark after cleaning.

    Attributes:
        number: Its printed number, if the title carries one.
        title: Title without the number.
        page: Physical page it points at; ``None`` if it points nowhere.
        level: Depth from 1.
    """

    number: Enumerator | None
    title: str
    page: int | None
    level: int


def clean_bookmarks(document: ParsedDocument) -> tuple[OutlineEntry, ...]:
    """Keep the bookmarks that may name sections.

    Captions, file names, word processors' anchors, contents lists and the article's own title are left out;
    an outline that repeats one title is left out whole.

    Args:
        document: As parsed.

    Returns:
        In the order of the outline, levels from 1.
    """
    marks = [_tidy(mark) for mark in document.bookmarks[:MAX_BOOKMARKS]]
    marks = [mark for mark in marks if _is_title(mark.title)]
    if _repeats_itself(marks):
        return ()
    marks = _without_root(marks, document)
    lowest = min((mark.level for mark in marks), default=1)
    numbered = split_numbers([mark.title for mark in marks])
    return tuple(
        OutlineEntry(
            number=number,
            title=title,
            page=mark.page if mark.page is not None and 1 <= mark.page <= len(document.pages) else None,
            level=mark.level - lowest + 1,
        )
        for mark, (number, title) in zip(marks, numbered, strict=True)
    )


def _tidy(mark: Bookmark) -> Bookmark:
    title = one_line(_TAG.sub(" ", html.unescape(_TAG.sub(" ", mark.title))))
    return replace(mark, title=title, level=max(mark.level, 1))


def _is_title(title: str) -> bool:
    if not title or len(title) > _MAX_TITLE or not match_key(title):
        return False
    return not (_JUNK.search(title) or is_caption(title) or is_contents_title(title))


def _repeats_itself(marks: Sequence[Bookmark]) -> bool:
    counts = Counter(match_key(mark.title) for mark in marks)
    return bool(counts) and counts.most_common(1)[0][1] > max(3, len(marks) / 2)


def _without_root(marks: Sequence[Bookmark], document: ParsedDocument) -> list[Bookmark]:
    """Leave out a first entry that holds all others, or that is the article's title."""
    if len(marks) < 2:
        return list(marks)
    first = marks[0]
    if is_section_title(first.title) or split_numbers([mark.title for mark in marks])[0][0] is not None:
        return list(marks)
    holds_all = all(mark.level > first.level for mark in marks[1:])
    titled = match_key(first.title) in _title_keys(document)
    return list(marks[1:]) if holds_all or titled else list(marks)


def _title_keys(document: ParsedDocument) -> set[str]:
    """What may be the article's title: the file's own, and the largest print on the first page."""
    keys = {match_key(document.info.get("title", ""))}
    for page in document.pages[:1]:
        lines = [line for line in page.lines if not line.furniture and len(line.text) > 3]
        size = max((line.size for line in lines), default=0.0)
        keys.add(match_key(" ".join(line.text for line in lines if line.size > size - 0.6)))
    return {key for key in keys if len(key) >= _MIN_TITLE_KEY}
