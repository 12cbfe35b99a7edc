"""Fold a flat list of headings: how deep each one lies, by its number or else by its level (§3.2).

The rules, in this order, against the sections that are still open:

1. a number that extends an open section's number lies inside that section (``2.1.3`` in ``2`` if there is no
   ``2.1``);
2. a number that follows an open section's number stands beside it;
3. anything else lies inside the nearest open section of a smaller level, but never inside a section whose
   number contradicts its own (``3.1`` is not part of ``2``);
4. a heading without a number does not close a section that the next numbered heading continues.

Deviation: the paper folds dotted indices only. Roman numerals, letters, missing parents and headings without
numbers occur in most journals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vectree.document import Heading
from vectree.tree.numbers import Path, read_numbers

MAX_DEPTH = 12
"""Levels of a tree; deeper headings are attached here, so that no file can nest without bound."""


@dataclass(slots=True, kw_only=True)
class _Open:
    """A section that is still open while headings are read."""

    path: Path
    level: int
    last_child: int = 0

    def holds(self, path: Path) -> bool:
        """Whether ``path`` extends this section's number."""
        return 0 < len(self.path) < len(path) and path[: len(self.path)] == self.path

    def precedes(self, path: Path) -> bool:
        """Whether ``path`` is the next number after this section's."""
        if not self.path or len(self.path) != len(path) or self.path[:-1] != path[:-1]:
            return False
        own, other = self.path[-1], path[-1]
        return own.kind == other.kind and own.value + 1 == other.value

    def contradicts(self, path: Path) -> bool:
        """Whether ``path`` counts in the same series but belongs to another section."""
        if len(path) < 2 or not self.path or self.path[0].kind != path[0].kind:
            return False
        return path[: len(self.path)] != self.path


def fold_depths(headings: Sequence[Heading]) -> list[int]:
    """Find the depth of each heading.

    Args:
        headings: Headings in document order.

    Returns:
        One depth from 1 for each heading; the first is 1, none exceeds the one before it by more than 1, and
        none exceeds ``MAX_DEPTH``.
    """
    paths = read_numbers([heading.number for heading in headings])
    levels = _levels(headings, paths)
    following = _next_numbered(paths)
    stack: list[_Open] = []
    depths: list[int] = []
    for path, level, upcoming in zip(paths, levels, following, strict=True):
        kept, level = _numbered_place(stack, path, level) if path else _plain_place(stack, level, upcoming)
        del stack[min(kept, MAX_DEPTH - 1) :]
        if path and stack and stack[-1].holds(path):
            stack[-1].last_child = path[-1].value
        stack.append(_Open(path=path, level=level))
        depths.append(len(stack))
    return depths


def _numbered_place(stack: list[_Open], path: Path, level: int) -> tuple[int, int]:
    """How many open sections stay open above a numbered heading, and the level it gets."""
    for place in range(len(stack) - 1, -1, -1):
        if stack[place].holds(path):
            return place + 1, max(level, stack[place].level + 1)
    before = [place for place, section in enumerate(stack) if section.precedes(path)]
    if before:
        place = max(before, key=lambda at: (stack[at].level == level, at))
        return place, stack[place].level
    return _place_by_level(stack, level, path), level


def _plain_place(stack: list[_Open], level: int, upcoming: Path) -> tuple[int, int]:
    """The same for a heading without a number; ``upcoming`` is the next number printed after it."""
    kept = _place_by_level(stack, level, ())
    for place in range(len(stack) - 1, kept - 1, -1):
        section = stack[place]
        if section.holds(upcoming) and upcoming[len(section.path)].value == section.last_child + 1:
            return place + 1, max(level, section.level + 1)
    return kept, level


def _place_by_level(stack: list[_Open], level: int, path: Path) -> int:
    for place, section in enumerate(stack):
        if section.level >= level or section.contradicts(path):
            return place
    return len(stack)


def _next_numbered(paths: Sequence[Path]) -> list[Path]:
    """For each heading the number of the next numbered one."""
    following: list[Path] = []
    upcoming: Path = ()
    for path in reversed(paths):
        following.append(upcoming)
        upcoming = path or upcoming
    return following[::-1]


def _levels(headings: Sequence[Heading], paths: Sequence[Path]) -> list[int]:
    """Levels from 1; a series that starts anew inside another (I, A, B, II, A, B) lies below it."""
    below = {kind: place for place, kind in enumerate(_nested_kinds(paths), start=1)}
    levels: list[int] = []
    for heading, path in zip(headings, paths, strict=True):
        inside = 1 + below.get(path[0].kind, 0) if len(path) == 1 else 1
        levels.append(max(heading.level, inside, 1))
    return levels


def _nested_kinds(paths: Sequence[Path]) -> Iterator[str]:
    """Kinds of one-component numbers that start over while another kind runs on, outermost first."""
    singles = [path[0] for path in paths if len(path) == 1]
    starts = {step.kind: 0 for step in singles}
    for step in singles:
        starts[step.kind] += step.value == 1
    outer = next(iter(starts), "")
    if starts.get(outer) == 1 and sum(step.kind == outer for step in singles) > 1:
        yield from (kind for kind, count in starts.items() if count > 1)
