"""How deep each heading stands.

Evidence in order of trust: a level given by bookmarks or the parser; the depth of the printed number; the
rank of the heading's look among the looks of the others. Folding into a tree happens elsewhere; here every
heading gets a level from 1, and no heading stands more than one level below the one it belongs to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


def assign_levels(headings: Sequence[Ranked]) -> list[int]:
    """Give every heading a level.

    Args:
        headings: In document order.

    Returns:
        Levels from 1; the first is 1, and none is more than one deeper than the heading it belongs to.
    """
    depths = _numbered_depths(headings)
    by_style = _style_depths(headings, depths)
    raw: list[int] = []
    for index, heading in enumerate(headings):
        depth = depths[index]
        if depth is None and heading.run_in:
            depth = _run_in_depth(headings, raw, index)
        if depth is None:
            depth = _unnumbered_depth(headings, index, by_style, raw)
        raw.append(depth)
    return _closed(raw)


def _closed(raw: Sequence[int]) -> list[int]:
    """Close gaps: the level is the number of headings it stands under, plus one."""
    levels: list[int] = []
    open_depths: list[int] = []
    for depth in raw:
        while open_depths and open_depths[-1] >= depth:
            open_depths.pop()
        open_depths.append(depth)
        levels.append(len(open_depths))
    return levels


def _numbered_depths(headings: Sequence[Ranked]) -> list[int | None]:
    """Depths stated outright or by numbers; numbers are shifted to agree with the stated depths."""
    bases = _kind_bases(headings)
    depths = [_own_depth(heading.number, bases) for heading in headings]
    parts = [index for index, heading in enumerate(headings) if heading.number and heading.number.part]
    for index in parts:
        depths[index] = 1
    if parts:
        depths = [
            depth + 1 if depth is not None and index > parts[0] and index not in parts else depth
            for index, depth in enumerate(depths)
        ]
    shifts = Counter(
        heading.given - depth
        for heading, depth in zip(headings, depths, strict=True)
        if heading.given is not None and depth is not None
    )
    shift = shifts.most_common(1)[0][0] if shifts else 0
    return [
        heading.given if heading.given is not None else depth + shift if depth is not None else None
        for heading, depth in zip(headings, depths, strict=True)
    ]


def _own_depth(number: Enumerator | None, bases: Mapping[str, int]) -> int | None:
    if number is None or number.part:
        return None
    return len(number.parts) + (0 if number.appendix else bases[number.kind])


def _kind_bases(headings: Sequence[Ranked]) -> dict[str, int]:
    """How deep each kind of number starts: letters among roman numerals below, appendix letters beside."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, heading in enumerate(headings):
        if heading.number is not None and not heading.number.part and not heading.number.appendix:
            places[heading.number.kind].append(index)
    bases: dict[str, int] = {}
    for kind in sorted(places, key=lambda name: places[name][0]):
        outer = [
            other
            for other in bases
            if any(places[other][0] < index < places[other][-1] for index in places[kind])
        ]
        base = 0
        for other in outer:
            base = max(base, bases[other] + _usual_depth_before(headings, places[kind], places[other]))
        bases[kind] = base
    return bases


def _usual_depth_before(headings: Sequence[Ranked], inner: Sequence[int], outer: Sequence[int]) -> int:
    depths = Counter[int]()
    for index in inner:
        before = max((place for place in outer if place < index), default=None)
        number = headings[before].number if before is not None else None
        if number is not None:
            depths[len(number.parts)] += 1
    return depths.most_common(1)[0][0] if depths else 0


def _style_depths(headings: Sequence[Ranked], depths: Sequence[int | None]) -> dict[Style, int]:
    """Depths of the looks of headings that do not open a paragraph."""
    looks = [
        (index, heading.style)
        for index, heading in enumerate(headings)
        if heading.style and not heading.run_in
    ]
    votes: dict[Style, Counter[int]] = defaultdict(Counter)
    for index, style in looks:
        depth = depths[index]
        if depth is not None:
            votes[style][depth] += 1
    anchored = {style: min(count, key=lambda depth: (-count[depth], depth)) for style, count in votes.items()}
    order = _strongest_first(headings, looks)
    counts = Counter(style for _, style in looks)
    if not anchored:
        top = _main_style(headings, order)
        if top is not None:
            anchored[top] = 1 + sum(
                _members(headings, style) >= 2
                for style in order[: order.index(top)]
                if not _same_rank(style, top, counts)
            )
    return _fill(order, anchored, counts)


def _main_style(headings: Sequence[Ranked], order: Sequence[Style]) -> Style | None:
    """The look of the titles that divide a paper, such as methods and results."""
    counts = Counter(
        heading.style
        for heading in headings
        if heading.style and not heading.run_in and is_main_title(heading.title)
    )
    if not counts:
        return order[0] if order else None
    return max(counts, key=lambda style: (counts[style], -order.index(style)))


def _members(headings: Sequence[Ranked], style: Style) -> int:
    return sum(
        heading.style == style and not (is_back_title(heading.title) or is_abstract_title(heading.title))
        for heading in headings
    )


def _strongest_first(headings: Sequence[Ranked], looks: Sequence[tuple[int, Style]]) -> list[Style]:
    """Looks by size, capitals and weight; one that stands right below another comes after it."""
    first: dict[Style, int] = {}
    for index, style in looks:
        first.setdefault(style, index)
    order = sorted(first, key=lambda style: (*_strength(style), first[style]))
    above: set[tuple[Style, Style]] = set()
    for before, after in pairwise(looks):
        if after[0] == before[0] + 1 and headings[after[0]].below and before[1] != after[1]:
            above.add((before[1], after[1]))
    for one, other in above:
        if (other, one) not in above and order.index(one) > order.index(other):
            order.remove(other)
            order.insert(order.index(one) + 1, other)
    return order


def _strength(style: Style) -> tuple[float, bool, bool, bool]:
    return -style.size, not style.caps, not style.bold, style.italic


def _same_rank(one: Style, other: Style, counts: Mapping[Style, int]) -> bool:
    """Whether two looks are one: they differ in font only, and one is rare (a word in another font)."""
    alike = abs(one.size - other.size) < _SAME_SIZE and _strength(one)[1:] == _strength(other)[1:]
    return alike and (one.font == other.font or min(counts[one], counts[other]) <= _RARE)


def _fill(
    order: Sequence[Style], anchored: Mapping[Style, int], counts: Mapping[Style, int]
) -> dict[Style, int]:
    """Depths for looks without an anchor: below the nearest stronger look, or beside one of its rank."""
    filled: dict[Style, int] = {}
    before: Style | None = None
    for style in order:
        if style in anchored:
            filled[style] = anchored[style]
        elif before is None:
            filled[style] = 1
        elif twin := next((other for other in anchored if _same_rank(style, other, counts)), None):
            filled[style] = anchored[twin]
        else:
            filled[style] = filled[before] + (not _same_rank(style, before, counts))
        before = style
    return filled


def _unnumbered_depth(
    headings: Sequence[Ranked], index: int, by_style: Mapping[Style, int], raw: Sequence[int]
) -> int:
    heading = headings[index]
    if is_abstract_title(heading.title):
        return 1
    depth = by_style.get(heading.style) if heading.style else None
    if is_back_title(heading.title) and not _in_back_section(headings, index, raw):
        return 1
    if depth is None:
        return raw[-1] if raw else 1
    return depth


def _in_back_section(headings: Sequence[Ranked], index: int, raw: Sequence[int]) -> bool:
    """Whether a closing title stands under another one, such as funding under declarations.

    The first of them stands right below the other without text between; the rest look like the first.
    """
    style = headings[index].style
    for place in range(index, 0, -1):
        if headings[place].style == style and headings[place].below and raw[place - 1] == 1:
            return headings[place - 1].style != style
        if place < index and raw[place] == 1:
            return False
    return False


def _run_in_depth(headings: Sequence[Ranked], raw: Sequence[int], index: int) -> int:
    """One below the heading whose text it divides; italic leads below bold ones."""
    here = headings[index]
    for place in range(index - 1, -1, -1):
        other = headings[place]
        if not other.run_in:
            return raw[place] + 1
        if _look(other) == _look(here):
            return raw[place]
        if _weight(other) > _weight(here):
            return raw[place] + 1
    return 1 if is_abstract_title(here.title) or not raw else raw[-1]


def _look(heading: Ranked) -> Iterable[object]:
    return (heading.style.bold, heading.style.italic) if heading.style else ()


def _weight(heading: Ranked) -> int:
    return 2 * heading.style.bold + (not heading.style.italic) if heading.style else 0
