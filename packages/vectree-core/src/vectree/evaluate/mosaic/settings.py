"""Settings of the builder; the paper's where it gives them (§4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a question asks for."""

    INFERENCE = "inference"
    """A conclusion that no single paper states."""
    AGGREGATION = "aggregation"
    """Facts that are each stated directly, collected across papers."""
    COMPARISON = "comparison"
    """Papers contrasted along an axis that they share."""


MOSAIC_COUNTS = {Kind.INFERENCE: 24, Kind.AGGREGATION: 13, Kind.COMPARISON: 12}
"""Questions of MOSAIC (§4.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSettings:
    """How a set is built.

    Attributes:
        counts: Questions wanted of each kind.
        fewest: Fewest papers a question needs.
        most: Most papers of a neighbourhood.
        draft_temperature: Of drafts and repairs (§4.1).
        check_temperature: Of checks (§4.1).
        repairs: Drafts that may be repaired after a failed grounding or coverage check. The paper's bound is
            not given.
        attempts_each: Attempts for each question wanted, all kinds together, before the builder ends.
        keyword_weight: Share of keyword overlap in the affinity of two papers; the rest is similarity.
        pages_each: Source pages of a paper that are shown for drafting.
        paper_tokens: Most tokens of one paper shown when it is asked to answer alone.
        passages: Passages retrieved by the check of flat retrieval.
        concurrency: Attempts under way at once.
        seed: Of sizes and of the order of papers.
    """

    counts: dict[Kind, int] = field(default_factory=lambda: dict(MOSAIC_COUNTS))
    fewest: int = 5
    most: int = 7
    draft_temperature: float = 0.35
    check_temperature: float = 0.0
    repairs: int = 2
    attempts_each: int = 6
    keyword_weight: float = 0.3
    pages_each: int = 3
    paper_tokens: int = 12_000
    passages: int = 10
    concurrency: int = 4
    seed: int = 13

    @property
    def wanted(self) -> int:
        """Questions of all kinds."""
        return sum(self.counts.values())

    @property
    def attempts(self) -> int:
        """Most attempts."""
        return self.wanted * self.attempts_each
