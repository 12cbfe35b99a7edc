"""Answerability, closed-book leakage, single papers, flat retrieval: who can answer, and who must not."""

from __future__ import annotations

from vectree.evaluate.mosaic.checks.answering import answerable_from
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.mosaic.sources import best_pages
from vectree.evaluate.verdicts import Correctness


def find_unanswerable(draft: Draft, bench: Bench) -> str:
    """See whether the pages of the evidence are enough to find the reference answer.

    Args:
        draft: The draft.
        bench: The pages and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    pages = [bench.library.pages(doc_id, [page])[0].text for doc_id, page in sorted(draft.units)]
    verdict = answerable_from(bench.desk, draft, pages)
    if verdict is Correctness.CORRECT:
        return ""
    return f"An answer from the pages of the evidence is {verdict.value} by the reference."


def find_leak(draft: Draft, bench: Bench) -> str:
    """See whether the question can be answered without any paper.

    Args:
        draft: The draft.
        bench: The model.

    Returns:
        What is wrong; empty if nothing is.
    """
    if answerable_from(bench.desk, draft, ()) is not Correctness.CORRECT:
        return ""
    return "It is answered correctly from memory, without any paper."


def find_sufficient_paper(draft: Draft, bench: Bench) -> str:
    """See whether one paper alone is enough; the pages nearest to the question, up to a bound.

    Args:
        draft: The draft.
        bench: The papers and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    for doc_id in draft.papers:
        pages = best_pages(bench.library, doc_id, draft.question, tokens=bench.settings.paper_tokens)
        if pages and answerable_from(bench.desk, draft, pages.values()) is Correctness.CORRECT:
            return f"{doc_id} alone is enough to answer it."
    return ""


def find_flat_retrieval(draft: Draft, bench: Bench) -> str:
    """See whether the passages nearest to the question are enough.

    Args:
        draft: The draft.
        bench: The passages and the model.

    Returns:
        What is wrong; empty if nothing is.
    """
    count = bench.settings.passages
    found = bench.passages().dense(draft.question, bench.doc_ids, count)
    if not found:
        return ""
    if answerable_from(bench.desk, draft, [chunk.text for chunk in found]) is not Correctness.CORRECT:
        return ""
    return f"The {len(found)} nearest passages are enough to answer it."
