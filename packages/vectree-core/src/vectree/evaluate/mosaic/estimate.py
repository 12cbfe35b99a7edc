"""What a build will take, before anything is paid."""

from __future__ import annotations

from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.records import Estimate, Papers
from vectree.evaluate.systems.chunks import CHUNK_TOKENS, page_texts
from vectree.tokens import count_tokens

ATTEMPTS = 2.5
"""Attempts for an accepted question; a guess, since the paper does not say how many were rejected."""

REPAIRS = 0.5
"""Repairs of an attempt; a guess."""

_INSTRUCTIONS = 350
_DRAFT = 900
_ANSWER = 300
_VERDICT = 60


def estimate_build(papers: Papers, settings: BuildSettings) -> tuple[Estimate, Estimate]:
    """Foresee a build. Nothing is asked of any model.

    Args:
        papers: The corpus.
        settings: What will be built.

    Returns:
        For drafts, and for checks: an order of magnitude.
    """
    page = _page_tokens(papers)
    size = (settings.fewest + settings.most) / 2
    sources = _INSTRUCTIONS + size * settings.pages_each * page
    evidence = _INSTRUCTIONS + size * page
    drafts = checks = Estimate()
    for kind, count in settings.counts.items():
        attempts = ATTEMPTS * count
        drafts = _plus(drafts, attempts * (1 + REPAIRS), sources + REPAIRS * _DRAFT, _DRAFT)
        checks = _plus(checks, attempts * (1 + REPAIRS), evidence + _DRAFT, _VERDICT)  # grounding
        checks = _plus(checks, attempts, 2 * _DRAFT, _VERDICT)  # coverage
        checks = _plus(checks, attempts, _DRAFT, _VERDICT)  # duplication
        checks = _answered(checks, attempts, 0.0)  # closed-book leakage
        checks = _answered(checks, attempts, evidence)  # answerability
        if kind is Kind.INFERENCE:
            checks = _answered(checks, attempts, settings.passages * CHUNK_TOKENS)
            checks = _answered(checks, attempts * size, min(settings.paper_tokens, 12 * page))
    return drafts, checks


def _answered(total: Estimate, times: float, material: float) -> Estimate:
    """Add an answer and its comparison with the reference."""
    total = _plus(total, times, _INSTRUCTIONS + material, _ANSWER)
    return _plus(total, times, _INSTRUCTIONS + 2 * _ANSWER, _VERDICT)


def _plus(total: Estimate, calls: float, sent: float, generated: float) -> Estimate:
    return Estimate(
        calls=total.calls + calls,
        prompt_tokens=total.prompt_tokens + calls * sent,
        completion_tokens=total.completion_tokens + calls * generated,
    )


def _page_tokens(papers: Papers) -> float:
    """Mean tokens of a page."""
    pages = [text for doc_id in papers.doc_ids for text in page_texts(papers, doc_id) if text]
    return sum(map(count_tokens, pages)) / len(pages) if pages else 0.0
