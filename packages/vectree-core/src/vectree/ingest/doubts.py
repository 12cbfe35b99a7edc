"""Where layout leaves doubt about a document's sections: what is worth asking a model, and nothing else.

Layout reads most papers right. Where it does not, the result shows it: no headings where there must be some,
a number left out of a series, a long stretch of text without any heading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vectree.document import Heading, HeadingSource, Page, PageRange
from vectree.ingest.front_words import BACK_MATTER_KEYS
from vectree.ingest.lexicon import is_contents_title, is_reference_title
from vectree.normal import match_key
from vectree.tokens import count_tokens
from vectree.tree.build import document_order
from vectree.tree.numbers import Path, read_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtBounds:
    """What raises doubt.

    Attributes:
        few: Fewer headings than this in a document of ``few_pages`` pages are too few.
        few_pages: Pages from which on that counts.
        stretch_tokens: A section with more tokens than this …
        stretch_pages: … that reaches over more pages than this may hide headings.
    """

    few: int = 3
    few_pages: int = 3
    stretch_tokens: int = 8_000
    stretch_pages: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Pages whose headings may be incomplete.

    Attributes:
        pages: Where.
        reason: Why, in a few words for the report.
    """

    pages: PageRange
    reason: str


def find_doubts(
    headings: Sequence[Heading], pages: Sequence[Page], bounds: DoubtBounds | None = None
) -> tuple[Doubt, ...]:
    """Judge whether a document's headings are complete.

    Args:
        headings: Verified headings, synthetic ones among them.
        pages: Every page.
        bounds: What raises doubt.

    Returns:
        Doubts in no particular order; none for a document without text.
    """
    bounds = bounds or DoubtBounds()
    if not any(page.text.strip() for page in pages):
        return ()
    authored = [
        heading for heading in document_order(headings) if heading.source is not HeadingSource.SYNTHETIC
    ]
    if len(authored) < bounds.few and len(pages) >= bounds.few_pages:
        found = f"{len(authored)} headings on {len(pages)} pages"
        return (Doubt(pages=PageRange(first=1, last=len(pages)), reason=found),)
    return (*_gaps(authored), *_stretches(authored, pages, bounds))


def doubtful_pages(doubts: Sequence[Doubt]) -> tuple[int, ...]:
    """The pages that doubts name.

    Args:
        doubts: Any doubts.

    Returns:
        Physical pages in order, each once.
    """
    return tuple(sorted({page for doubt in doubts for page in doubt.pages}))


def _gaps(headings: Sequence[Heading]) -> Iterator[Doubt]:
    """A number whose predecessor in the series is printed nowhere before it."""
    paths = read_numbers([heading.number for heading in headings])
    numbered = [(path, heading) for path, heading in zip(paths, headings, strict=True) if path]
    seen: set[Path] = set()
    for (_, before), (path, heading) in pairwise([((), headings[0]), *numbered] if numbered else []):
        wanted = _predecessor(path)
        if wanted and wanted not in seen and _in_use(path, seen):
            first = min(before.page, heading.page)
            yield Doubt(
                pages=PageRange(first=first, last=heading.page),
                reason=f"a number is missing before {heading.printed[:60]!r}",
            )
        seen.add(path)


def _predecessor(path: Path) -> Path | None:
    last = path[-1]
    if last.value < 2:
        return None
    return (*path[:-1], type(last)(kind=last.kind, value=last.value - 1))


def _in_use(path: Path, seen: set[Path]) -> bool:
    """Whether the series, or the section it counts in, has begun; a document may start anywhere else."""
    head = path[:-1]
    return head in seen or any(
        other[:-1] == head and other[-1].kind == path[-1].kind for other in seen if other
    )


def _stretches(headings: Sequence[Heading], pages: Sequence[Page], bounds: DoubtBounds) -> Iterator[Doubt]:
    ends = [*(heading.page for heading in headings[1:]), len(pages)]
    for heading, end in zip(headings, ends, strict=False):
        inner = pages[heading.page - 1 : end]
        size = sum(count_tokens(page.text) for page in inner)
        if len(inner) > bounds.stretch_pages and size > bounds.stretch_tokens and not _is_list(heading):
            yield Doubt(
                pages=PageRange(first=heading.page, last=end),
                reason=f"{len(inner)} pages without a heading after {heading.printed[:60]!r}",
            )


def _is_list(heading: Heading) -> bool:
    title = heading.title
    return is_reference_title(title) or is_contents_title(title) or match_key(title) in BACK_MATTER_KEYS
