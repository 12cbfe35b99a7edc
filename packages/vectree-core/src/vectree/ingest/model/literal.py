"""The paper's verification to the letter (§3.2): a title that occurs on its page ± 1 keeps that page.

For reproducing the paper's rates; `ingest.verify` says what this rule lets pass and what it rejects.
"""

from __future__ import annotations

from collections.abc import Sequence

from vectree.document import Heading, Match
from vectree.ingest.claims import Claim, row_of
from vectree.ingest.headings import Gathered, with_abstract
from vectree.ingest.parse import ParsedPage
from vectree.ingest.verify import paper_rule


def literal_failing(claims: Sequence[Claim], pages: Sequence[ParsedPage]) -> list[int]:
    """Apply the rule.

    Args:
        claims: Claims in order.
        pages: Every page.

    Returns:
        Places of those that fail; one without a page fails.
    """
    return [
        place
        for place, claim in enumerate(claims)
        if claim.page is None or not paper_rule(_heading(claim), pages)
    ]


def literal_headings(
    claims: Sequence[Claim], gathered: Gathered, *, abstract: bool = True
) -> tuple[Heading, ...]:
    """Turn claims into headings on the pages they name.

    Args:
        claims: Claims that passed.
        gathered: The pages.
        abstract: Whether to insert an abstract where one is needed.

    Returns:
        By page, otherwise in the order of the claims.
    """
    headings = sorted((_heading(claim) for claim in claims), key=lambda heading: heading.page)
    if not abstract:
        return tuple(headings)
    first: tuple[int, int] | None = None
    if headings:
        first = headings[0].page, row_of(headings[0].title, gathered.rows[headings[0].page - 1])
    return with_abstract(headings, first, gathered)


def _heading(claim: Claim) -> Heading:
    return Heading(
        number=claim.number.text if claim.number is not None else "",
        title=claim.title,
        page=claim.page or 1,
        level=claim.level or 1,
        source=claim.source,
        match=Match.SUBSTRING,
    )
