"""Score the section headings found without bookmarks against the bookmarks authors and publishers left.

    python benchmarks/section_trees.py ../shared/data/pdfs
    python benchmarks/section_trees.py ../shared/data/pdfs --adjudicate > wrong.txt

Synthetic headings (an abstract without one) are nobody's claim and not counted.

The bookmarks are hidden from the detector and serve as the expected tree. A document counts if at least four
of its bookmarks are usable: a title, a target page, the title's letters on that page or a neighbour;
captions, file names and the article's own title are left out. Headings are matched one to one: same
normalised title without its number, or a rapidfuzz ratio of at least 88, and pages at most one apart.
Publishers leave out some subsections, so precision is a lower bound: ``--adjudicate`` lists what did not
match, to be read by eye.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rapidfuzz import fuzz

from vectree.document import Heading, HeadingSource
from vectree.errors import ParseError
from vectree.ingest.headings import find_headings
from vectree.ingest.parse import ParsedDocument
from vectree.normal import match_key, one_line

MIN_USABLE = 4
SAME_RATIO = 88
PAGE_TOLERANCE = 1

_ENTITY = re.compile(r"&#?\w+;|&break\s*/;")
_CAPTION = re.compile(
    r"^(extended data |supplementary |supplemental )?(fig(ure)?|table|scheme|box|movie|video)s?\.?\s*s?\d+",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"\.(pdf|docx?|indd|tex|eps)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"^(?:(?:chapter|section|appendix|chapitre|kapitel|anhang|annexe|partie|part|teil)\s+)?"
    r"(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z](?:\.\d+)*)[.):]?\s+(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A heading the document's own bookmarks promise."""

    title: str
    page: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What was found in one document."""

    name: str
    pages: int
    expected: int
    found: int
    matched: int
    nested: int
    neighbours: int
    seconds: float
    missed: tuple[Expected, ...]
    extra: tuple[Heading, ...]

    @property
    def precision(self) -> float:
        """Share of the found headings that a bookmark confirms."""
        return self.matched / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of the usable bookmarks that were found."""
        return self.matched / self.expected if self.expected else 0.0


def bare_key(title: str) -> str:
    """The normal form of a title without its number.

    Args:
        title: As printed.

    Returns:
        Letters and digits; the whole title's if nothing but a number would be left.
    """
    return match_key(_NUMBER.sub("", one_line(title))) or match_key(title)


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same by the matching rule.

    Args:
        one: A title with or without its number.
        other: Another.

    Returns:
        True if equal without numbers or nearly so.
    """
    first, second = match_key(one), match_key(other)
    if first == second or bare_key(one) == bare_key(other):
        return True
    return fuzz.ratio(first, second) >= SAME_RATIO or fuzz.ratio(bare_key(one), bare_key(other)) >= SAME_RATIO


def usable_bookmarks(document: ParsedDocument) -> tuple[Expected, ...]:
    """The bookmarks that serve as the expected tree.

    Args:
        document: A parsed document.

    Returns:
        In the order of the outline.
    """
    keys = [match_key(page.raw) for page in document.pages]
    found = [
        Expected(title=title, page=mark.page, level=mark.level)
        for mark in document.bookmarks
        if mark.page is not None
        and (title := one_line(_ENTITY.sub(" ", mark.title)))
        and not _CAPTION.match(title)
        and not _FILE_NAME.search(title)
        and _near(title, mark.page, keys)
    ]
    return tuple(entry for entry in found if not _own_title(entry, found, document))


def _near(title: str, page: int, keys: Sequence[str]) -> bool:
    wanted = {match_key(title), bare_key(title)} - {""}
    pages = range(max(1, page - PAGE_TOLERANCE), min(len(keys), page + PAGE_TOLERANCE) + 1)
    return any(key in keys[number - 1] for key in wanted for number in pages)


def _own_title(entry: Expected, entries: Sequence[Expected], document: ParsedDocument) -> bool:
    if entry.page > 2 or entry is not entries[0]:
        return False
    info = document.info.get("title", "")
    if info and same_title(info, entry.title):
        return True
    only_root = sum(other.level == entry.level for other in entries) == 1 and len(entries) > 1
    return only_root or _largest_text(entry, document)


def _largest_text(entry: Expected, document: ParsedDocument) -> bool:
    lines = [
        line for line in document.pages[entry.page - 1].lines if not line.furniture and len(line.text) > 3
    ]
    if not lines or entry.page != 1:
        return False
    size = max(line.size for line in lines)
    title = " ".join(line.text for line in lines if line.size >= size - 0.6)
    return (
        len(entry.title) > 25 and fuzz.partial_ratio(match_key(entry.title), match_key(title)) >= SAME_RATIO
    )


def score(name: str, document: ParsedDocument, expected: Sequence[Expected]) -> Score:
    """Find headings with the bookmarks hidden and match them one to one.

    Args:
        name: Shown in the report.
        document: With its bookmarks.
        expected: The usable ones among them.

    Returns:
        Counts, and what did not match.
    """
    started = time.process_time()
    headings = find_headings(document, use_bookmarks=False).headings
    found = [heading for heading in headings if heading.source is not HeadingSource.SYNTHETIC]
    seconds = time.process_time() - started
    pairs = pair(found, expected)
    matched = {id(heading) for heading, _ in pairs}
    used = {id(entry) for _, entry in pairs}
    agreeing = [
        _sign(first[0].level, second[0].level) == _sign(first[1].level, second[1].level)
        for first, second in pairwise(pairs)
    ]
    return Score(
        name=name,
        pages=len(document.pages),
        expected=len(expected),
        found=len(found),
        matched=len(pairs),
        nested=sum(agreeing),
        neighbours=len(agreeing),
        seconds=seconds,
        missed=tuple(entry for entry in expected if id(entry) not in used),
        extra=tuple(heading for heading in found if id(heading) not in matched),
    )


def pair(found: Sequence[Heading], expected: Sequence[Expected]) -> list[tuple[Heading, Expected]]:
    """Match one to one, the closest agreement first.

    Args:
        found: Headings in document order.
        expected: Bookmarks in outline order.

    Returns:
        Pairs in document order.
    """
    grades: list[tuple[int, int, int]] = []
    for place, heading in enumerate(found):
        for other, entry in enumerate(expected):
            apart = abs(entry.page - heading.page)
            if apart <= PAGE_TOLERANCE and same_title(heading.printed, entry.title):
                exact = match_key(heading.printed) == match_key(entry.title)
                grades.append((2 * apart + (not exact), place, other))
    taken: dict[int, int] = {}
    for _, place, other in sorted(grades):
        if place not in taken and other not in taken.values():
            taken[place] = other
    return [(found[place], expected[other]) for place, other in sorted(taken.items())]


def _sign(one: int, other: int) -> int:
    return (one > other) - (one < other)


def read(path: Path) -> ParsedDocument:
    """Parse one PDF in this process.

    Args:
        path: The file.

    Returns:
        The document; its figures are thrown away.
    """
    from vectree.ingest.parsers.pdfium import PdfiumParser

    with tempfile.TemporaryDirectory() as figures:
        return PdfiumParser(isolated=False).parse(path, figures=Path(figures))


def report(scores: Sequence[Score]) -> str:
    """The table: a line a document, then macro and micro figures.

    Args:
        scores: At least one.

    Returns:
        Text.
    """
    lines = [
        f"{item.name:46.46} {item.pages:4d} p  expected {item.expected:3d}  found {item.found:3d}  "
        f"P {item.precision:.2f}  R {item.recall:.2f}  nesting {item.nested}/{item.neighbours}"
        for item in scores
    ]
    total = len(scores)
    matched = sum(item.matched for item in scores)
    found = sum(item.found for item in scores)
    expected = sum(item.expected for item in scores)
    neighbours = sum(item.neighbours for item in scores)
    nested = sum(item.nested for item in scores)
    seconds = sum(item.seconds for item in scores)
    pages = sum(item.pages for item in scores)
    lines += [
        f"{total} documents, {pages} pages, {expected} headings expected, {found} found",
        f"macro precision {sum(item.precision for item in scores) / total:.3f}  "
        f"recall {sum(item.recall for item in scores) / total:.3f}",
        f"micro precision {matched / max(found, 1):.3f}  recall {matched / max(expected, 1):.3f}",
        f"nesting {nested}/{neighbours} = {nested / max(neighbours, 1):.3f} of neighbouring matched pairs",
        f"headings: {seconds:.2f} s CPU, {pages / max(seconds, 1e-9):.0f} pages/s (parsing not included)",
    ]
    return "\n".join(lines)


def unmatched(item: Score) -> str:
    """What did not match in one document, to be judged by eye.

    Args:
        item: A scored document.

    Returns:
        Text; empty if everything matched.
    """
    lines = [f"  missed p.{entry.page} level {entry.level}  {entry.title}" for entry in item.missed]
    lines += [f"  extra  p.{heading.page} level {heading.level}  {heading.printed}" for heading in item.extra]
    return "\n".join([f"## {item.name}", *lines]) if lines else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line.

    Args:
        arguments: Instead of ``sys.argv``.

    Returns:
        Exit code: 1 if no document could be scored.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder with PDFs")
    parser.add_argument("--adjudicate", action="store_true", help="list headings that did not match")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    options = parser.parse_args(arguments)
    scores: list[Score] = []
    for path in sorted(options.folder.glob("*.pdf")):
        if options.only not in path.name:
            continue
        try:
            document = read(path)
        except ParseError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        expected = usable_bookmarks(document)
        if len(expected) >= MIN_USABLE:
            scores.append(score(path.stem, document, expected))
    if not scores:
        print("no document with enough usable bookmarks", file=sys.stderr)
        return 1
    if options.adjudicate:
        print("\n".join(text for text in map(unmatched, scores) if text))
    print(report(scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())
