"""Repair (§3.2): headings that failed, looked for again on a few pages, in at most three rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vectree.document import Page
from vectree.ingest.claims import Claim
from vectree.ingest.model.page_groups import GROUP_TOKENS, PageGroup, group_pages
from vectree.ingest.model.quoting import quote_pages
from vectree.ingest.model.replies import RepairReply
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.model.structure import as_claims
from vectree.prompts import fill
from vectree.tree.outline import clip
from vectree.words import content_words

REPAIR_ROUNDS = 3
"""Rounds of repair at most (§3.2)."""

_CANDIDATES = 3
"""Pages that are looked at for one heading in one round; each round takes the next ones."""

_ENTRIES = 60
"""Headings that one request asks about."""

_REPLY_TOKENS = 4_000

FindFailing = Callable[[Sequence[Claim]], Sequence[int]]
"""Places of the claims that do not pass the rule in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """Claims after repair.

    Attributes:
        claims: In the order given; some have new titles and pages.
        failing: Places of those that still fail.
        first_failing: Places of those that failed before.
        rounds: Rounds that were needed.
    """

    claims: tuple[Claim, ...]
    failing: tuple[int, ...]
    first_failing: tuple[int, ...]
    rounds: int


def repair_claims(
    stages: ModelStages, claims: Sequence[Claim], pages: Sequence[Page], failing: FindFailing
) -> Repaired:
    """Look for failed headings again.

    Args:
        stages: The model.
        claims: In reading order.
        pages: Every page of the document.
        failing: The rule.

    Returns:
        The claims, and what it took.
    """
    current = list(claims)
    first = failed = tuple(failing(current))
    rounds = 0
    vocabulary = [frozenset(content_words(page.text)) for page in pages] if failed else []
    for turn in range(REPAIR_ROUNDS):
        wanted = {
            place: found for place in failed if (found := candidate_pages(current[place], vocabulary, turn))
        }
        if not wanted:
            break
        rounds += 1
        for place, claim in _ask(stages, current, wanted, pages).items():
            current[place] = claim
        failed = tuple(failing(current))
    return Repaired(claims=tuple(current), failing=failed, first_failing=first, rounds=rounds)


def candidate_pages(claim: Claim, vocabulary: Sequence[frozenset[str]], turn: int) -> tuple[int, ...]:
    """The pages worth looking at for a heading.

    Args:
        claim: The heading.
        vocabulary: Content words of every page.
        turn: Which round, from 0.

    Returns:
        Physical pages in order: those with most of its words, the nearest to the claimed page first; the
        claimed page and its neighbours in the first round in any case.
    """
    wanted = frozenset(content_words(claim.title))
    middle = claim.page or (len(vocabulary) + 1) // 2

    def rank(page: int) -> tuple[int, int]:
        return -len(wanted & vocabulary[page - 1]), abs(page - middle)

    near = [page for page in range(1, len(vocabulary) + 1) if claim.page and abs(page - claim.page) <= 1]
    ranked = sorted(
        (page for page in range(1, len(vocabulary) + 1) if wanted & vocabulary[page - 1]), key=rank
    )
    chosen = ranked[turn * _CANDIDATES : (turn + 1) * _CANDIDATES]
    return tuple(sorted({*chosen, *(near if turn == 0 else ())}))


def _ask(
    stages: ModelStages, claims: Sequence[Claim], wanted: dict[int, tuple[int, ...]], pages: Sequence[Page]
) -> dict[int, Claim]:
    numbers = sorted({page for found in wanted.values() for page in found})
    budget = stages.budget
    groups = group_pages(
        [pages[number - 1] for number in numbers],
        tokens=budget.quoted(GROUP_TOKENS, reply=_REPLY_TOKENS),
        hard=budget.hard(reply=_REPLY_TOKENS),
        running=False,
    )
    answers: dict[int, Claim] = {}
    for group in groups:
        asked = [
            place
            for place, found in wanted.items()
            if place not in answers and set(found) & set(group.numbers)
        ]
        for start in range(0, len(asked), _ENTRIES):
            answers |= _ask_group(stages, claims, asked[start : start + _ENTRIES], group, len(pages))
    return answers


def _ask_group(
    stages: ModelStages, claims: Sequence[Claim], asked: Sequence[int], group: PageGroup, total_pages: int
) -> dict[int, Claim]:
    lines = [
        f"{entry}. {clip(_printed(claims[place]), 160)} (given for {_page(claims[place])})"
        for entry, place in enumerate(asked, start=1)
    ]
    prompt = fill("ingest_repair", entries="\n".join(lines), pages=quote_pages(group.pages))
    reply = stages.ask("repair", prompt, RepairReply, reply_tokens=_REPLY_TOKENS)
    if reply is None:
        return {}
    answered = [found for found in reply.found if 1 <= found.entry <= len(asked)]
    answers: dict[int, Claim] = {}
    for found, claim in zip(answered, as_claims(answered, total_pages), strict=True):
        place = asked[found.entry - 1]
        level = claim.level if claim.number is not None else claims[place].level
        stated = claims[place].before or claims[place]
        answers.setdefault(place, replace(claim, level=level, before=stated))
    return answers


def _printed(claim: Claim) -> str:
    return f"{claim.number.text} {claim.title}" if claim.number is not None else claim.title


def _page(claim: Claim) -> str:
    return f"page {claim.page}" if claim.page is not None else "no page"
