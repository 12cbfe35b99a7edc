"""Each check on drafts that pass and drafts that do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from vectree.evaluate.mosaic.attempt import first_fault
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.checks.coverage import find_uncovered
from vectree.evaluate.mosaic.checks.duplication import find_duplicate
from vectree.evaluate.mosaic.checks.grounding import find_ungrounded
from vectree.evaluate.mosaic.checks.who_can_answer import (
    find_flat_retrieval,
    find_leak,
    find_sufficient_paper,
    find_unanswerable,
)
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.mosaic.settings import Kind


def with_evidence(draft: Draft, **changes: Any) -> Draft:
    return replace(draft, evidence=(replace(draft.evidence[0], **changes), *draft.evidence[1:]))


def test_a_good_draft_passes_every_check(draft: Draft, bench: Bench, script: Any) -> None:
    script.replies["same_answer"] = lambda text: {
        "verdict": "correct" if script.asked.count("same_answer") == 2 else "partial"
    }
    assert first_fault(replace(draft, kind=Kind.INFERENCE), bench) == (None, "")
    assert script.temperatures.keys() == {"grounding", "coverage", "closed_book", "answer", "same_answer"}
    assert all(found == {0.0} for found in script.temperatures.values())


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"quote": "shed their ice at 9 degrees"}, "does not stand on paper 1, page 2"),
        ({"quote": " "}, "does not stand"),
        ({"page": 3}, "page 3, which was not shown"),
        ({"doc_id": ""}, "names a paper that was not shown"),
    ],
)
def test_a_quote_that_is_not_there_fails_without_a_model(
    draft: Draft, bench: Bench, script: Any, changes: dict[str, Any], fault: str
) -> None:
    assert fault in find_ungrounded(with_evidence(draft, **changes), bench)
    assert script.asked == []


def test_quotes_are_compared_in_normal_form(draft: Draft, bench: Bench) -> None:
    assert find_ungrounded(with_evidence(draft, quote="Shed their\nice at 1 DEGREES"), bench) == ""


def test_statements_and_steps_must_be_borne_out(draft: Draft, bench: Bench, script: Any) -> None:
    script.replies["grounding"] = {"unsupported": [1, 3, 99]}
    fault = find_ungrounded(draft, bench)
    assert fault == (
        "The pages do not bear out: “They do so between one and five degrees below zero.” "
        "The pages do not bear out: “Tromso says 2.”"
    )
    assert find_ungrounded(replace(draft, evidence=()), bench) == "There is no evidence."


def test_evidence_from_too_few_papers_fails_without_a_model(draft: Draft, bench: Bench, script: Any) -> None:
    assert "comes from 4 papers" in find_uncovered(replace(draft, evidence=draft.evidence[1:]), bench)
    assert script.asked == []


def test_every_paper_counted_must_be_needed(draft: Draft, bench: Bench, script: Any) -> None:
    script.replies["coverage"] = {"needed": [1, 2, 3, 4, 4, 77]}
    assert "needs only 4 of its 5 papers" in find_uncovered(draft, bench)


def test_the_same_question_is_a_duplicate_without_a_model(
    draft: Draft, having: Callable[..., Bench], script: Any
) -> None:
    known = replace(draft, question=draft.question.upper())
    assert "has this question already" in find_duplicate(draft, having(accepted=[known]))
    assert script.asked == []


def test_a_question_in_other_words_is_a_duplicate_if_the_model_says_so(
    draft: Draft, having: Callable[..., Bench], script: Any
) -> None:
    known = replace(draft, question="When do lamps lose their ice?")
    far = replace(draft, question="Who danced?", evidence=())
    bench = having(accepted=[far, known])
    assert find_duplicate(draft, bench) == ""
    script.replies["duplicate"] = {"same": [1]}
    assert find_duplicate(draft, bench) == "It asks the same as “When do lamps lose their ice?”"
    assert find_duplicate(draft, having(accepted=[far])) == ""


@pytest.mark.parametrize(("verdict", "passes"), [("correct", True), ("partial", False), ("incorrect", False)])
def test_the_pages_of_the_evidence_must_be_enough(
    draft: Draft, bench: Bench, script: Any, verdict: str, passes: bool
) -> None:
    script.replies["same_answer"] = {"verdict": verdict}
    assert (find_unanswerable(draft, bench) == "") == passes


@pytest.mark.parametrize("check", [find_leak, find_flat_retrieval, find_sufficient_paper])
@pytest.mark.parametrize(("verdict", "passes"), [("correct", False), ("partial", True), ("incorrect", True)])
def test_memory_passages_and_single_papers_must_not_be_enough(
    draft: Draft,
    bench: Bench,
    script: Any,
    check: Callable[[Draft, Bench], str],
    verdict: str,
    passes: bool,
) -> None:
    script.replies["same_answer"] = {"verdict": verdict}
    assert (check(draft, bench) == "") == passes


def test_an_answer_that_is_not_given_needs_no_comparison(draft: Draft, bench: Bench, script: Any) -> None:
    script.replies["answer"] = script.replies["closed_book"] = {"answer": " "}
    assert find_leak(draft, bench) == ""
    assert find_sufficient_paper(draft, bench) == ""
    assert "incorrect" in find_unanswerable(draft, bench)
    assert "same_answer" not in script.asked


def test_each_paper_of_the_evidence_is_tried_alone(draft: Draft, bench: Bench, script: Any) -> None:
    script.replies["same_answer"] = {"verdict": "partial"}
    assert find_sufficient_paper(draft, bench) == ""
    assert script.asked.count("answer") == 5
    seen = [request.messages[1].text for request in script.model.requests[::2]]
    assert all(text.count("We study heated street lamps in") == 1 for text in seen)
