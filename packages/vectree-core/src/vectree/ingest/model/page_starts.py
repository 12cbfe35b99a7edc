"""Whether a section begins its page (§3.2): by layout where that is known, by a model where it is not.

It decides whether the section before ends on the same page. Only the first lines of a page matter, so many
pages go into one request. Deviation: the paper asks a model about every heading; ``exact`` does so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from vectree.document import Heading, HeadingSource, Match, Page
from vectree.ingest.model.quoting import quote_pages
from vectree.ingest.model.replies import StartsReply
from vectree.ingest.model.stages import ModelStages
from vectree.prompts import fill
from vectree.tokens import count_tokens
from vectree.tree.outline import clip

_OPENING = 1_600
"""Characters of a page that are shown."""

_TOKENS = 8_000
_REPLY_TOKENS = 4_000
_ENTRIES = 80


def decide_page_starts(
    stages: ModelStages, headings: Sequence[Heading], pages: Sequence[Page], *, exact: bool = False
) -> tuple[Heading, ...]:
    """Ask about the headings whose place on the page layout does not tell.

    Args:
        stages: The model.
        headings: Headings with ``begins_page`` as layout has it.
        pages: Every page.
        exact: Ask about every heading.

    Returns:
        The headings, ``begins_page`` corrected where the model answered.
    """
    open_places = [
        place
        for place, heading in enumerate(headings)
        if heading.source is not HeadingSource.SYNTHETIC and (exact or not _known(heading))
    ]
    decided = list(headings)
    bound = stages.budget.quoted(_TOKENS, reply=_REPLY_TOKENS)
    for batch in _batches(open_places, headings, pages, bound):
        lines = [
            f"{entry}. page {headings[place].page}: {clip(headings[place].printed, 160)}"
            for entry, place in enumerate(batch, start=1)
        ]
        numbers = sorted({headings[place].page for place in batch})
        shown = [(number, pages[number - 1].text[:_OPENING]) for number in numbers]
        prompt = fill("ingest_starts", entries="\n".join(lines), pages=quote_pages(shown))
        reply = stages.ask("page starts", prompt, StartsReply, reply_tokens=_REPLY_TOKENS)
        for start in reply.starts if reply is not None else ():
            if 1 <= start.entry <= len(batch):
                place = batch[start.entry - 1]
                decided[place] = replace(headings[place], begins_page=start.begins_page)
    return tuple(_one_a_page(decided))


def _known(heading: Heading) -> bool:
    return heading.offset is not None and heading.match is Match.HEADING_LINE


def _batches(
    places: Sequence[int], headings: Sequence[Heading], pages: Sequence[Page], tokens: int
) -> Iterator[list[int]]:
    by_page: dict[int, list[int]] = defaultdict(list)
    for place in places:
        if pages[headings[place].page - 1].text.strip():
            by_page[headings[place].page].append(place)
    batch: list[int] = []
    size = 0
    for number, here in sorted(by_page.items()):
        cost = count_tokens(pages[number - 1].text[:_OPENING])
        if batch and (size + cost > tokens or len(batch) + len(here) > _ENTRIES):
            yield batch
            batch, size = [], 0
        batch.extend(here)
        size += cost
    if batch:
        yield batch


def _one_a_page(headings: Sequence[Heading]) -> Iterator[Heading]:
    """Only the first heading of a page can begin it."""
    begun: set[int] = set()
    for heading in headings:
        if heading.begins_page and heading.page in begun:
            yield replace(heading, begins_page=False)
        else:
            yield heading
        if heading.source is not HeadingSource.SYNTHETIC:
            begun.add(heading.page)
