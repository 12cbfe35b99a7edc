"""Source grounding: quotes stand on their pages, and the answer follows from those pages."""

from __future__ import annotations

from pydantic import BaseModel

from vectree.evaluate.judges.quoting import numbered, quoted
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.draft import Draft, Quoted
from vectree.evaluate.mosaic.sources import Source
from vectree.normal import match_key
from vectree.sentences import sentences

_SHOWN = 80


class _Reply(BaseModel):
    unsupported: list[int]


def find_ungrounded(draft: Draft, bench: Bench) -> str:
    """Look for evidence that is not there, and for statements that the evidence does not bear out.

    Quotes are looked up first, in the normal form of ``vectree.normal``; the model is asked only about
    quotes that stand where they should.

    Args:
        draft: The draft.
        bench: Its sources and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    sources = {source.doc_id: source for source in bench.sources}
    faults = [fault for item in draft.evidence if (fault := _misquoted(item, sources))]
    if not draft.evidence:
        faults = ["There is no evidence."]
    return " ".join(faults) or _unsupported(draft, bench, sources)


def _misquoted(item: Quoted, sources: dict[str, Source]) -> str:
    source = sources.get(item.doc_id)
    if source is None:
        return f"The evidence “{item.quote[:_SHOWN]}” names a paper that was not shown."
    place = f"paper {source.number}, page {item.page}"
    if item.page not in source.pages:
        return f"The evidence “{item.quote[:_SHOWN]}” is said to be on {place}, which was not shown."
    key = match_key(item.quote)
    if not key or key not in match_key(source.pages[item.page]):
        return f"“{item.quote[:_SHOWN]}” does not stand on {place}."
    return ""


def _unsupported(draft: Draft, bench: Bench, sources: dict[str, Source]) -> str:
    statements = [*sentences(draft.answer), *draft.chain]
    pages = [
        f"Paper {sources[doc_id].number}, page {page}:\n{quoted(sources[doc_id].pages[page])}"
        for doc_id, page in sorted(draft.units)
    ]
    reply = bench.desk.check(
        "mosaic_grounding",
        _Reply,
        question=quoted(draft.question),
        pages="\n\n".join(pages),
        statements=quoted(numbered(statements)),
    )
    named = [
        statements[number - 1] for number in sorted(set(reply.unsupported)) if 1 <= number <= len(statements)
    ]
    return "".join(f"The pages do not bear out: “{statement}” " for statement in named).strip()
