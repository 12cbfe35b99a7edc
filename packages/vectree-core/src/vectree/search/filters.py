"""Year, journal and author filters: applied before any rank is given, by array operations and byte search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.errors import InvalidArguments
from vectree.evidence import Filters
from vectree.index.postings import Mask
from vectree.index.segment import NO_YEAR, Segment
from vectree.index.snapshot import Snapshot
from vectree.normal import name_key

_UMLAUT_E = re.compile("([aou])e")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """What the filters leave.

    Attributes:
        chosen: Living documents that pass; over documents of the snapshot.
        excluded_unknown: How many pass every filter but one whose field they lack.
    """

    chosen: Mask
    excluded_unknown: int

    @property
    def size(self) -> int:
        """How many documents pass."""
        return int(np.count_nonzero(self.chosen))


def select(snapshot: Snapshot, filters: Filters) -> Selection:
    """Apply filters.

    A document that lacks a field does not pass a filter on it.

    Args:
        snapshot: The index.
        filters: What is asked for; an empty journal or author restricts nothing.

    Returns:
        The documents that pass.

    Raises:
        InvalidArguments: If the years exclude every document there could be.
    """
    if filters.year_min is not None and filters.year_max is not None and filters.year_min > filters.year_max:
        raise InvalidArguments(
            f"year_min {filters.year_min} is later than year_max {filters.year_max}: no year lies between."
        )
    matches, unknown = snapshot.alive.copy(), np.zeros(len(snapshot.alive), dtype=np.bool_)
    for passes, lacks in _applied(snapshot, filters):
        matches &= passes | lacks
        unknown |= lacks
    return Selection(chosen=matches & ~unknown, excluded_unknown=int(np.count_nonzero(matches & unknown)))


def _applied(snapshot: Snapshot, filters: Filters) -> Iterator[tuple[Mask, Mask]]:
    """For each filter in use: who passes, and who lacks the field."""
    if filters.year_min is not None or filters.year_max is not None:
        years = snapshot.years
        low = filters.year_min if filters.year_min is not None else 0
        high = filters.year_max if filters.year_max is not None else np.iinfo(np.int32).max
        yield (years >= low) & (years <= high), years == NO_YEAR
    if filters.journal and (words := name_key(filters.journal).split()):
        yield _over_documents(snapshot, [_journals(segment, words) for segment in snapshot.segments])
    if filters.author and (words := name_key(filters.author).split()):
        yield _author_filter(snapshot, words)


def _author_filter(snapshot: Snapshot, words: list[str]) -> tuple[Mask, Mask]:
    """Whole words first, so that Lee does not find Leeuwen; the beginnings of words if that finds nobody."""
    for whole in (True, False):
        found = _over_documents(
            snapshot, [_authors(segment, words, whole=whole) for segment in snapshot.segments]
        )
        if (found[0] & snapshot.alive).any():
            break
    return found


def _over_documents(snapshot: Snapshot, parts: list[tuple[Mask, Mask]]) -> tuple[Mask, Mask]:
    if not parts:
        return snapshot.alive, snapshot.alive
    return np.concatenate([passes for passes, _ in parts]), np.concatenate([lacks for _, lacks in parts])


def _journals(segment: Segment, words: list[str]) -> tuple[Mask, Mask]:
    """Words that begin successive words of the journal: ``nat commun`` finds Nature Communications."""
    starts = segment.columns.journal_starts
    pattern = "[^ \n]* ".join(re.escape(word) for word in words)
    return _documents(_word_starts(pattern, segment.journals), starts), np.diff(starts) == 1


def _authors(segment: Segment, words: list[str], *, whole: bool) -> tuple[Mask, Mask]:
    """Documents with an author whose name has all the words.

    The words are looked up by one search through the bytes; the names where they stand are compared in full.
    """
    starts, blob = segment.columns.author_starts, segment.authors
    telling = [word for word in words if len(word) > 1] or words
    hits: list[int] = []
    for word in telling:
        for position in _word_starts(_either_spelling(word) + "(?=[ \t\n])" * whole, blob):
            if len(words) == 1 or _same_person(words, _name_around(blob, position), whole=whole):
                hits.append(position)
    return _documents(hits, starts), np.diff(starts) == 1


def _word_starts(pattern: str, blob: NDArray[np.uint8]) -> list[int]:
    """Where a pattern matches at the beginning of a word.

    The pattern begins with plain letters, for which ``re`` has a fast search; what stands before them is
    looked at afterwards.
    """
    positions = [match.start() for match in re.finditer(pattern.encode(), blob.data)]
    separators = b" \t\n"
    return [place for place in positions if place == 0 or blob[place - 1] in separators]


def _name_around(blob: NDArray[np.uint8], position: int) -> list[str]:
    """The words of the name that a position of the blob lies in."""
    window = 256
    before = blob[max(0, position - window) : position].tobytes().rpartition(b"\t")[2]
    after = re.split(b"[\t\n]", blob[position : position + window].tobytes(), maxsplit=1)[0]
    return (before + after).decode("utf-8", "replace").split()


def _same_person(words: list[str], name: list[str], *, whole: bool) -> bool:
    """Whether each word finds a word of the name for itself; initials stand for names either way."""
    free = list(name)
    for word in sorted(words, key=len, reverse=True):
        match = next((part for part in free if _same_word(word, part, whole=whole)), None)
        if match is None:
            return False
        free.remove(match)
    return True


def _same_word(word: str, part: str, *, whole: bool) -> bool:
    if len(word) == 1 or len(part) == 1:
        return word[0] == part[0]
    asked, printed = _without_umlaut_e(word), _without_umlaut_e(part)
    return printed == asked if whole else printed.startswith(asked)


def _without_umlaut_e(word: str) -> str:
    """Read ae, oe, ue as the vowel that lost its dots, so that Mueller and Müller are one name."""
    return _UMLAUT_E.sub(r"\1", word)


def _either_spelling(word: str) -> str:
    """A pattern for a word with or without such an e."""
    return re.sub("([aou])", "\\1e?", re.escape(_without_umlaut_e(word)))


def _documents(positions: list[int], starts: NDArray[np.int64]) -> Mask:
    """Which documents' lines hold these positions."""
    found = np.zeros(len(starts) - 1, dtype=np.bool_)
    found[np.searchsorted(starts, positions, side="right") - 1] = True
    return found
