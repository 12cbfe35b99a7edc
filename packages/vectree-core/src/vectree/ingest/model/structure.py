"""Structure extraction by model (§3.2): page groups in, headings as (number, title, page) out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vectree.document import HeadingSource, Match, Page
from vectree.ingest.claims import Claim, Placed
from vectree.ingest.headings import Gathered
from vectree.ingest.layout.reject import wording
from vectree.ingest.model.page_groups import GROUP_TOKENS, PageGroup, group_pages
from vectree.ingest.model.quoting import quote_pages
from vectree.ingest.model.replies import HeadingReply, HeadingsReply
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.numbering import Enumerator, readings, split_numbers
from vectree.ingest.rows import PageRows
from vectree.normal import match_key
from vectree.prompts import fill

REPLY_TOKENS = 8_000
MAX_LEVEL = 8
_NEVER_HEADINGS = frozenset(
    {"caption", "statement", "address", "prose", "reference", "equation", "formula", "code", "bullet"}
)
"""Kinds of `ingest.layout.reject.wording` that no model may call a heading; the others depend on looks."""

_NEVER_NUMBERED = frozenset({"caption", "reference", "address"})
"""The same for those with a section number, whose titles may hold a formula or an abbreviation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a model says about the headings of some pages.

    Attributes:
        claims: Its headings in reading order, each once; a page outside the document counts as not given.
        groups: Page groups it was shown.
        unread: Pages of groups to which no reply could be used.
        elsewhere: Headings it named on pages it was not shown; they are passed over.
    """

    claims: tuple[Claim, ...]
    groups: int
    unread: frozenset[int]
    elsewhere: int = 0


def extract_headings(
    stages: ModelStages, pages: Sequence[Page], *, total_pages: int, stage: str = "structure"
) -> Extraction:
    """Ask for the headings on some pages, group by group.

    Args:
        stages: The model.
        pages: Pages to read, in order.
        total_pages: Pages of the document.
        stage: Name under which the calls are counted.

    Returns:
        The claims, not yet verified.
    """
    budget = stages.budget
    groups = group_pages(
        pages,
        tokens=budget.quoted(GROUP_TOKENS, reply=REPLY_TOKENS),
        hard=budget.hard(reply=REPLY_TOKENS),
    )
    replies: list[HeadingReply] = []
    unread: set[int] = set()
    elsewhere = 0
    for group in groups:
        prompt = fill("ingest_structure", pages=quote_pages(group.pages))
        reply = stages.ask(stage, prompt, HeadingsReply, reply_tokens=REPLY_TOKENS)
        if reply is None:
            unread.update(group.numbers)
        else:
            here = _of_group(reply.headings, group, total_pages)
            elsewhere += len(reply.headings) - len(here)
            replies.extend(_unless_repeated(here, replies))
    return Extraction(
        claims=as_claims(replies, total_pages),
        groups=len(groups),
        unread=frozenset(unread),
        elsewhere=elsewhere,
    )


def as_claims(replies: Sequence[HeadingReply], total_pages: int) -> tuple[Claim, ...]:
    """Turn a model's headings into claims.

    Args:
        replies: As the model states them.
        total_pages: Pages of the document.

    Returns:
        Claims in the same order; a number that the model put into the title is taken out of it.
    """
    numbered = split_numbers([_printed(reply) for reply in replies])
    return tuple(
        Claim(
            number=number,
            title=title,
            page=reply.page if reply.page is not None and 1 <= reply.page <= total_pages else None,
            source=HeadingSource.MODEL,
            level=_level(reply.level, len(number.parts) if number is not None else None),
        )
        for reply, (number, title) in zip(replies, numbered, strict=True)
    )


def plausible(claims: Sequence[Claim]) -> tuple[list[Claim], list[Claim]]:
    """Part the claims that may be headings from those that by their wording are none.

    Args:
        claims: As the model states them.

    Returns:
        What may be a heading, and captions, addresses, sentences, references, formulas and the like.
    """
    may, never = list[Claim](), list[Claim]()
    for claim in claims:
        kinds = _NEVER_NUMBERED if claim.number is not None else _NEVER_HEADINGS
        (never if wording(claim.title) in kinds else may).append(claim)
    return may, never


def as_printed(item: Placed, gathered: Gathered) -> Placed:
    """Take from the page what a model only told: the look of the heading, and whether its number is printed.

    Args:
        item: A claim of a model at its place.
        gathered: The pages.

    Returns:
        The claim with its look where the page has fonts, and without a number that the model made up.
    """
    page = gathered.rows[item.site.page - 1]
    row = page.rows[item.site.first] if item.site.first < len(page.rows) else None
    claim = item.claim
    if row is not None and row.line.font and item.match is Match.HEADING_LINE:
        claim = replace(claim, style=gathered.body.style(row.line.run or row.line))
    if claim.number is not None and not _is_printed(claim.number, item, page):
        claim = replace(claim, number=None)
    return replace(item, claim=claim)


def _is_printed(number: Enumerator, item: Placed, page: PageRows) -> bool:
    text = " ".join(row.text for row in page.rows[item.site.first : item.site.last + 1])
    if match_key(text).startswith(match_key(number.text)):
        return True
    return any(found.parts == number.parts for found, _ in readings(text))


def _printed(reply: HeadingReply) -> str:
    number = reply.number.strip()
    if not number or reply.title.startswith(number):
        return reply.title
    return f"{number} {reply.title}"


def _level(stated: int | None, by_number: int | None) -> int | None:
    if by_number is not None:
        return min(by_number, MAX_LEVEL)
    return min(max(stated, 1), MAX_LEVEL) if stated is not None else None


def _of_group(headings: Sequence[HeadingReply], group: PageGroup, total_pages: int) -> list[HeadingReply]:
    """Without those on pages the model was not shown, which it can only have from a contents list."""
    hidden = frozenset(range(1, total_pages + 1)) - frozenset(group.numbers)
    return [reply for reply in headings if reply.page not in hidden]


def _unless_repeated(headings: Sequence[HeadingReply], before: Sequence[HeadingReply]) -> list[HeadingReply]:
    """Without those that an earlier group named too, on the page that both show."""
    known = {(reply.page, match_key(_printed(reply))) for reply in before}
    return [reply for reply in headings if (reply.page, match_key(_printed(reply))) not in known]
