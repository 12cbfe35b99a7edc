"""Headings with the help of a model: the paper's way, where layout leaves doubt, or to the letter.

Whatever the way, a claim counts only once it was found on its page. A model that says nothing usable about
some pages leaves them to layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from vectree.document import Heading, HeadingSource, Match, Page
from vectree.ingest.claims import Claim, place_told
from vectree.ingest.doubts import Doubt, doubtful_pages, find_doubts
from vectree.ingest.headings import FoundHeadings, Gathered, conclude, trusted, with_told
from vectree.ingest.model.literal import literal_failing, literal_headings
from vectree.ingest.model.repair import Repaired, repair_claims
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.model.structure import Extraction, as_printed, extract_headings, plausible

_RELIABLE = 0.6
"""Share of heading lines among a model's claims from which on its other claims count too."""


class Structure(StrEnum):
    """Who finds the headings: layout with a model where it leaves doubt, a model, or layout alone."""

    AUTO = "auto"
    LLM = "llm"
    LAYOUT = "layout"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStructure:
    """The headings of a document, and how they came about.

    Attributes:
        found: Verified headings and what was dropped.
        report: Plain JSON for the document's report.
        asked: Pages that a model was asked about.
    """

    found: FoundHeadings
    report: dict[str, Any]
    asked: frozenset[int] = frozenset()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the document should know."""
        if "fallback" not in self.report:
            return ()
        return ("The model named no heading that could be verified; the headings are those of layout.",)


def read_structure(
    stages: ModelStages,
    gathered: Gathered,
    layout: FoundHeadings,
    pages: Sequence[Page],
    *,
    structure: Structure,
    exact: bool = False,
) -> ReadStructure:
    """Find the headings of a document.

    Args:
        stages: The model.
        gathered: What layout, parser and outline say.
        layout: The headings that follow from it.
        pages: Every page, as markdown.
        structure: Who finds the headings.
        exact: Follow the paper to the letter: the model's pages stand, checked by the literal rule only.

    Returns:
        Verified headings, with the paper's rate and ours before and after repair.
    """
    if structure is Structure.LAYOUT:
        return ReadStructure(found=layout, report={"mode": structure.value})
    doubts: tuple[Doubt, ...] = ()
    read = list(pages)
    if structure is Structure.AUTO and not exact:
        doubts = find_doubts(layout.headings, pages)
        numbers = set(doubtful_pages(doubts))
        read = [page for page in pages if page.number in numbers]
    if not any(page.text.strip() for page in read):
        return ReadStructure(found=layout, report=_report(structure, doubts=doubts))
    extraction = extract_headings(stages, read, total_pages=len(pages))
    claims, implausible = (extraction.claims, ()) if exact else plausible(extraction.claims)
    failing = _literal(gathered) if exact else _ours(gathered)
    repaired = repair_claims(stages, claims, pages, failing)
    asked = frozenset(page.number for page in read if page.text.strip())
    report = _report(structure, doubts=doubts, asked=len(asked), extraction=extraction)
    report |= {"implausible": len(implausible), **_rates(gathered, claims, repaired)}
    base = gathered if structure is Structure.AUTO and not exact else _only(gathered, extraction.unread)
    found = _exact(gathered, repaired) if exact else _merged(base, gathered, repaired, implausible)
    if not any(heading.source is not HeadingSource.SYNTHETIC for heading in found.headings):
        found = replace(layout, dropped=(*layout.dropped, *found.dropped))
        report["fallback"] = "layout"
    return ReadStructure(found=found, report=report, asked=asked)


def _ours(gathered: Gathered) -> Callable[[Sequence[Claim]], list[int]]:
    def failing(claims: Sequence[Claim]) -> list[int]:
        _, missing = place_told(claims, gathered.verifier, gathered.rows)
        lost = {id(claim) for claim in missing}
        return [place for place, claim in enumerate(claims) if id(claim) in lost]

    return failing


def _literal(gathered: Gathered) -> Callable[[Sequence[Claim]], list[int]]:
    return lambda claims: literal_failing(claims, gathered.document.pages)


def _only(gathered: Gathered, pages: frozenset[int]) -> Gathered:
    """What layout says about some pages, and nothing else of it."""
    kept = tuple(item for item in gathered.placed if item.site.page in pages)
    return replace(gathered, placed=kept, lost=())


def _merged(
    base: Gathered, gathered: Gathered, repaired: Repaired, implausible: Sequence[Claim]
) -> FoundHeadings:
    told, missing = place_told(repaired.claims, gathered.verifier, gathered.rows)
    lines = [item for item in told if item.match is Match.HEADING_LINE]
    # A model that copies phrases finds each of them on its page; only one that mostly names heading lines is
    # believed where the line itself cannot be recognised.
    kept = told if len(lines) >= _RELIABLE * len(repaired.claims) else lines
    doubtful = [item.claim for item in told if item not in kept]
    kept = [as_printed(item, gathered) for item in trusted(kept, [*missing, *doubtful])]
    if base.placed or not all(item.claim.level is not None for item in told):
        # Levels of a part of the headings tell nothing beside those that looks and numbers tell of all.
        kept = [replace(item, claim=replace(item.claim, level=None)) for item in kept]
    return conclude(with_told(base, kept, (*missing, *doubtful, *implausible)))


def _exact(gathered: Gathered, repaired: Repaired) -> FoundHeadings:
    lost = set(repaired.failing)
    kept = [claim for place, claim in enumerate(repaired.claims) if place not in lost]
    headings = literal_headings(kept, gathered)
    dropped = literal_headings([repaired.claims[place] for place in sorted(lost)], gathered, abstract=False)
    sources: dict[str, int] = {}
    for heading in headings:
        sources[heading.source.value] = sources.get(heading.source.value, 0) + 1
    passed = _share(len(kept), len(repaired.claims))
    before = [claim.before or claim for claim in repaired.claims]
    return FoundHeadings(
        headings=headings,
        dropped=tuple(_unverified(heading) for heading in dropped),
        claimed=len(repaired.claims),
        paper_rate=passed,
        verified_rate=_share(_pass_ours(gathered, repaired.claims), len(repaired.claims)),
        paper_rate_before=_share(len(before) - len(_literal(gathered)(before)), len(before)),
        verified_rate_before=_share(_pass_ours(gathered, before), len(before)),
        sources=sources,
    )


def _unverified(heading: Heading) -> Heading:
    return replace(heading, match=Match.NONE)


def _rates(gathered: Gathered, before: Sequence[Claim], repaired: Repaired) -> dict[str, Any]:
    after, total = repaired.claims, len(before)
    literal = _literal(gathered)
    return {
        "claimed": total,
        "failed": len(repaired.first_failing),
        "dropped": len(repaired.failing),
        "repair_rounds": repaired.rounds,
        "paper_rate_before": _share(total - len(literal(before)), total),
        "paper_rate_after": _share(total - len(literal(after)), total),
        "verified_rate_before": _share(_pass_ours(gathered, before), total),
        "verified_rate_after": _share(_pass_ours(gathered, after), total),
    }


def _pass_ours(gathered: Gathered, claims: Sequence[Claim]) -> int:
    return len(claims) - len(_ours(gathered)(claims))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _report(
    structure: Structure,
    *,
    doubts: Sequence[Doubt] = (),
    asked: int = 0,
    extraction: Extraction | None = None,
) -> dict[str, Any]:
    report: dict[str, Any] = {"mode": structure.value, "pages_asked": asked}
    if structure is Structure.AUTO:
        report["doubts"] = [
            {"pages": [doubt.pages.first, doubt.pages.last], "reason": doubt.reason} for doubt in doubts
        ]
    if extraction is not None:
        report |= {
            "groups": extraction.groups,
            "pages_unread": sorted(extraction.unread),
            "named_elsewhere": extraction.elsewhere,
        }
    return report
