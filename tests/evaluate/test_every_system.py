"""Every system, judge and table of the paper, end to end on three papers and ten questions, with scripted models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vectree.evaluate.grading import Grader
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.models import LiveModels
from vectree.evaluate.papers import page_reader
from vectree.evaluate.records import INSUFFICIENT, Benchmark, Grading, Papers, Question, Reference, System
from vectree.evaluate.reporting.cells import UNMEASURED, Table
from vectree.evaluate.reporting.document import all_tables
from vectree.evaluate.results.file import Results, ResultsFile
from vectree.evaluate.results.rows import RunRow
from vectree.evaluate.running.plan import Plan, RunSettings
from vectree.evaluate.running.runner import run
from vectree.evaluate.systems.catalogue import SYSTEMS
from vectree.evaluate.systems.dense import PassageSystem
from vectree.evaluate.systems.raptor.system import RaptorSystem
from vectree.evaluate.verdicts import Choice, Correctness, Support
from vectree.llm.chat import ChatRequest, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, call

EKHOLM = "ekholm2019-51aa"
ANSWER = f"Yes. (A) 58 percent (Ekholm et al., 2019, {EKHOLM}, p.3)."
NAMES = [entry.name for entry in SYSTEMS]
USED = Usage(prompt_tokens=100, completion_tokens=10, cached_tokens=40, cost=0.002)


class LengthScorer:
    """Stands in for the cross-encoder."""

    name, measured = "length", False

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def generator(request: ChatRequest) -> Reply:
    """An agent that reads a page, a reasoner that searches once, a writer of anything else."""
    return replace(_reply(request), usage=USED)


def _reply(request: ChatRequest) -> Reply:
    asked = request.messages[-1].text
    if request.tools:
        done = sum(message.role is Role.TOOL for message in request.messages)
        walk = [call("search_documents", query="moss"), call("get_page_content", doc_id=EKHOLM, pages="3")]
        offered = {tool.name for tool in request.tools}
        if "get_document_tree" in offered:
            walk.insert(1, call("get_document_tree", doc_id=EKHOLM))
        return walk[done] if done < len(walk) else Reply(text=ANSWER)
    if request.schema is not None:
        return Reply(text='{"nodes": ["0003"]}')
    if len(request.messages) == 1 and "<|begin_search_query|>your query" in asked:
        return Reply(text="I look. <|begin_search_query|>moss runoff<|end_search_query|>")
    if "**Final Information**" in asked:
        return Reply(text="**Final Information** 58 percent.")
    return Reply(text=ANSWER)


def judge(verdicts: Sequence[str]) -> FunctionModel:
    """Goes through all verdicts in turn."""
    turn, support = itertools.cycle(verdicts), itertools.cycle(list(Support))

    def reply(_: ChatRequest) -> str:
        return json.dumps(
            {
                "verdict": next(turn),
                "selected": "A",
                "statements": ["one", "two"],
                "facts": ["one", "two"],
                "true_positives": [1],
                "false_positives": [2],
                "false_negatives": [2],
                "covered": [1],
                "supported": [1],
                "verdicts": [{"sentence": 1, "support": next(support)}],
            }
        )

    return FunctionModel(reply, name="judge")


def as_qasper(question: Question, number: int) -> Question:
    """The question, asked about one paper, with a short reference."""
    answered = ("Yes", "boolean") if number % 2 else ("58 percent", "extractive")
    reference = Reference(
        text=answered[0],
        kind=answered[1],
        evidence=frozenset({(EKHOLM, 3)}),
        quotes=("Moss panels retained",),
    )
    return replace(
        question,
        benchmark=Benchmark.QASPER,
        grading=Grading.CORRECTNESS,
        kind=answered[1],
        references=(reference,),
        scope=frozenset({EKHOLM}),
        documents=frozenset({EKHOLM}),
    )


def as_litqa2(question: Question) -> Question:
    """The question with options, over all papers."""
    return replace(
        question,
        benchmark=Benchmark.LITQA2,
        grading=Grading.CHOICE,
        kind="choice",
        options=("58 percent", "11 percent", INSUFFICIENT),
        gold_option=0,
        unsure_option=2,
        references=(Reference(text="58 percent", evidence=frozenset({(EKHOLM, 3)})),),
        documents=frozenset({EKHOLM}),
    )


def by_svd(vectors: Any, neighbours: int, settings: Any) -> Any:
    left, values, _ = np.linalg.svd(np.asarray(vectors, dtype=np.float64), full_matrices=False)
    count = min(settings.dimension, len(vectors) - 2)
    return left[:, :count] * values[:count]


def make(benchmark: Benchmark) -> tuple[System, ...]:
    """All systems; the cross-encoder's weights and UMAP's compiler are not for every day."""
    made = [entry.make(benchmark) for entry in SYSTEMS]
    for system in made:
        if isinstance(system, PassageSystem) and system.scorer is not None:
            system.scorer = LengthScorer()
        if isinstance(system, RaptorSystem):
            system.reduce = by_svd
    return tuple(made)


def header(benchmark: Benchmark, questions: Sequence[Question]) -> RunRow:
    corpus = {
        "questions": {"count": len(questions), "kinds": {"x": len(questions)}, "gold_papers": 1},
        "documents": {
            "count": 3,
            "years": [2019, 2021],
            "pages_mean": 4.0,
            "pages_median": 4,
            "pages_range": [4, 4],
        },
        "ingestion": {"paper_rate": {"mean": 0.9, "median": 1.0, "count": 3}},
    }
    return RunRow(
        benchmark=benchmark,
        data="ten.jsonl",
        questions=[question.id for question in questions],
        generator="generator",
        judge="judge",
        version="0",
        settings={"seeds": 1},
        corpus=corpus,
    )


@pytest.fixture(scope="module")
def results(
    papers: Papers, questions: tuple[Question, ...], tmp_path_factory: pytest.TempPathFactory
) -> Results:
    whole = replace(papers, ungated=papers.library)
    sets = {
        Benchmark.MOSAIC: (questions, ["correct"]),
        Benchmark.QASPER: (
            tuple(as_qasper(each, number) for number, each in enumerate(questions[:4])),
            list(Correctness),
        ),
        Benchmark.LITQA2: (tuple(map(as_litqa2, questions[:4])), list(Choice)),
    }
    file = ResultsFile(tmp_path_factory.mktemp("every") / "results.jsonl")
    for benchmark, (asked, verdicts) in sets.items():
        grader = Grader(
            Judge(judge(verdicts)),
            page_reader(whole),
            embedder=papers.embedder,
            citations=benchmark is Benchmark.MOSAIC,
        )
        plan = Plan(
            header=header(benchmark, asked),
            questions=asked,
            systems=make(benchmark),
            papers=whole,
            models=LiveModels(FunctionModel(generator, name="generator")),
            grader=grader,
            settings=RunSettings(seeds=(1,), concurrency=2),
        )
        done = run(plan, file)
        assert (done.answered, done.graded) == (len(asked) * len(NAMES),) * 2, done
        assert not done.stopped
    return file.read()


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_answered_and_graded(results: Results, name: str) -> None:
    rows = [row for row in results.answers.values() if row.system == name]
    assert len(rows) == 18
    assert all(row.text and not row.error for row in rows)
    assert all(
        row.metrics["evidence_recall"] is not None for row in rows if row.benchmark is Benchmark.QASPER
    )
    assert len([key for key in results.grades if name in key]) == 18
    if name != "extractive":
        assert {row.usage.cached_tokens > 0 for row in rows} == {True}


def test_every_verdict_is_given(results: Results) -> None:
    given = {row.verdict for row in results.grades.values()}
    assert {*map(str, Correctness), *map(str, Choice)} <= given


def test_every_metric_of_synthesis_is_there(results: Results) -> None:
    row = next(row for row in results.grades.values() if row.benchmark is Benchmark.MOSAIC)
    wanted = {
        "factuality_f1",
        "factuality_precision",
        "factuality_recall",
        "coverage",
        "faithfulness",
        "composite",
    }
    assert wanted <= {name for name, value in row.metrics.items() if value is not None}


@pytest.fixture(scope="module")
def tables(results: Results) -> dict[str, Table]:
    return {table.title.split(".")[0]: table for table in all_tables(results)}


@pytest.mark.parametrize("number", range(2, 11))
def test_every_table_of_the_paper_has_figures(tables: dict[str, Table], number: int) -> None:
    table = tables[f"Table {number}"]
    assert table.rows
    cells = [cell for row in table.rows for cell in row[1:]]
    assert sum(cell != UNMEASURED for cell in cells) > len(cells) / 2, table.markdown()


def test_the_stand_in_is_marked(tables: dict[str, Table]) -> None:
    assert any("stand-in" in note for note in tables["Table 3"].notes)
