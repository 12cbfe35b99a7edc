"""Shares of facts and statements that a judge confirmed: coverage, faithfulness, citation support (§4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.evaluate.verdicts import Support


def coverage(covered: Sequence[bool], *, reference: str) -> float | None:
    """Share of the reference's facts that the response states.

    Args:
        covered: One for each fact of the reference.
        reference: The reference; an empty one is covered by anything.

    Returns:
        0 to 1; ``None`` if a reference that is not empty yielded no facts.
    """
    if not reference.strip():
        return 1.0
    return sum(covered) / len(covered) if covered else None


def faithfulness(supported: Sequence[bool], *, context: bool) -> float | None:
    """Share of the response's statements that can be inferred from what was read.

    Args:
        supported: One for each statement of the response.
        context: Whether anything was read.

    Returns:
        0 to 1; 0 if nothing was read; ``None`` if the response states nothing.
    """
    if not supported:
        return None
    return sum(supported) / len(supported) if context else 0.0


def citation_support(sentences: Sequence[Support | None]) -> tuple[float | None, float | None]:
    """How far citations carry the sentences they stand in.

    Args:
        sentences: One for each sentence of the response that states something; ``None`` where it carries no
            citation of a page that was read.

    Returns:
        Share of sentences that are cited, and share of the cited ones that their pages support in full;
        ``None`` where there is nothing to divide by.
    """
    cited = [support for support in sentences if support is not None]
    return (
        len(cited) / len(sentences) if sentences else None,
        sum(support is Support.FULL for support in cited) / len(cited) if cited else None,
    )
