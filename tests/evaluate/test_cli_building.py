"""``vectree eval build-set`` and ``review-set`` on a folder, with a scripted model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from vectree.cli import eval_building
from vectree.cli.eval_app import eval_app
from vectree.cli.eval_building import read_range
from vectree.errors import UsageError
from vectree.evaluate.records import Papers
from vectree.llm.scripted import FunctionModel


@pytest.fixture
def corpus(papers: Papers, monkeypatch: pytest.MonkeyPatch) -> Papers:
    """The three papers in the place of a corpus folder."""
    monkeypatch.setattr(eval_building, "open_papers", lambda path: papers)
    return papers


def _model(leaks: bool) -> FunctionModel:
    def reply(request: Any) -> str:
        text = request.messages[1].text
        if "Write one question" in text:
            return json.dumps(_draft(text))
        verdict = "incorrect" if "From memory" in text and not leaks else "correct"
        said = "From memory." if "Answer from what you know" in text else "From the pages."
        verdicts = {"unsupported": [], "needed": [1, 2, 3], "same": [], "verdict": verdict, "answer": said}
        wanted = next(name for name in verdicts if f'"{name}"' in text.split("Form:")[1])
        return json.dumps({wanted: verdicts[wanted]})

    return FunctionModel(reply, name="scripted")


def _draft(text: str) -> dict[str, Any]:
    """The first words of the first page of every paper."""
    lines = text.split("\n")
    papers = [number for number, line in enumerate(lines) if line.startswith("Paper ")]
    evidence = [
        {
            "paper": int(lines[at].split()[1].strip(":")),
            "page": int(lines[at + 1].split()[1].strip(":")),
            "quote": " ".join(lines[at + 3].split()[:6]),
        }
        for at in papers
    ]
    return {
        "question": "Which roofs?",
        "answer": "=Flat ones.",
        "reasoning_chain": ["x"],
        "evidence": evidence,
    }


def _invoke(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(eval_app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def _build(
    monkeypatch: pytest.MonkeyPatch, out: Path, *more: str, leaks: bool = False, code: int = 0
) -> Result:
    monkeypatch.setattr(eval_building, "read_model", lambda name, price: _model(leaks) if name else None)
    counts = ("--inference", "0", "--aggregation", "1", "--comparison", "0", "--papers", "3")
    return _invoke("build-set", "--out", out, "--model", "any", *counts, *more, code=code)


@pytest.mark.usefixtures("corpus")
def test_a_set_is_built_reviewed_and_read_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = _build(monkeypatch, tmp_path).stdout
    assert "Accepted: 1 aggregation; 0 of them after a repair." in text
    assert "1 attempts" in text
    table = (tmp_path / "review.csv").read_text(encoding="utf-8-sig")
    assert "'=Flat ones." in table
    for reviewer, verdict in (("ana", "keep"), ("ben", "keep"), ("cem", "drop")):
        (tmp_path / f"{reviewer}.csv").write_text(f"id,verdict\nq0000,{verdict}\n")
    files = [tmp_path / f"{name}.csv" for name in ("ana", "ben", "cem")]
    text = _invoke("review-set", *files, "--out", tmp_path).stdout
    assert "ana and ben: agree on 1 of 1" in text
    assert "1 questions kept" in text
    found = json.loads(_invoke("review-set", *files, "--out", tmp_path, "--json").stdout)
    assert found["kept"] == ["q0000"]
    assert found["agreement_with_checks"] == pytest.approx(2 / 3)
    assert len((tmp_path / "questions-reviewed.jsonl").read_text().splitlines()) == 1


@pytest.mark.usefixtures("corpus")
def test_what_is_rejected_is_counted_by_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = json.loads(_build(monkeypatch, tmp_path, "--json", leaks=True, code=1).stdout)
    assert found["accepted"] == {}
    assert found["rejected"] == {"closed-book leakage": 6}
    assert found["usage"]["model_calls"] > 0


@pytest.mark.usefixtures("corpus")
def test_the_dry_run_asks_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "set"
    found = json.loads(_build(monkeypatch, out, "--dry-run", "--json", "--price", "1,2").stdout)
    assert (found["dry_run"], found["questions"]) == (True, 1)
    assert found["cost"] == pytest.approx(sum(part["cost"] for part in found["parts"]))
    assert "not known; give --price" in _build(monkeypatch, out, "--dry-run").stdout
    assert not out.exists()


@pytest.mark.usefixtures("corpus")
def test_a_set_needs_a_model(tmp_path: Path) -> None:
    result = CliRunner().invoke(eval_app, ["build-set", "--out", str(tmp_path), "--papers", "3"])
    assert isinstance(result.exception, UsageError)


def test_a_range_of_papers() -> None:
    assert (read_range("5-7"), read_range(" 6 ")) == ((5, 7), (6, 6))
    for wrong in ("", "7-5", "1", "a", "5-7-9", "-3"):
        with pytest.raises(UsageError):
            read_range(wrong)
