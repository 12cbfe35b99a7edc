"""How deep each heading stands.

Evidence in order of trust: a level given by bookmarks or the parser; the depth of the printed number; the
rank of the heading's look among the looks of the others. Folding into a tree happens elsewhere; here every
heading gets a level from 1, and no heading stands more than one level below the one it belongs to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from vectree.ingest.layout.body import Style
from vectree.ingest.lexicon import is_abstract_title, is_back_title
from vectree.ingest.numbering import Enumerator
from vectree.ingest.ranks import Ranked, style_depths


def assign_levels(headings: Sequence[Ranked]) -> list[int]:
    """Give every heading a level.

    Args:
        headings: In document order.

    Returns:
        Levels from 1; the first is 1, and none is more than one deeper than the heading it belongs to.
    """
    depths = _numbered_depths(headings)
    by_style = style_depths(headings, depths)
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
