"""The results file survives being killed, and holds one row a key."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from vectree.errors import StoreError, UsageError
from vectree.evaluate.records import Benchmark, Grading, Question, SystemAnswer
from vectree.evaluate.results.convert import answer_from_row, answer_row
from vectree.evaluate.results.file import ResultsFile, read_all
from vectree.evaluate.results.rows import AnswerRow, GradeRow, RunRow, SystemRow
from vectree.evidence import Citation, CitationStatus, RunUsage, Step


def _answer(question: str = "q", seed: int = 1, text: str = "x", error: str = "") -> AnswerRow:
    return AnswerRow(
        benchmark=Benchmark.QASPER, question=question, system="s", seed=seed, text=text, error=error
    )


def test_rows_come_back_and_the_latest_of_a_key_counts(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "deep" / "r.jsonl")
    with file.writing():
        file.append(RunRow(benchmark=Benchmark.QASPER, questions=["q"]))
        file.append(SystemRow(benchmark=Benchmark.QASPER, system="s", title="S", parameters={"k": 1}))
        file.append(_answer(error="failed"))
        file.append(_answer(text="better"))
        file.append(
            GradeRow(
                benchmark=Benchmark.QASPER, question="q", system="s", seed=1, judge="j", verdict="correct"
            )
        )
        file.append(GradeRow(benchmark=Benchmark.QASPER, question="q", system="s", seed=1, judge="k"))
    results = file.read()
    assert [row.text for row in results.answers.values()] == ["better"]
    assert len(results.grades) == 2
    assert results.systems["qasper", "s"].parameters == {"k": 1}
    assert len((tmp_path / "deep" / "r.jsonl").read_text().splitlines()) == 6


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_skipped_by_readers_and_cut_off_by_the_next_writer(
    cut: int, tmp_path: Path
) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")
    with file.writing():
        file.append(_answer("a"))
        file.append(_answer("b"))
    data = file.path.read_bytes()
    file.path.write_bytes(data[:-cut])
    assert [row.question for row in file.read().answers.values()] == ["a"]
    with file.writing():
        file.append(_answer("c"))
    assert [row.question for row in file.read().answers.values()] == ["a", "c"]


def test_a_file_that_is_one_torn_line_starts_anew(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")
    file.path.write_bytes(b'{"type": "ans')
    with file.writing():
        file.append(_answer())
    assert len(file.read().answers) == 1


def test_damage_elsewhere_is_named_by_its_line(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")
    file.path.write_text("\n{nonsense}\n")
    with pytest.raises(StoreError, match="line 2"):
        file.read()


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")
    with file.writing(), pytest.raises(UsageError, match="Another run"), ResultsFile(file.path).writing():
        pass


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")

    def write(name: int) -> None:
        for seed in range(25):
            file.append(_answer(str(name), seed, text="x" * 5000))

    with file.writing():
        threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(file.read().answers) == 150


def test_unknown_fields_of_a_later_version_are_ignored(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "r.jsonl")
    row = json.loads(_answer().model_dump_json()) | {"novelty": 1}
    file.path.write_text(json.dumps(row) + "\n")
    assert len(file.read().answers) == 1


def test_files_are_read_as_one_and_a_missing_one_is_refused(tmp_path: Path) -> None:
    for name in "ab":
        with (file := ResultsFile(tmp_path / name)).writing():
            file.append(_answer(name))
    assert len(read_all([tmp_path / "a", tmp_path / "b"]).answers) == 2
    with pytest.raises(UsageError, match="no results file"):
        read_all([tmp_path / "c"])


def test_an_answer_comes_back_from_its_row() -> None:
    question = Question(id="q", text="A secret question", benchmark=Benchmark.LITQA2, grading=Grading.CHOICE)
    answer = SystemAnswer(
        text="B",
        evidence=frozenset({("b", 2), ("a", 1)}),
        context=("page",),
        usage=RunUsage(prompt_tokens=5, model_calls=1, cost=None),
        citations=(Citation(doc_id="a", page=1, status=CitationStatus.READ, text="(a, p.1)"),),
        uncited=("B",),
        trajectory=(
            Step(round=1, call=1, tool="t", layer=None, arguments={"x": [1]}, tokens=3, sources=(("a", 1),)),
        ),
        ranking=(("b", 2),),
        details={"rounds": 1},
    )
    row = answer_row(
        question,
        answer,
        system="s",
        seed=2,
        model="m",
        seconds=1.23456,
        metrics={"f": None},
        labels={},
        keep_context=True,
    )
    text = row.model_dump_json()
    assert answer_from_row(AnswerRow.model_validate_json(text)) == answer
    assert "secret" not in text, "rows name questions by id"
