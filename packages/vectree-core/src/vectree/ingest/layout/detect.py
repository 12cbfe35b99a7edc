"""Headings from layout alone: type, white space, numbers and words, without bookmarks or a model.

The order of work: blocks that could be headings; those that cannot are rejected by kind; numbers are
accepted in chains; looks are judged as a whole; then each block is judged by its look, its number and its
surroundings. Last come headings that open a paragraph (``runin``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from vectree.ingest.contents import contents_titles
from vectree.ingest.layout.blocks import find_candidates
from vectree.ingest.layout.body import BodyText, Style
from vectree.ingest.layout.candidate import Candidate
from vectree.ingest.layout.chains import accept_chains
from vectree.ingest.layout.found import Found
from vectree.ingest.layout.front import drop_front
from vectree.ingest.layout.reject import rejection
from vectree.ingest.layout.runin import find_run_ins
from vectree.ingest.layout.styles import StyleWeights, group_by_style, score_styles
from vectree.ingest.lexicon import bare_title, closed_up, is_contents_title, is_reference_title
from vectree.ingest.numbering import Enumerator, split_number
from vectree.ingest.rows import PageRows
from vectree.normal import match_key

_WEIGHTS = StyleWeights()
_MIN_LISTED_KEY = 4
_CLEAR_GAP = 0.35
_NEAR_SIZE = 0.5
_SMALL_PRINT = 0.8
_REPEATS = 3
_NOTES = frozenset({"note", "notes", "source", "sources", "footnotes"})
_STACKED_FILL = 0.9
_MARKS = " ■●◆▪|*:–—"


def detect_headings(
    pages: Sequence[PageRows], body: BodyText, weights: StyleWeights = _WEIGHTS
) -> tuple[Found, ...]:
    """Find the headings of a document by its layout.

    Args:
        pages: Rows of every page.
        body: What running text looks like.
        weights: What counts how much.

    Returns:
        In document order.
    """
    listed = promised_titles(pages)
    blocks = [block for page in pages for block in find_candidates(page, body, listed)]
    able = [block for block in blocks if not rejection(block)]
    chained = accept_chains(able)
    groups = group_by_style(able)
    scores = score_styles(
        groups, blocks=blocks, chained=set(chained), body=body, pages=len(pages), weights=weights
    )
    accepted = {style for style, score in scores.items() if score >= weights.accept}
    kept = [block for block in able if _is_heading(block, chained, accepted, body)]
    kept = _add_stacked(kept, able)
    kept = drop_front(kept, blocks, pages, body, chained)
    kept = _drop_repeats(_drop_table_notes(_drop_reference_entries(kept, chained)))
    found = [_found(block, chained.get(block.place)) for block in kept]
    taken = {item.place for item in found}
    end = min((item.place for item in found if is_reference_title(item.title)), default=None)
    found += [run for run in find_run_ins(pages, body, end) if run.place not in taken]
    return tuple(sorted(found, key=lambda item: item.place))


def promised_titles(pages: Sequence[PageRows]) -> frozenset[str]:
    """Normal forms of the titles that contents lists promise, with and without their numbers.

    Args:
        pages: Rows of every page.

    Returns:
        Keys of at least four letters or digits.
    """
    texts = (row.text for page in pages for row in page.rows if row.contents)
    titles = [title for text in contents_titles(texts) for title in (text, split_number(text)[1])]
    keys = {match_key(title) for title in titles if not is_contents_title(title)}
    return frozenset(key for key in keys if len(key) >= _MIN_LISTED_KEY)


def _is_heading(
    block: Candidate,
    chained: Mapping[tuple[int, int], tuple[Enumerator, str]],
    accepted: set[Style],
    body: BodyText,
) -> bool:
    if block.place in chained:
        return block.stands_out or block.body_below or block.listed
    if (block.style in accepted or _sibling(block, accepted)) and (
        block.body_below or block.spaced or block.known
    ):
        return True
    apart = block.gap_above is None or block.gap_above > _CLEAR_GAP
    if block.known and block.height == 1:
        readable = block.body_below or block.style.size >= _SMALL_PRINT * body.size
        return readable and (block.stands_out or (apart and block.body_below))
    return block.listed and (block.stands_out or apart)


def _sibling(block: Candidate, accepted: Collection[Style]) -> bool:
    """Whether a look differs from an accepted one only by words in italics or a rounding of the size."""
    style = block.style
    if not (block.body_below and block.spaced and (style.bold or style.caps)):
        return False
    return any(
        abs(style.size - other.size) <= _NEAR_SIZE
        and (style.bold, style.caps) == (other.bold, other.caps)
        and style.font.split("-")[0] == other.font.split("-")[0]
        for other in accepted
    )


def _add_stacked(kept: Sequence[Candidate], able: Sequence[Candidate]) -> list[Candidate]:
    """Add lines that stand out between a heading and its text: a heading below a heading.

    Args:
        kept: Accepted candidates.
        able: All that were not rejected.

    Returns:
        Both, in document order.
    """
    above = {(block.page, block.last + 1): block for block in kept}
    places = {block.place for block in kept}
    more = [
        block
        for block in able
        if block.place not in places
        and block.place in above
        and block.stands_out
        and block.body_below
        and block.style != above[block.place].style
        and block.fill < _STACKED_FILL
        and not block.text.endswith((".", ":"))
    ]
    return sorted([*kept, *more], key=lambda block: block.place)


def _drop_reference_entries(
    kept: Sequence[Candidate], chained: Mapping[tuple[int, int], tuple[Enumerator, str]]
) -> list[Candidate]:
    """After the list of references begins, only looks that headings had before it count."""
    looks: set[Style] = set()
    started = False
    rest: list[Candidate] = []
    for block in kept:
        if started and not (block.known or block.listed or block.place in chained or block.style in looks):
            continue
        started = started or is_reference_title(split_number(block.text)[1])
        looks.add(block.style)
        rest.append(block)
    return rest


def tidy_title(title: str) -> str:
    """A title without bullets, colons, letter spacing and the full stop that may close it.

    Args:
        title: As printed, without its number.

    Returns:
        The bare title.
    """
    bare = closed_up(title.strip(_MARKS))
    return bare[:-1] if bare.endswith(".") and not bare.endswith("..") and bare[-3:-2] != "." else bare


def _drop_table_notes(kept: Sequence[Candidate]) -> list[Candidate]:
    """Leave out "Notes" where there are several: they stand under tables."""
    notes = [block.place for block in kept if bare_title(block.text) in _NOTES]
    return [block for block in kept if len(notes) < 2 or block.place not in notes]


def _drop_repeats(kept: Sequence[Candidate]) -> list[Candidate]:
    """Leave out lines that stand three times or more on one page: answers in a form, labels of a table."""
    counts = Counter((block.page, match_key(block.text)) for block in kept)
    return [block for block in kept if counts[block.page, match_key(block.text)] < _REPEATS]


def _found(block: Candidate, reading: tuple[Enumerator, str] | None) -> Found:
    number, title = reading if reading else (None, block.text)
    return Found(
        page=block.page,
        first=block.first,
        last=block.last,
        number=number,
        title=tidy_title(title) or block.text,
        style=block.style,
        known=block.known,
    )
