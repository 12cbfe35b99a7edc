"""Every table and plot from rows alone; unmeasured cells say so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vectree.evaluate.records import Benchmark
from vectree.evaluate.reporting.cells import UNMEASURED, Table, count, money, seconds, share
from vectree.evaluate.reporting.document import all_tables, report
from vectree.evaluate.reporting.plots import draw_plots
from vectree.evaluate.reporting.series import choice_precision, collect
from vectree.evaluate.reporting.summary import summary
from vectree.evaluate.results.file import Results
from vectree.evaluate.results.rows import AnswerRow, FootprintRow, GradeRow, RunRow, SystemRow, UsageRow

SYSTEMS = {
    Benchmark.QASPER: ("dense", "rerank", "raptor", "search-o1", "agent", "tree-search"),
    Benchmark.LITQA2: ("dense", "agent", "no-tree", "no-vector", "no-gates"),
    Benchmark.MOSAIC: ("dense", "agent"),
    Benchmark.OWN: ("agent",),
}
KINDS = {
    Benchmark.QASPER: ("extractive", "abstractive", "boolean", "none"),
    Benchmark.LITQA2: ("choice",),
    Benchmark.MOSAIC: ("inference", "aggregation", "comparison"),
    Benchmark.OWN: ("",),
}
QUESTIONS, SEEDS = 8, (1, 2, 3)


def _rows() -> Iterator[RunRow | SystemRow | AnswerRow | GradeRow]:
    for benchmark, systems in SYSTEMS.items():
        yield RunRow(
            benchmark=benchmark,
            data="file.json",
            questions=[f"q{i}" for i in range(QUESTIONS)],
            generator="gen",
            judge="judge",
            version="0",
            settings={"seeds": 3},
            left_out={"q99": "not in the corpus"},
            corpus={
                "questions": {
                    "count": 8,
                    "kinds": dict.fromkeys(KINDS[benchmark], 2),
                    "gold_papers": 3,
                    "gold_papers_each": [1, 2],
                    "gold_records_mean": 2.5,
                    "with_gold_evidence": 7,
                },
                "documents": {
                    "count": 3,
                    "years": [2012, 2024],
                    "pages_mean": 21.8,
                    "pages_median": 18,
                    "pages_range": [1, 57],
                },
                "ingestion": {"paper_rate": {"mean": 0.924, "median": 0.958, "count": 3}},
            },
        )
        for place, system in enumerate(systems):
            yield SystemRow(
                benchmark=benchmark,
                system=system,
                title=system.title(),
                parameters={"unmeasured": "a stub scores"} if system == "rerank" else {},
                footprint=FootprintRow(vectors=100 * place, index_bytes=4_096, seconds=1.5),
            )
            for i in range(QUESTIONS):
                for seed in SEEDS:
                    yield from _answered(benchmark, system, i, seed, good=(i + place + seed) % 3 > 0)


def _answered(
    benchmark: Benchmark, system: str, i: int, seed: int, *, good: bool
) -> Iterator[AnswerRow | GradeRow]:
    kinds = KINDS[benchmark]
    key = {
        "benchmark": benchmark,
        "question": f"q{i}",
        "kind": kinds[i % len(kinds)],
        "system": system,
        "seed": seed,
    }
    failed = system == "agent" and i == 7 and seed == 3
    yield AnswerRow(
        **key,
        text="" if failed else "x",
        usage=UsageRow(
            prompt_tokens=1_000 * (len(system)),
            completion_tokens=50,
            cached_tokens=10,
            model_calls=2,
            cost=0.01,
        ),
        seconds=2.0,
        retrieval_seconds=0.01,
        metrics={
            "evidence_precision": None if i == 0 else float(good) / 2,
            "evidence_recall": None if i == 0 else float(good),
            "evidence_f1": None if i == 0 else float(good) * 2 / 3,
            "answer_f1": 0.4,
            "official_evidence_f1": 0.3,
            "document_recall": 1.0,
            "documents_read": 2.0,
            "units_read": 5.0,
            "layer_order": 0.9 if system == "agent" else None,
            "citation_validity": 1.0 if system == "agent" else None,
            "tool_calls": 4.0 if system == "agent" else None,
            "rounds": 3.0 if system == "agent" else None,
        },
        labels={"answer_kind": kinds[i % len(kinds)]},
        details={"confidence": 1.0, "fallback": False, "retries": 0} if system == "tree-search" else {},
        error="ModelUnavailable: busy" if failed else "",
    )
    if failed:
        return
    for judge in ("judge", "other"):
        if judge == "other" and (system, i) == ("agent", 1):
            continue
        yield _graded(key, judge, good if judge == "judge" or i else not good)


def _graded(key: dict, judge: str, good: bool) -> GradeRow:
    benchmark = key["benchmark"]
    verdict = "correct" if good else "partial" if benchmark is Benchmark.QASPER else "incorrect"
    metrics = {
        Benchmark.QASPER: {"correctness": float(good), "correctness_partial": 1.0 if good else 0.5},
        Benchmark.OWN: {"correctness": float(good), "correctness_partial": 1.0 if good else 0.5},
        Benchmark.LITQA2: {"accuracy": float(good), "answered": 1.0},
        Benchmark.MOSAIC: {
            "composite": 0.3 + 0.4 * good,
            "factuality_f1": 0.4,
            "coverage": 0.5,
            "faithfulness": 0.2,
        },
    }[benchmark]
    return GradeRow(
        **key,
        judge=judge,
        verdict="" if benchmark is Benchmark.MOSAIC else verdict,
        mechanical="correct" if good else "incorrect" if key["question"] == "q2" else "",
        metrics=metrics,
        details={"cosine_embedder": "hash", "cosine_comparable": False, "repeats": 1},
        usage=UsageRow(prompt_tokens=100, completion_tokens=5, model_calls=1),
    )


@pytest.fixture(scope="module")
def results() -> Results:
    made = Results()
    for row in _rows():
        made.take(row)
    return made


def _table(results: Results, start: str) -> Table:
    (found,) = [table for table in all_tables(results) if table.title.startswith(start)]
    return found


def test_every_table_of_the_paper_is_drawn(results: Results) -> None:
    titles = [table.title for table in all_tables(results)]
    for wanted in (
        "Table 2.",
        "Table 3.",
        "Table 4.",
        "Table 5.",
        "Table 6.",
        "Table 7.",
        "Table 8.",
        "Table 9.",
        "Table 10.",
        "Appendix D. Indexing",
        "Appendix D. Verified",
        "Efficiency",
    ):
        assert sum(title.startswith(wanted) for title in titles) == 1, wanted
    assert all(table.rows for table in all_tables(results)), "these results have something for every table"
    for table in all_tables(results):
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.title


def test_the_report_is_markdown_with_one_line_a_row(results: Results) -> None:
    text = report(results, plots=["a-b.png"])
    assert text.startswith("# Evaluation\n")
    assert "![a b](a-b.png)" in text
    assert "† Not to be taken as measured: a stub scores." in text
    assert "1 of" not in text.split("###")[0] or "answers failed" in text
    assert "4 of 336 answers failed and count as wrong." in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in lines)


def test_a_note_on_a_run_stands_at_the_head() -> None:
    run = RunRow(
        benchmark=Benchmark.OWN, data="f", questions=["q"], version="0", settings={"note": "A trial."}
    )
    assert "; note: A trial." in report(Results(runs=[run])).split("###")[0]


def test_table_2_puts_each_benchmark_in_its_column(results: Results) -> None:
    table = _table(results, "Table 2.")
    rows = {row[0]: row[1:] for row in table.rows}
    assert set(rows) == {
        "Dense",
        "Rerank †",
        "Raptor",
        "Search-O1",
        "Agent",
        "Tree-Search",
        "No-Tree",
        "No-Vector",
        "No-Gates",
    }
    assert rows["Raptor"][1:] == (UNMEASURED, UNMEASURED)
    assert all(cell != UNMEASURED for cell in rows["Agent"])
    assert any("not comparable" in note for note in table.notes)


def test_an_answer_that_failed_counts_as_wrong(results: Results) -> None:
    agent = next(series for series in collect(results)[Benchmark.QASPER] if series.system == "agent")
    assert agent.values("correctness")["q7", 3] == 0.0
    assert agent.values("tokens")["q7", 3] is None, "costs are of completed answers"
    assert agent.errors == 1
    mean = agent.mean("correctness")
    assert mean is not None
    assert mean.count == QUESTIONS * len(SEEDS)


def test_intervals_are_over_questions_not_over_answers(results: Results) -> None:
    agent = next(series for series in collect(results)[Benchmark.LITQA2] if series.system == "agent")
    interval = agent.interval("accuracy")
    assert interval is not None
    assert interval.count == QUESTIONS
    assert interval.low <= interval.mean <= interval.high


def test_tables_5_7_and_9_hold_the_agent_and_its_ablations_in_the_papers_order(results: Results) -> None:
    for start in ("Table 5.", "Table 7.", "Table 9."):
        assert [row[0] for row in _table(results, start).rows] == [
            "Agent",
            "No-Tree",
            "No-Vector",
            "No-Gates",
        ]


def test_table_10_counts_a_partial_verdict_as_not_correct(results: Results) -> None:
    rows = {(row[0], row[1]): row for row in _table(results, "Table 10.").rows}
    assert rows["QASPER yes/no", "judge"][4] == "1.000"
    assert float(rows["LitQA2 option selection", "other"][4]) <= 1.0


def test_judges_are_compared_pair_by_pair(results: Results) -> None:
    rows = _table(results, "Agreement between judges").rows
    assert {row[0] for row in rows} == {"qasper", "litqa2", "own"}
    assert all(row[1:3] == ("judge", "other") for row in rows)
    assert len(_table(results, "Answer scores by judge").columns) == 4


def test_the_judge_whose_grades_are_taken_can_be_chosen(results: Results) -> None:
    other = collect(results, judge="other")[Benchmark.QASPER][0]
    assert {grade.judge for grade in other.grades.values()} == {"other"}
    assert collect(results)[Benchmark.QASPER][0].by_question("correctness") != other.by_question(
        "correctness"
    )


def test_choice_precision_leaves_abstentions_out() -> None:
    made = Results()
    made.take(SystemRow(benchmark=Benchmark.LITQA2, system="s", title="S"))
    for i, (accuracy, answered) in enumerate([(1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (1.0, 1.0)]):
        key = {"benchmark": Benchmark.LITQA2, "question": str(i), "system": "s", "seed": 1}
        made.take(AnswerRow(**key))
        made.take(GradeRow(**key, judge="j", metrics={"accuracy": accuracy, "answered": answered}))
    (series,) = collect(made)[Benchmark.LITQA2]
    assert choice_precision(series) == pytest.approx(2 / 3)


def test_nothing_measured_gives_tables_that_say_so() -> None:
    text = report(Results())
    assert text.count("Not measured.") >= 10


def test_the_summary_for_scripts_has_evidence_figures_and_nulls(results: Results) -> None:
    found = json.loads(json.dumps(summary(results, Benchmark.QASPER)))
    agent = next(each for each in found["systems"] if each["system"] == "agent")
    assert 0 < agent["evidence_precision"] < agent["evidence_recall"] <= 1
    assert agent["evidence_f1"] is not None
    assert agent["metrics"]["correctness"] is not None
    assert set(agent["by_kind"]) == set(KINDS[Benchmark.QASPER])
    assert len(agent["intervals"]["evidence_recall"]) == 2
    assert summary(Results(), Benchmark.OWN)["systems"] == []


def test_plots_are_png_files_and_the_same_each_time(results: Results, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one = Results(systems={key: row for key, row in results.systems.items() if key[0] == "litqa2"})
    one.answers, one.grades = results.answers, results.grades
    names = draw_plots(one, tmp_path / "a")
    assert names == ("litqa2-score-against-tokens.png", "litqa2-precision-against-recall.png")
    assert draw_plots(one, tmp_path / "b") == names
    for name in names:
        data = (tmp_path / "a" / name).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert data == (tmp_path / "b" / name).read_bytes()


def test_matplotlib_is_loaded_only_for_plots() -> None:
    code = "import vectree.cli.eval_results, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_cells() -> None:
    assert [share(None), share(0.12345), count(None), count(12345.6), count(7.0), count(7.25)] == [
        UNMEASURED,
        "0.123",
        UNMEASURED,
        "12,346",
        "7",
        "7.2",
    ]
    assert [seconds(None), seconds(0.0042), seconds(12.34), money(None), money(0.0)] == [
        UNMEASURED,
        "0.004",
        "12.3",
        UNMEASURED,
        "$0.0000",
    ]
    assert "a\\|b c" in Table(title="t", columns=("x",), rows=(("a|b\nc",),)).markdown()
