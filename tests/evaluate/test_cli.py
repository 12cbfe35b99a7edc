"""``vectree eval`` on a real corpus of three small PDFs, with a scripted generator and judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner, Result

from vectree.cli import app, eval_results, evaluating
from vectree.cli.eval_app import eval_app
from vectree.cli.eval_options import read_names
from vectree.cli.prices import read_price
from vectree.corpus import Corpus
from vectree.errors import UsageError
from vectree.evaluate.models import LiveModels
from vectree.evaluate.records import Benchmark, Estimate, Footprint, Papers, Question, SystemAnswer
from vectree.evaluate.systems.catalogue import SystemEntry
from vectree.evidence import RunUsage
from vectree.llm.scripted import FunctionModel


class GoldSystem:
    """Reads the gold pages and answers with the reference."""

    name, title, needs_model, parameters = "gold", "Gold", False, {"k": 1}

    def prepare(self, papers: Papers, *, model: Any, on_progress: Any = None) -> Footprint:
        return Footprint(vectors=len(papers.doc_ids))

    def answer(self, question: Question, *, model: Any, seed: int) -> SystemAnswer:
        reference = question.references[0]
        usage = RunUsage(prompt_tokens=500, completion_tokens=20, model_calls=1, cost=0.001)
        evidence = reference.evidence or frozenset()
        return SystemAnswer(text=reference.text, evidence=evidence, context=("x",), usage=usage)

    def estimate(self, papers: Papers, question: Question | None) -> Estimate:
        return Estimate(calls=1, prompt_tokens=500, completion_tokens=20) if question else Estimate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """A corpus of the three papers as PDFs, and questions that name them by file."""
    folder = tmp_path_factory.mktemp("eval")
    for paper in json.loads((data / "papers.json").read_text()):
        _typeset(paper, folder / "pdfs")
    report = Corpus.open(folder / "corpus", embedder="hash").add(folder / "pdfs", jobs=1)
    assert len(report.added) == 3, report
    text = (data / "questions.jsonl").read_text()
    for name in ("ekholm2019-51aa", "varga2020-7c3e", "oduya2021-e09b"):
        text = text.replace(f'"{name}"', f'"{name}.pdf"')
    (folder / "questions.jsonl").write_text(text)
    return folder


def _typeset(paper: dict[str, Any], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    canvas = Canvas(str(folder / f"{paper['doc_id']}.pdf"), pagesize=A5, invariant=True)
    starts = {first: title for title, first, _ in paper["sections"]}
    for number, page in enumerate(paper["pages"], start=1):
        y = 540
        if number == 1:
            canvas.setFont("Helvetica-Bold", 15)
            canvas.drawString(40, y, paper["title"][:52])
            y -= 40
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(40, y, starts.get(number, ""))
        canvas.setFont("Helvetica", 9)
        words = page.split()
        for i in range(0, len(words), 11):
            y -= 14
            canvas.drawString(40, y, " ".join(words[i : i + 11]))
        canvas.showPage()
    canvas.save()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> FunctionModel:
    """One system, and a judge with an answer to everything."""
    reply = {
        "statements": ["s"],
        "facts": ["f"],
        "true_positives": [1],
        "covered": [1],
        "supported": [1],
        "verdict": "correct",
    }
    judge = FunctionModel(lambda _: json.dumps(reply), name="scripted-judge")
    entry = SystemEntry(name="gold", title="Gold", summary="Cheats.", paper="§0", make=lambda _: GoldSystem())
    monkeypatch.setattr(evaluating, "SYSTEMS", (entry,))
    monkeypatch.setattr(evaluating, "make_system", lambda name, benchmark: entry.make(benchmark))
    monkeypatch.setattr(
        evaluating,
        "read_models",
        lambda model, judge_name, **_: LiveModels(None, judge if judge_name else None),
    )
    monkeypatch.setattr(
        eval_results, "read_model", lambda name, price: FunctionModel(lambda _: json.dumps(reply), name=name)
    )
    return judge


def _invoke(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(eval_app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def _run(folder: Path, results: Path, *more: str) -> dict[str, Any]:
    result = _invoke(
        "mosaic",
        *("--data", folder / "questions.jsonl", "--corpus", folder / "corpus"),
        *("--systems", "gold", "--results", results, "--json", *more),
    )
    return json.loads(result.stdout)


@pytest.mark.usefixtures("scripted")
def test_a_run_gives_evidence_figures_as_json(folder: Path, tmp_path: Path) -> None:
    found = _run(folder, tmp_path / "r.jsonl")
    (system,) = found["systems"]
    assert (found["benchmark"], found["questions"], found["left_out"]) == ("mosaic", 10, {})
    assert [system[f"evidence_{name}"] for name in ("precision", "recall", "f1")] == [1.0, 1.0, 1.0]
    assert found["run"]["answered"] == 10
    assert Path(found["results"]) == tmp_path / "r.jsonl"


def test_a_judge_grades_and_the_report_draws_the_tables(
    folder: Path, tmp_path: Path, scripted: FunctionModel
) -> None:
    found = _run(folder, tmp_path / "r.jsonl", "--judge", "any", "--seeds", "2", "--sample", "4")
    assert found["systems"][0]["metrics"]["composite"] > 0.75
    assert found["systems"][0]["seeds"] == [1, 2]
    assert len(scripted.requests) >= 4 * 2 * 4
    text = _invoke("report", tmp_path / "r.jsonl").stdout
    assert "### Table 4. MOSAIC: multi-document synthesis" in text
    assert "| Gold | " in text
    tables = json.loads(_invoke("report", tmp_path / "r.jsonl", "--json").stdout)["tables"]
    assert [table["title"][:8] for table in tables][:2] == ["Table 2.", "Table 3."]
    _invoke("report", tmp_path / "r.jsonl", "--out", tmp_path / "out", "--no-plots")
    assert (tmp_path / "out" / "report.md").read_text().rstrip("\n") == text.rstrip("\n")


@pytest.mark.usefixtures("scripted")
def test_regrading_needs_the_question_file_alone(folder: Path, tmp_path: Path) -> None:
    _run(folder, tmp_path / "r.jsonl", "--sample", "3")
    arguments = ("regrade", tmp_path / "r.jsonl", "--data", folder / "questions.jsonl", "--judge", "one,two")
    found = json.loads(_invoke(*arguments, "--json").stdout)
    assert [run["graded"] for run in found["runs"]] == [3, 3]
    assert "Answer scores by judge" in _invoke(*arguments).stdout


@pytest.mark.usefixtures("scripted")
def test_the_dry_run_asks_nobody_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    found = _run(folder, tmp_path / "r.jsonl", "--judge", "any", "--dry-run", "--seeds", "3")
    assert (found["dry_run"], found["answers"], found["cost"]) == (True, 30, None)
    assert found["judge"]["calls"] == 6 * 30
    assert not (tmp_path / "r.jsonl").exists()


@pytest.mark.usefixtures("scripted")
def test_a_file_of_ones_own_questions_stands_in_the_place_of_a_benchmark(
    folder: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_text('{"question": "Where?", "answer": "Tampere", "documents": ["ekholm2019-51aa.pdf"]}\n')
    result = _invoke(
        mine, "--corpus", folder / "corpus", "--systems", "gold", "--results", tmp_path / "r.jsonl"
    )
    assert "gold" in result.stdout
    assert "1 answered" in result.stdout


@pytest.mark.usefixtures("scripted")
def test_qasper_needs_its_file_alone_and_makes_a_corpus_of_its_papers(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("qasper", "--data", data / "qasper.json", "--systems", "gold", "--embedder", "hash", "--json")
    found = json.loads(_invoke(*words).stdout)
    (system,) = found["systems"]
    assert (tmp_path / "vectree-eval" / "qasper-corpus" / "corpus.json").exists()
    assert (found["questions"], system["evidence_questions"]) == (5, 3)
    assert (system["evidence_precision"], system["evidence_recall"]) == (1.0, 1.0)
    # Verbatim evidence twice, rightly none once; a figure and a heading are not to be had as paragraphs.
    assert system["metrics"]["official_evidence_f1"] == pytest.approx(3 / 5)
    assert system["metrics"]["answer_f1"] == 1.0
    assert json.loads(_invoke(*words).stdout)["run"]["kept"] == 5


@pytest.mark.usefixtures("scripted")
def test_the_systems_are_listed() -> None:
    assert "gold  Gold  Cheats." in _invoke("systems").stdout
    assert json.loads(_invoke("systems", "--json").stdout)["systems"][0]["name"] == "gold"


@pytest.mark.usefixtures("scripted")
def test_settings_from_a_file_reach_the_commands_and_errors_are_one_line(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vectree.toml").write_text(f"corpus = {str(folder / 'corpus')!r}\nmodel = 'extractive'\n")
    words = [
        "eval",
        "mosaic",
        "--data",
        str(folder / "questions.jsonl"),
        "--systems",
        "gold",
        "--sample",
        "2",
    ]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "vectree-eval" / "mosaic.jsonl").exists()
    refused = CliRunner().invoke(app, ["eval", "mosaic"])
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "needs its question file" in refused.stderr


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    "arguments",
    [
        ("qasper",),
        ("litqa2", "--data", "absent.jsonl"),
        ("absent.jsonl",),
        ("mosaic", "--data", "absent.jsonl", "--price", "cheap"),
    ],
)
def test_wrong_usage_is_refused(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(eval_app, list(arguments))
    assert isinstance(result.exception, UsageError)


def test_an_unknown_word_is_no_benchmark() -> None:
    assert CliRunner().invoke(eval_app, ["qasperr"]).exit_code == 2


def test_prices_and_lists() -> None:
    price = read_price("0.5,2,0.1")
    assert price is not None
    assert (price.prompt, price.completion, price.cached) == (0.5, 2.0, 0.1)
    assert read_price(None) is None
    for wrong in ("", "1", "1,2,3,4", "a,b"):
        with pytest.raises(UsageError):
            read_price(wrong)
    assert read_names("a, b,a,") == ("a", "b")
    with pytest.raises(UsageError):
        read_names(" , ")


def test_the_benchmarks_are_known_by_name() -> None:
    assert {benchmark.value for benchmark in Benchmark} == {"qasper", "litqa2", "mosaic", "own"}
