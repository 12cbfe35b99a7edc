"""The builder from end to end on a scripted model: waves, repairs, reasons, taking up again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vectree.errors import ModelRequestError, StoreError, UsageError
from vectree.evaluate.datasets.questions_file import read_questions
from vectree.evaluate.mosaic.build import JOURNAL, QUESTIONS, build_set
from vectree.evaluate.mosaic.estimate import estimate_build
from vectree.evaluate.mosaic.journal import Journal
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.records import Benchmark, Papers
from vectree.llm.chat import Reply, Usage

LAMPS = [f"lamp{number}" for number in range(1, 8)]


@pytest.fixture(scope="module")
def lamps(lamps: Papers) -> Papers:
    """The seven papers on one topic."""
    return replace(lamps, doc_ids=tuple(LAMPS))


def small(**counts: int) -> BuildSettings:
    return BuildSettings(
        counts={Kind(kind): count for kind, count in counts.items()},
        fewest=3,
        most=5,
        attempts_each=3,
        concurrency=2,
    )


def distinct(script: Any) -> None:
    """Let every draft ask for something else."""
    first = script.replies["draft"]
    script.replies["draft"] = lambda text: {**first(text), "question": f"Which ice? {len(script.asked)}"}


def test_a_set_is_built_in_the_mosaic_format(lamps: Papers, script: Any, tmp_path: Path) -> None:
    distinct(script)
    seen: list[tuple[int, int]] = []
    done = build_set(
        lamps,
        tmp_path,
        small(aggregation=2, comparison=1),
        drafter=script.model,
        on_progress=lambda count, wanted, _: seen.append((count, wanted)),
    )
    assert done.accepted == {"aggregation": 2, "comparison": 1}
    assert seen[-1] == (3, 3)
    assert script.temperatures["draft"] == {0.35}
    read = read_questions(tmp_path / QUESTIONS, benchmark=Benchmark.MOSAIC).questions
    assert sorted(question.kind for question in read) == ["aggregation", "aggregation", "comparison"]
    for question in read:
        assert len({doc_id for doc_id, _ in question.references[0].evidence or ()}) >= 3
        assert question.documents <= set(LAMPS)
        assert question.references[0].chain


def test_every_rejection_is_written_down_with_its_reason(lamps: Papers, script: Any, tmp_path: Path) -> None:
    script.replies["closed_book"] = {"answer": "From one to five."}
    done = build_set(lamps, tmp_path, small(aggregation=1), drafter=script.model)
    assert (done.accepted, done.attempts, done.rejected) == ({}, 3, {"closed-book leakage": 3})
    _, attempts = Journal(tmp_path / JOURNAL).read()
    assert [attempt.number for attempt in attempts] == [0, 1, 2]
    assert {attempt.faults[-1].reason for attempt in attempts} == {
        "It is answered correctly from memory, without any paper."
    }
    assert (tmp_path / QUESTIONS).read_text() == ""


def test_grounding_and_coverage_are_repaired_within_bounds(
    lamps: Papers, script: Any, tmp_path: Path
) -> None:
    verdicts = [{"unsupported": [1]}, {"unsupported": [1]}, {"unsupported": []}]
    script.replies["grounding"] = lambda _: verdicts.pop(0)
    plain = script.replies["repair"]
    script.replies["repair"] = lambda text: {**plain(text), "answer": f"Attempt {len(script.asked)}."}
    settings = replace(small(aggregation=1), concurrency=1)
    done = build_set(lamps, tmp_path / "two", settings, drafter=script.model)
    assert (done.accepted, done.attempts, done.repaired) == ({"aggregation": 1}, 1, 1)
    assert script.asked.count("repair") == 2
    assert script.temperatures["repair"] == {0.35}
    script.replies["grounding"] = {"unsupported": [1]}
    done = build_set(lamps, tmp_path / "three", settings, drafter=script.model)
    assert done.rejected == {"grounding": 3}
    _, attempts = Journal(tmp_path / "three" / JOURNAL).read()
    assert [fault.check for fault in attempts[0].faults] == ["grounding"] * 3


def test_a_repair_is_told_what_was_found(lamps: Papers, script: Any, tmp_path: Path) -> None:
    verdicts = [{"needed": [1]}, {"needed": [1, 2, 3, 4, 5]}]
    script.replies["coverage"] = lambda _: verdicts.pop(0)
    build_set(lamps, tmp_path, replace(small(comparison=1), concurrency=1), drafter=script.model)
    (asked,) = [text for request in script.model.requests if "Mend it" in (text := request.messages[1].text)]
    assert "The answer needs only 1 of its" in asked
    assert "share an axis" in asked


def test_drafts_of_one_wave_are_compared_when_it_ends(lamps: Papers, script: Any, tmp_path: Path) -> None:
    done = build_set(lamps, tmp_path, small(aggregation=2), drafter=script.model)
    assert done.accepted == {"aggregation": 1}
    assert done.rejected == {"duplication": 5}
    _, attempts = Journal(tmp_path / JOURNAL).read()
    assert [attempt.accepted for attempt in attempts[:2]] == [True, False]
    assert attempts[1].question is not None
    assert "has this question already" in attempts[1].faults[-1].reason


def test_a_model_without_a_usable_reply_costs_one_attempt(lamps: Papers, script: Any, tmp_path: Path) -> None:
    script.replies["draft"] = {"nothing": "of use"}
    done = build_set(lamps, tmp_path, small(inference=1), drafter=script.model)
    assert done.rejected == {"model reply": 3}


def test_a_service_that_fails_ends_the_build_and_nothing_is_asked_twice(
    lamps: Papers, script: Any, tmp_path: Path
) -> None:
    answer = script.replies["answer"]

    def down(_: str) -> Any:
        raise ModelRequestError("The service is down.")

    script.replies["answer"] = down
    settings = replace(small(aggregation=1), concurrency=1)
    with pytest.raises(ModelRequestError):
        build_set(lamps, tmp_path, settings, drafter=script.model)
    before = list(script.asked)
    script.replies["answer"] = answer
    done = build_set(lamps, tmp_path, settings, drafter=script.model)
    assert done.accepted == {"aggregation": 1}
    assert script.asked[len(before) :] == ["answer", "same_answer"]


def test_a_finished_build_is_not_begun_again_and_can_grow(lamps: Papers, script: Any, tmp_path: Path) -> None:
    distinct(script)
    build_set(lamps, tmp_path, small(aggregation=1), drafter=script.model)
    asked = len(script.asked)
    build_set(lamps, tmp_path, small(aggregation=1), drafter=script.model)
    assert len(script.asked) == asked
    done = build_set(lamps, tmp_path, small(aggregation=2), drafter=script.model)
    assert done.accepted == {"aggregation": 2}


def test_other_settings_are_refused(lamps: Papers, script: Any, tmp_path: Path) -> None:
    build_set(lamps, tmp_path, small(aggregation=1), drafter=script.model)
    with pytest.raises(UsageError, match="seed was 13 and is 14"):
        build_set(lamps, tmp_path, replace(small(aggregation=1), seed=14), drafter=script.model)


def test_a_journal_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text('{"row": "other"}\n')
    with pytest.raises(StoreError, match="line 1"):
        Journal(tmp_path / JOURNAL).read()


def test_usage_is_counted_over_all_attempts(lamps: Papers, script: Any, tmp_path: Path) -> None:
    plain = script.model.complete

    class Paid:
        name, context_window = "paid", None

        def complete(self, request: Any) -> Reply:
            used = Usage(prompt_tokens=100, completion_tokens=10, cost=0.001)
            return replace(plain(request), usage=used)

    done = build_set(lamps, tmp_path, small(aggregation=1), drafter=Paid(), checker=script.model)
    paid = script.asked.count("draft") + script.asked.count("repair")
    assert done.usage.prompt_tokens == 100 * paid
    assert done.usage.model_calls == len(script.asked)
    assert done.usage.cost is None  # the checker's price is not known
    rows = [json.loads(line) for line in (tmp_path / JOURNAL).read_text().splitlines()]
    assert (rows[0]["drafter"], rows[0]["checker"]) == ("paid", "scripted")


def test_questions_asked_before_are_named_to_the_next_draft(
    lamps: Papers, script: Any, tmp_path: Path
) -> None:
    distinct(script)
    settings = replace(small(aggregation=2), fewest=2, most=7, concurrency=1, attempts_each=8)
    build_set(lamps, tmp_path, settings, drafter=script.model)
    drafts = [
        text
        for request in script.model.requests
        if "Write one question" in (text := request.messages[1].text)
    ]
    assert "ask something else:\n(none)" in drafts[0]
    assert "1. Which ice?" in drafts[-1]


def test_the_estimate_grows_with_what_is_wanted_and_inference_costs_most(lamps: Papers) -> None:
    small_drafts, small_checks = estimate_build(lamps, small(aggregation=1))
    drafts, checks = estimate_build(lamps, small(aggregation=2))
    assert drafts.calls == pytest.approx(2 * small_drafts.calls)
    assert checks.prompt_tokens > small_checks.prompt_tokens
    assert estimate_build(lamps, small(inference=2))[1].calls > checks.calls
