"""Headings of a document: claims from bookmarks, layout and parser, merged, verified and ranked (§3.2).

No model takes part. Bookmarks say what authors call their sections and how they nest; layout says where
headings stand; a parser may know its own. Claims that name the same place become one heading; a claim that
is not where it says is looked for elsewhere in document order; what is found nowhere is dropped and reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from vectree.document import Heading, HeadingSource, Match
from vectree.ingest.abstract import TITLE, find_abstract
from vectree.ingest.bookmarks import clean_bookmarks
from vectree.ingest.claims import Claim, Placed, merge, place_seen, place_told, with_printed_number
from vectree.ingest.layout.body import BodyText, measure_body
from vectree.ingest.layout.detect import detect_headings
from vectree.ingest.levels import assign_levels
from vectree.ingest.lexicon import is_abstract_title
from vectree.ingest.numbering import split_numbers
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.ranks import Ranked
from vectree.ingest.rows import PageRows, rows_of
from vectree.ingest.verify import Verifier, paper_rule

_TRUSTED_RATE = 0.6
_TRUSTED_ENTRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHeadings:
    """The headings of a document, and how far they can be trusted.

    Attributes:
        headings: Verified, in document order, levels filled; a synthetic abstract is among them where one
            was found.
        dropped: Claims that were found on no page they could stand on.
        claimed: Number of claims, those for the same heading counted once.
        paper_rate: Share of claims that pass the paper's literal rule where they were found; ``None`` without
            claims.
        verified_rate: Share of claims that were verified by ours; ``None`` without claims.
        paper_rate_before: The paper's rate before repair: on the pages that the sources state.
        verified_rate_before: Our rate before repair: without those that a model had to state again.
        sources: Number of returned headings by source.
    """

    headings: tuple[Heading, ...]
    dropped: tuple[Heading, ...] = ()
    claimed: int = 0
    paper_rate: float | None = None
    verified_rate: float | None = None
    paper_rate_before: float | None = None
    verified_rate_before: float | None = None
    sources: dict[str, int] = field(default_factory=lambda: dict[str, int]())


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Headings brought to their places, and what is needed to place further claims.

    Attributes:
        document: As parsed.
        rows: Rows of every page.
        body: What running text looks like.
        verifier: Looks titles up in these rows.
        placed: Claims with their places, in document order.
        lost: Claims that were found on no page they could stand on.
    """

    document: ParsedDocument
    rows: tuple[PageRows, ...]
    body: BodyText
    verifier: Verifier
    placed: tuple[Placed, ...]
    lost: tuple[Claim, ...] = ()


def find_headings(document: ParsedDocument, *, use_bookmarks: bool = True) -> FoundHeadings:
    """Find the headings of a document.

    Args:
        document: As parsed.
        use_bookmarks: Whether the file's outline counts.

    Returns:
        Verified headings with levels, the claims that failed, and both verification rates.
    """
    return conclude(gather(document, use_bookmarks=use_bookmarks))


def gather(document: ParsedDocument, *, use_bookmarks: bool = True) -> Gathered:
    """Bring the claims of layout, parser and outline to their places.

    Args:
        document: As parsed.
        use_bookmarks: Whether the file's outline counts.

    Returns:
        The claims that stand somewhere, one for each place, and those that do not.
    """
    pages = rows_of(document)
    body = measure_body(pages)
    verifier = Verifier(pages, body)
    seen, lost = place_seen(_layout_claims(document, pages, body), verifier)
    gathered = Gathered(
        document=document, rows=pages, body=body, verifier=verifier, placed=tuple(seen), lost=tuple(lost)
    )
    for claims in (_parser_claims(document.headings), _outline_claims(document) if use_bookmarks else []):
        told, missing = place_told(claims, verifier, pages)
        gathered = with_told(gathered, trusted(told, missing), missing)
    return gathered


def with_told(gathered: Gathered, told: Sequence[Placed], missing: Sequence[Claim] = ()) -> Gathered:
    """Add the claims of a further source.

    Args:
        gathered: What was found so far.
        told: Its claims that stand somewhere.
        missing: Its claims that do not.

    Returns:
        Both, with one heading for two claims on the same rows.
    """
    placed = tuple(merge(gathered.placed, told))
    return replace(gathered, placed=placed, lost=(*gathered.lost, *missing))


def conclude(gathered: Gathered) -> FoundHeadings:
    """Read off printed numbers, assign levels, insert an abstract, compute the rates.

    Args:
        gathered: Claims with their places.

    Returns:
        The headings.
    """
    document, pages = gathered.document, gathered.rows
    placed = [with_printed_number(item, pages[item.site.page - 1]) for item in gathered.placed]
    headings = _headings(placed)
    dropped = tuple(_heading(claim, page=claim.page or 1, level=claim.level or 1) for claim in gathered.lost)
    claimed = [*headings, *dropped]
    claims = [*(item.claim for item in placed), *gathered.lost]
    returned = with_abstract(headings, placed[0].place if placed else None, gathered)
    return FoundHeadings(
        headings=returned,
        dropped=dropped,
        claimed=len(claimed),
        paper_rate=_rate([paper_rule(heading, document.pages) for heading in claimed]),
        verified_rate=_rate([heading.match is not Match.NONE for heading in claimed]),
        paper_rate_before=_rate([_stated_well(claim.before or claim, document) for claim in claims]),
        verified_rate_before=_rate(
            [
                heading.match is not Match.NONE and claim.before is None
                for heading, claim in zip(claimed, claims, strict=True)
            ]
        ),
        sources=dict(Counter(heading.source.value for heading in returned)),
    )


def _layout_claims(document: ParsedDocument, pages: Sequence[PageRows], body: BodyText) -> list[Claim]:
    """Layout needs fonts, so pages that came as markdown have none to offer."""
    if all(page.markdown is not None for page in document.pages):
        return []
    return [
        Claim(
            number=found.number,
            title=found.title,
            page=found.page,
            source=HeadingSource.LAYOUT,
            rows=(found.first, found.last),
            style=found.style,
        )
        for found in detect_headings(pages, body)
    ]


def _parser_claims(headings: Sequence[Heading]) -> list[Claim]:
    numbered = split_numbers([heading.printed for heading in headings])
    return [
        Claim(number=number, title=title, page=heading.page, source=heading.source, level=heading.level)
        for heading, (number, title) in zip(headings, numbered, strict=True)
    ]


def _outline_claims(document: ParsedDocument) -> list[Claim]:
    return [
        Claim(
            number=entry.number,
            title=entry.title,
            page=entry.page,
            source=HeadingSource.BOOKMARK,
            level=entry.level,
        )
        for entry in clean_bookmarks(document)
    ]


def trusted(told: Sequence[Placed], missing: Sequence[Claim]) -> list[Placed]:
    """What counts of a source that states titles and pages without having seen their rows.

    Args:
        told: Its claims that stand somewhere.
        missing: Its claims that do not.

    Returns:
        All of a source that is mostly right; of another only heading lines, without its levels.
    """
    # A parser read its headings off the pages themselves, so that a few are as good as many.
    enough = len(told) >= _TRUSTED_ENTRIES or all(item.claim.source is HeadingSource.PARSER for item in told)
    if enough and len(told) >= _TRUSTED_RATE * (len(told) + len(missing)):
        return list(told)
    return [
        replace(item, claim=replace(item.claim, level=None))
        for item in told
        if item.match is Match.HEADING_LINE
    ]


def _headings(placed: Sequence[Placed]) -> list[Heading]:
    levels = assign_levels(
        [
            Ranked(
                title=item.claim.title,
                number=item.claim.number,
                style=item.claim.style,
                run_in=item.site.run_in,
                given=item.claim.level,
                below=before is not None and (before.site.page, before.site.last + 1) == item.place,
            )
            for before, item in zip([None, *placed], placed, strict=False)
        ]
    )
    return [
        _heading(item.claim, page=item.site.page, level=level, match=item.match)
        for item, level in zip(placed, levels, strict=True)
    ]


def _heading(claim: Claim, *, page: int, level: int, match: Match = Match.NONE) -> Heading:
    number = claim.number
    named = number is None or (number.label and claim.title.casefold().startswith(number.label))
    return Heading(
        number="" if number is None or named else number.text,
        title=claim.title,
        page=page,
        level=level,
        source=claim.source,
        match=match,
    )


def with_abstract(
    headings: Sequence[Heading], first: tuple[int, int] | None, gathered: Gathered
) -> tuple[Heading, ...]:
    """Put a synthetic heading before an abstract that has none (§3.2).

    Args:
        headings: In document order.
        first: Page and row of the first one, if there is one.
        gathered: The pages.

    Returns:
        The headings, with the abstract's in front where it is needed.
    """
    if any(is_abstract_title(heading.title) for heading in headings):
        return tuple(headings)
    place = find_abstract(gathered.rows, gathered.body, first)
    if place is None:
        return tuple(headings)
    abstract = Heading(number="", title=TITLE, page=place[0], level=1, source=HeadingSource.SYNTHETIC)
    return (abstract, *headings)


def _stated_well(claim: Claim, document: ParsedDocument) -> bool:
    """Whether a claim passes the paper's rule on the page that its source states."""
    return claim.page is not None and paper_rule(_heading(claim, page=claim.page, level=1), document.pages)


def _rate(passed: Sequence[bool]) -> float | None:
    return sum(passed) / len(passed) if passed else None
