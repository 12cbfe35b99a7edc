"""How deep each look stands among the looks of a document's headings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vectree.ingest.layout.body import Style
from vectree.ingest.lexicon import is_abstract_title, is_back_title, is_main_title
from vectree.ingest.numbering import Enumerator

_SAME_SIZE = 0.5
_RARE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """What is known about a heading's depth.

    Attributes:
        title: Title without its number.
        number: Its printed number.
        style: Its look; ``None`` if it was not found on the page.
        run_in: Whether it opens a paragraph.
        given: Level stated by bookmarks or the parser.
        below: Whether it stands right below the heading before it, with no text between.
    """

    title: str
    number: Enumerator | None
    style: Style | None
    run_in: bool = False
    given: int | None = None
    below: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looks:
    """The looks of headings that do not open a paragraph.

    ``stacked`` holds pairs of looks, the second of which stands right below the first somewhere.
    """

    headings: Sequence[Ranked]
    first: Mapping[Style, int]
    counts: Mapping[Style, int]
    stacked: frozenset[tuple[Style, Style]]

    def above(self, one: Style, other: Style) -> bool:
        """Whether the second look stands right below the first, and never the other way round."""
        return (one, other) in self.stacked and (other, one) not in self.stacked

    def same_rank(self, one: Style, other: Style) -> bool:
        """Whether two looks are one: they differ in font only, and one is rare (a word in another font)."""
        alike = abs(one.size - other.size) < _SAME_SIZE and _strength(one)[1:] == _strength(other)[1:]
        rare = min(self.counts[one], self.counts[other]) <= _RARE
        return (
            alike
            and (one.font == other.font or rare)
            and not (self.above(one, other) or self.above(other, one))
        )

    def strongest_first(self) -> list[Style]:
        """By size, capitals and weight; a look that stands right below another comes after it."""
        order = sorted(self.first, key=lambda style: (*_strength(style), self.first[style]))
        for one, other in sorted(self.stacked):
            if self.above(one, other) and order.index(one) > order.index(other):
                order.remove(other)
                order.insert(order.index(one) + 1, other)
        return order


def style_depths(headings: Sequence[Ranked], depths: Sequence[int | None]) -> dict[Style, int]:
    """Find the depth of every look.

    Looks of headings with a known depth are anchored there. Without any, the look of the titles that divide a
    paper is the first level. Other looks follow by their strength.

    Args:
        headings: In document order.
        depths: Depths known from numbers or stated outright.

    Returns:
        Depth by look; headings that open a paragraph are left out.
    """
    votes: dict[Style, Counter[int]] = defaultdict(Counter)
    for heading, depth in zip(headings, depths, strict=True):
        if heading.style and not heading.run_in and depth is not None:
            votes[heading.style][depth] += 1
    anchored = {style: min(count, key=lambda depth: (-count[depth], depth)) for style, count in votes.items()}
    looks = _looks(headings)
    order = looks.strongest_first()
    if not anchored and order:
        top = _main_style(looks, order)
        stronger = order[: order.index(top)]
        anchored[top] = 1 + sum(
            _members(looks, style) >= _RARE and not looks.same_rank(style, top) for style in stronger
        )
    return _fill(order, anchored, looks)


def _looks(headings: Sequence[Ranked]) -> _Looks:
    first: dict[Style, int] = {}
    counts = Counter[Style]()
    for index, heading in enumerate(headings):
        if heading.style and not heading.run_in:
            first.setdefault(heading.style, index)
            counts[heading.style] += 1
    stacked = {
        (before.style, after.style)
        for before, after in pairwise(headings)
        if after.below
        and before.style
        and after.style
        and before.style != after.style
        and not (before.run_in or after.run_in)
    }
    return _Looks(headings=headings, first=first, counts=counts, stacked=frozenset(stacked))


def _main_style(looks: _Looks, order: Sequence[Style]) -> Style:
    """The look of the titles that divide a paper, such as methods and results; else the strongest."""
    counts = Counter(
        heading.style
        for heading in looks.headings
        if heading.style and not heading.run_in and is_main_title(heading.title)
    )
    return max(counts, key=lambda style: (counts[style], -order.index(style))) if counts else order[0]


def _members(looks: _Looks, style: Style) -> int:
    return sum(
        heading.style == style and not (is_back_title(heading.title) or is_abstract_title(heading.title))
        for heading in looks.headings
    )


def _strength(style: Style) -> tuple[float, bool, bool, bool]:
    return -style.size, not style.caps, not style.bold, style.italic


def _fill(order: Sequence[Style], anchored: Mapping[Style, int], looks: _Looks) -> dict[Style, int]:
    """Depths for looks without an anchor: below the nearest stronger look, or beside one of its rank."""
    filled: dict[Style, int] = {}
    before: Style | None = None
    for style in order:
        if style in anchored:
            filled[style] = anchored[style]
        elif before is None:
            filled[style] = 1
        elif twin := next((other for other in anchored if looks.same_rank(style, other)), None):
            filled[style] = anchored[twin]
        else:
            filled[style] = filled[before] + (not looks.same_rank(style, before))
        before = style
    return filled
