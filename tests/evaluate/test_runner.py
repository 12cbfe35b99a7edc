"""Runs: resumable, bounded, honest about what failed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from vectree.errors import ModelRequestError, NoAnswer, UsageError
from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.models import LiveModels, Models, ReplayedModels
from vectree.evaluate.records import (
    RETRIEVAL_ONLY,
    Benchmark,
    Estimate,
    Footprint,
    Papers,
    Question,
    SystemAnswer,
)
from vectree.evaluate.results.file import ResultsFile
from vectree.evaluate.results.rows import RunRow
from vectree.evaluate.running.estimate import estimate_run
from vectree.evaluate.running.plan import Plan, RunSettings, RunSummary
from vectree.evaluate.running.regrade import regrade
from vectree.evaluate.running.runner import run
from vectree.evidence import RunUsage
from vectree.llm.chat import ChatRequest, Message, Role
from vectree.llm.scripted import FunctionModel
from vectree.llm.usage import Price

Respond = Callable[[Question, Any, int], SystemAnswer]


@dataclass
class PlainSystem:
    """A system made of a function."""

    respond: Respond
    name: str = "plain"
    title: str = "Plain"
    needs_model: bool = False
    parameters: dict[str, Any] = field(default_factory=dict)
    prepared: int = 0
    asked: list[tuple[str, int]] = field(default_factory=list)

    def prepare(self, papers: Papers, *, model: Any, on_progress: Any = None) -> Footprint:
        self.prepared += 1
        return Footprint(vectors=len(papers.doc_ids), index_bytes=128)

    def answer(self, question: Question, *, model: Any, seed: int) -> SystemAnswer:
        self.asked.append((question.id, seed))
        return self.respond(question, model, seed)

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        if question is None:
            return Estimate(calls=10, prompt_tokens=5_000, completion_tokens=1_000)
        return Estimate(calls=1, prompt_tokens=1_000, completion_tokens=100, context_tokens=900)


@dataclass
class SelectiveSystem(PlainSystem):
    """A system whose index can leave papers out."""

    heard: list[tuple[int, frozenset[str] | None]] = field(default_factory=list)

    def expect(self, documents: frozenset[str] | None) -> None:
        self.heard.append((self.prepared, documents))


@dataclass
class MatchedSystem(PlainSystem):
    """A system matched to another one."""

    name: str = "matched"
    follows: str = "plain"
    learned: dict[tuple[str, int], int] = field(default_factory=dict)

    def follow(self, tokens: dict[tuple[str, int], int]) -> None:
        self.learned = dict(tokens)


def gold(question: Question, model: Any, seed: int) -> SystemAnswer:
    """The reference, with its pages and one more."""
    evidence = question.references[0].evidence or frozenset()
    return SystemAnswer(
        text=question.references[0].text,
        evidence=evidence | {("oduya2021-e09b", 1)},
        context=("whatever stood there",),
        usage=RunUsage(prompt_tokens=100 * seed, completion_tokens=10, model_calls=1),
    )


def ask_model(question: Question, model: Any, seed: int) -> SystemAnswer:
    """What the model says."""
    reply = model.complete(ChatRequest(messages=(Message(role=Role.USER, text=question.asked),)))
    return SystemAnswer(text=reply.text, evidence=frozenset(), usage=RunUsage(prompt_tokens=9, model_calls=1))


def judge_model(name: str = "judge") -> FunctionModel:
    """A judge with an answer to everything."""
    everything = {
        "statements": ["s"],
        "facts": ["f"],
        "true_positives": [1],
        "covered": [1],
        "supported": [1],
        "verdict": "correct",
    }
    return FunctionModel(lambda _: json.dumps(everything), name=name)


def plan(
    papers: Papers,
    questions: tuple[Question, ...],
    *systems: Any,
    models: Models | None = None,
    grader: Grader | None = None,
    seeds: tuple[int, ...] = (1,),
    **settings: Any,
) -> Plan:
    return Plan(
        header=RunRow(benchmark=Benchmark.MOSAIC, questions=[question.id for question in questions]),
        questions=questions,
        systems=systems,
        papers=papers,
        models=models or LiveModels(None),
        grader=grader,
        settings=RunSettings(seeds=seeds, concurrency=3, **settings),
    )


def grader(papers: Papers, model: FunctionModel) -> Grader:
    return Grader(Judge(model), lambda _: "", embedder=papers.embedder)


@pytest.fixture
def file(tmp_path: Path) -> ResultsFile:
    return ResultsFile(tmp_path / "results.jsonl")


def test_every_question_is_asked_with_every_seed_and_graded(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    system, seen = PlainSystem(gold), list[tuple[int, int, str]]()
    judge = judge_model()
    done = run(
        plan(
            papers,
            questions,
            system,
            grader=grader(papers, judge),
            models=LiveModels(None, judge),
            seeds=(1, 2),
        ),
        file,
        on_progress=lambda *progress: seen.append(progress),
    )
    assert done == RunSummary(answered=20, graded=20)
    assert (system.prepared, len(set(system.asked)), seen[-1][:2]) == (1, 20, (20, 20))
    results = file.read()
    assert {row.metrics["evidence_recall"] for row in results.answers.values()} == {1.0}
    assert all(row.context for row in results.answers.values()), "faithfulness may be judged again"
    assert all(grade.metrics["composite"] for grade in results.grades.values())
    assert results.systems["mosaic", "plain"].footprint.vectors == 3


def test_a_system_that_can_leave_papers_out_hears_of_the_scopes_before_it_prepares(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    scoped = tuple(replace(question, scope=question.documents) for question in questions[:2])
    system = SelectiveSystem(gold)
    run(plan(papers, scoped, system), file)
    estimate_run(questions=questions, systems=[system], papers=papers, seeds=1)
    assert system.heard == [(0, scoped[0].documents | scoped[1].documents), (1, None)]


def test_a_second_run_does_nothing_and_a_third_with_more_seeds_does_only_those(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    run(plan(papers, questions, PlainSystem(gold)), file)
    again = PlainSystem(gold)
    assert run(plan(papers, questions, again), file) == RunSummary(kept=10)
    assert (again.prepared, again.asked) == (0, [])
    more = PlainSystem(gold)
    assert run(plan(papers, questions, more, seeds=(1, 2)), file) == RunSummary(answered=10, kept=10)
    assert {seed for _, seed in more.asked} == {2}


def test_errors_of_one_question_are_recorded_counted_as_nothing_read_and_tried_again(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    def flaky(question: Question, model: Any, seed: int) -> SystemAnswer:
        if question.id == "m03":
            raise NoAnswer("The loop ended without text.")
        if question.id == "m04":
            raise ZeroDivisionError("a fault of ours")
        return gold(question, model, seed)

    assert run(plan(papers, questions, PlainSystem(flaky)), file) == RunSummary(answered=8, failed=2)
    rows = file.read().answers
    failed = {key[1]: row for key, row in rows.items() if row.error}
    assert failed["m03"].error.startswith("NoAnswer: The loop")
    assert (failed["m03"].fault, failed["m04"].fault) == (False, True)
    assert failed["m03"].metrics["evidence_recall"] == 0.0
    assert run(plan(papers, questions, PlainSystem(gold)), file) == RunSummary(answered=2, kept=8)
    assert not any(row.error for row in file.read().answers.values())


def test_answers_without_a_grade_are_graded_later_without_being_asked_again(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    run(plan(papers, questions, PlainSystem(gold)), file)
    judge, system = judge_model(), PlainSystem(gold)
    done = run(
        plan(papers, questions, system, grader=grader(papers, judge), models=LiveModels(None, judge)), file
    )
    assert (done.graded, done.kept, system.asked) == (10, 10, [])


def test_a_grade_that_failed_is_recorded_and_tried_again(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    mute = FunctionModel(lambda _: "no verdict", name="judge")
    first = plan(
        papers, questions[:2], PlainSystem(gold), grader=grader(papers, mute), models=LiveModels(None, mute)
    )
    assert run(first, file) == RunSummary(answered=2, ungraded=2)
    assert all("usable reply" in grade.error for grade in file.read().grades.values())
    judge = judge_model()
    second = plan(
        papers, questions[:2], PlainSystem(gold), grader=grader(papers, judge), models=LiveModels(None, judge)
    )
    assert run(second, file) == RunSummary(graded=2, kept=2)


def test_retrieval_alone_is_not_graded(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    def retrieve(question: Question, model: Any, seed: int) -> SystemAnswer:
        return SystemAnswer(text="", evidence=frozenset({("varga2020-7c3e", 4)}), stopped=RETRIEVAL_ONLY)

    judge = judge_model()
    wanted = plan(
        papers, questions, PlainSystem(retrieve), grader=grader(papers, judge), models=LiveModels(None, judge)
    )
    assert run(wanted, file) == RunSummary(answered=10)
    assert judge.requests == []


def test_a_service_that_only_fails_ends_the_run_early_and_the_next_one_goes_on(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    def refused(question: Question, model: Any, seed: int) -> SystemAnswer:
        raise ModelRequestError("Wrong key.", status=401)

    system = PlainSystem(refused)
    done = run(
        plan(
            papers,
            questions,
            system,
            PlainSystem(gold, name="other"),
            seeds=tuple(range(1, 9)),
            give_up_after=4,
        ),
        file,
    )
    assert "4 requests in a row failed" in done.stopped
    assert "Wrong key" in done.stopped
    assert 4 <= done.failed <= 4 + 3, "what was under way may still fail"
    assert done.answered == 0
    assert run(plan(papers, questions, PlainSystem(gold)), file).answered == 10


def test_a_cancelled_run_stops_before_the_next_question(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    system, stop = PlainSystem(gold), threading.Event()

    def once(question: Question, model: Any, seed: int) -> SystemAnswer:
        stop.set()
        return gold(question, model, seed)

    system.respond = once
    done = run(plan(papers, questions, system, seeds=(1, 2, 3)), file, cancelled=stop.is_set)
    assert done.stopped == "cancelled"
    assert 1 <= done.answered <= 3


def test_other_parameters_in_the_same_file_are_refused(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    run(plan(papers, questions[:1], PlainSystem(gold, parameters={"top_k": 10})), file)
    with pytest.raises(UsageError, match=r"top_k was 10 and is 20"):
        run(plan(papers, questions[:2], PlainSystem(gold, parameters={"top_k": 20})), file)


def test_a_matched_system_runs_after_the_one_it_follows_and_learns_its_tokens(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    matched = MatchedSystem(gold)
    run(plan(papers, questions[:2], matched, PlainSystem(gold), seeds=(1, 2)), file)
    assert matched.learned == {("m01", 1): 110, ("m02", 1): 110, ("m01", 2): 210, ("m02", 2): 210}
    with pytest.raises(UsageError, match="Add plain"):
        run(plan(papers, questions[:2], MatchedSystem(gold)), file)


@pytest.mark.parametrize("case", ["no questions", "no seeds", "twice", "helpless"])
def test_a_plan_that_cannot_be_carried_out_is_refused_before_anything_is_written(
    case: str, papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    wanted = plan(papers, questions, PlainSystem(gold, needs_model=case == "helpless"))
    if case == "no questions":
        wanted = replace(wanted, questions=())
    elif case == "no seeds":
        wanted = replace(wanted, settings=RunSettings(seeds=()))
    elif case == "twice":
        wanted = replace(wanted, systems=(PlainSystem(gold), PlainSystem(gold)))
    with pytest.raises(UsageError):
        run(wanted, file)
    assert not file.path.exists()


def test_a_replay_of_a_recorded_run_is_the_same_file_each_time(
    papers: Papers, questions: tuple[Question, ...], tmp_path: Path
) -> None:
    counter = iter(range(10_000))
    generator = FunctionModel(lambda _: f"Answer {next(counter)}.", name="generator")
    judge, recording = judge_model(), tmp_path / "recording"
    live = LiveModels(generator, judge, recording=recording)

    def go(models: Models, name: str) -> ResultsFile:
        file, judging = ResultsFile(tmp_path / name), models.for_judging()
        assert judging is not None
        system = PlainSystem(ask_model, needs_model=True)
        graded = Grader(Judge(judging), lambda _: "", embedder=papers.embedder)
        run(plan(papers, questions, system, models=models, grader=graded, seeds=(1, 2)), file)
        return file

    first = go(live, "live.jsonl").read()
    replays = [go(ReplayedModels(recording), f"replay-{i}.jsonl") for i in range(2)]
    assert replays[0].path.read_bytes() == replays[1].path.read_bytes()
    again = replays[0].read()
    assert {key: row.text for key, row in again.answers.items()} == {
        key: row.text for key, row in first.answers.items()
    }
    assert {key: row.metrics for key, row in again.grades.items()} == {
        key: row.metrics for key, row in first.grades.items()
    }
    assert all(row.seconds is None for row in again.answers.values())
    assert len({row.text for row in first.answers.values()}) == 20, "seeds do not share replies"


def test_a_run_that_is_killed_is_taken_up_where_it_was(
    papers: Papers, questions: tuple[Question, ...], tmp_path: Path
) -> None:
    """SIGKILL in the middle of a run, in another process."""
    path = tmp_path / "results.jsonl"
    child = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_runner as t
from conftest import DATA
import conftest
questions = conftest.read_questions(DATA / "questions.jsonl", benchmark=t.Benchmark.MOSAIC).questions
count = 0
def respond(question, model, seed):
    global count
    count += 1
    if count == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return t.gold(question, model, seed)
plan = t.plan(conftest.load_papers(), questions, t.PlainSystem(respond))
from dataclasses import replace
t.run(replace(plan, settings=t.RunSettings(seeds=(1,), concurrency=1)), t.ResultsFile(t.Path({str(path)!r})))
"""
    killed = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    file = ResultsFile(path)
    kept = len(file.read().answers)
    assert 3 <= kept <= 4
    assert run(plan(papers, questions, PlainSystem(gold)), file) == RunSummary(answered=10 - kept, kept=kept)


def test_regrading_adds_grades_of_another_judge_and_only_missing_ones(
    papers: Papers, questions: tuple[Question, ...], file: ResultsFile
) -> None:
    judge = judge_model("first")
    run(
        plan(
            papers, questions, PlainSystem(gold), grader=grader(papers, judge), models=LiveModels(None, judge)
        ),
        file,
    )
    by_id = {question.id: question for question in questions[:6]}
    other = grader(papers, judge_model("second"))
    assert regrade(file, by_id, other, benchmark="mosaic") == RunSummary(graded=6, kept=4)
    assert regrade(file, by_id, other, benchmark="mosaic") == RunSummary(graded=0, kept=10)
    assert {grade.judge for grade in file.read().grades.values()} == {"first", "second"}


def test_the_dry_run_counts_calls_tokens_and_money(papers: Papers, questions: tuple[Question, ...]) -> None:
    priced = estimate_run(
        questions=questions,
        systems=[PlainSystem(gold)],
        papers=papers,
        seeds=3,
        price=Price(prompt=1.0, completion=10.0),
        judge="judge",
        judge_price=Price(prompt=1.0, completion=1.0),
    )
    (system,) = priced.systems
    assert (priced.answers, system.calls, system.prompt_tokens) == (30, 40, 35_000)
    assert system.cost == pytest.approx((35_000 + 10 * 4_000) / 1e6)
    assert priced.judge is not None
    assert priced.judge.calls == 6 * 30
    assert priced.judge.prompt_tokens > 900 * 30
    assert priced.cost == pytest.approx(system.cost + (priced.judge.cost or 0))


def test_an_unknown_price_is_open_and_no_model_costs_nothing(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    systems = [PlainSystem(gold)]
    assert estimate_run(questions=questions, systems=systems, papers=papers, seeds=1).cost is None
    free = estimate_run(questions=questions, systems=systems, papers=papers, seeds=1, generator=False)
    assert (free.cost, free.systems[0].calls) == (0.0, 0)
