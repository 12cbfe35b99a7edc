"""Multi-paper coverage: the answer needs as many papers as the set asks for."""

from __future__ import annotations

from pydantic import BaseModel

from vectree.evaluate.judges.quoting import quoted
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.draft import Draft


class _Reply(BaseModel):
    needed: list[int]


def find_uncovered(draft: Draft, bench: Bench) -> str:
    """Count the papers of the evidence, and those that the answer cannot do without.

    Args:
        draft: The draft.
        bench: The bounds and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    fewest = bench.settings.fewest
    if len(draft.papers) < fewest:
        return f"The evidence comes from {len(draft.papers)} papers; at least {fewest} are asked for."
    quotes = [
        f"Paper {number}:\n"
        + quoted("\n".join(item.quote for item in draft.evidence if item.doc_id == doc_id))
        for number, doc_id in enumerate(draft.papers, start=1)
    ]
    reply = bench.desk.check(
        "mosaic_coverage",
        _Reply,
        question=quoted(draft.question),
        answer=quoted(draft.answer),
        evidence="\n\n".join(quotes),
    )
    needed = {number for number in reply.needed if 1 <= number <= len(draft.papers)}
    if len(needed) >= fewest:
        return ""
    return f"The answer needs only {len(needed)} of its {len(draft.papers)} papers; {fewest} are asked for."
