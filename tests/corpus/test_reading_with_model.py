"""Papers read with a model: nothing half-stored when it dies, and nothing paid twice (C07, C13)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.document import SummarySource
from vectree.errors import ModelUnavailable, UsageError
from vectree.llm.chat import ChatRequest, Reply, Usage
from vectree.llm.scripted import FunctionModel
from vectree.tree.walk import walk

SENTENCES = [
    "The membranes were cast from solution and dried for two days in vacuum.",
    "Their conductivity was measured in humid gas at high temperature.",
    "A control without the salt was treated in exactly the same way.",
]


def write_paper(folder: Path, name: str, sections: int = 4) -> Path:
    folder.mkdir(exist_ok=True)
    parts = [f"# A study of membrane {name}", "Ada Lovelace and Alan Turing"]
    for number in range(1, sections + 1):
        body = " ".join(SENTENCES[n % 3].replace(".", f" in run {name} {number} {n}.") for n in range(16))
        parts += [f"## {number} Topic {'abcdef'[number]}", body]
    path = folder / f"{name}.md"
    path.write_text("\n\n".join(parts))
    return path


def answer(request: ChatRequest) -> Reply:
    replies: dict[str, Any] = {
        "SummaryReply": {"summary": "Membranes were cast from solution and compared with a control."},
        "MetadataReply": {
            "description": "Membranes are cast, dried and compared with a control without salt."
        },
        "HeadingsReply": {"headings": []},
        "_EntailmentReply": {"supported": True},
    }
    text = json.dumps(replies[str((request.schema or {})["title"])])
    return Reply(text=text, usage=Usage(prompt_tokens=100, completion_tokens=10, cost=0.25))


class Dying(FunctionModel):
    """Answers so many requests, and no more."""

    def __init__(self, answers: int) -> None:
        self.left, self.answered = answers, 0
        self._lock = threading.Lock()
        super().__init__(self._reply, name="m")

    def _reply(self, request: ChatRequest) -> Reply:
        with self._lock:
            if self.left == 0:
                raise ModelUnavailable("The service went away.", hint="Try again later.")
            self.left -= 1
            self.answered += 1
        return answer(request)


def healthy() -> FunctionModel:
    return FunctionModel(answer, name="m")


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    write_paper(tmp_path / "papers", "one")
    return tmp_path / "papers"


@pytest.fixture
def library(tmp_path: Path) -> Corpus:
    return Corpus.open(tmp_path / "corpus", embedder="hash")


@pytest.fixture
def calls(tmp_path: Path, papers: Path) -> int:
    """What reading the folder costs."""
    model = healthy()
    Corpus.open(tmp_path / "counted", embedder="hash").add(papers, model=model)
    return len(model.requests)


def test_a_model_takes_part_only_when_asked(library: Corpus, papers: Path) -> None:
    quiet = Corpus.open(library.path, embedder="hash", model=healthy())
    (added,) = quiet.add(papers).added
    assert "model" not in quiet.report(added.doc_id)


def test_the_report_tells_calls_tokens_and_money_by_stage(library: Corpus, papers: Path, calls: int) -> None:
    (added,) = library.add(papers, model=healthy()).added
    report = library.report(added.doc_id)["model"]
    assert (report["name"], report["calls"], report["paid"]) == ("m", calls, calls)
    assert (report["prompt_tokens"], report["cost"]) == (100 * calls, 0.25 * calls)
    assert set(report["stages"]) == {"summaries", "metadata"}
    sources = {node.summary_source for node in walk(library.tree(added.doc_id))}
    assert SummarySource.MODEL in sources
    assert library.record(added.doc_id).metadata.provenance["description"] == "model"


def test_c13_a_model_that_dies_after_any_call_leaves_nothing_and_the_rerun_pays_the_rest(
    tmp_path: Path, papers: Path, calls: int
) -> None:
    assert calls >= 5
    for answered in range(calls):
        library = Corpus.open(tmp_path / f"corpus-{answered}", embedder="hash")
        dying = Dying(answered)
        report = library.add(papers, model=dying)
        (failed,) = report.failed
        assert "The service went away. Try again later." in failed.reason
        assert library.list() == ()
        assert list((library.path / "staging").iterdir()) == []
        rerun = healthy()
        assert len(library.add(papers, model=rerun).added) == 1
        assert dying.answered + len(rerun.requests) == calls


def test_one_paper_that_fails_costs_no_other(
    tmp_path: Path, library: Corpus, papers: Path, calls: int
) -> None:
    write_paper(papers, "two")
    report = library.add(papers, model=Dying(calls), jobs=1)
    assert (len(report.added), len(report.failed)) == (1, 1)


class Killed(BaseException):
    """Stands for a process that ends between two system calls."""


def test_c13_a_death_at_any_write_step_pays_at_most_once_more_what_was_under_way(tmp_path: Path) -> None:
    papers = write_paper(tmp_path / "short", "short", sections=2).parent
    died = 0
    for step in range(1, 40):
        library = Corpus.open(tmp_path / f"corpus-{step}", embedder="hash")
        first = healthy()
        with pytest.MonkeyPatch.context() as patch:
            _die_at(patch, step)
            try:
                library.add(papers, model=first, jobs=1)
            except Killed:
                died += 1
            else:
                break
        reader = Corpus.open(library.path, embedder="hash")
        second = healthy()
        reader.add(papers, model=second)
        (record,) = reader.list()
        assert reader.search("*").total_matches == 1
        assert [n.summary_source for n in walk(reader.tree(record.doc_id))].count(SummarySource.MODEL) == 2
        paid = {request.messages[-1].text for request in first.requests}
        again = [request for request in second.requests if request.messages[-1].text in paid]
        assert len(again) <= 2  # both summaries may be under way when the process dies
    assert died > len(first.requests)


def _die_at(patch: pytest.MonkeyPatch, step: int) -> None:
    lock, taken = threading.Lock(), 0

    def guard(real: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **named: Any) -> Any:
            nonlocal taken
            with lock:
                taken += 1
                if taken >= step:
                    raise Killed
            return real(*arguments, **named)

        return guarded

    patch.setattr(os, "replace", guard(os.replace))
    patch.setattr(os, "rename", guard(os.rename))


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_reading_with_model import answer
from vectree.corpus import Corpus
from vectree.llm.scripted import FunctionModel

def slow(request):
    reply = answer(request)
    print("asked", flush=True)
    time.sleep(0.1)
    return reply

Corpus.open(sys.argv[1], embedder="hash").add(sys.argv[2], model=FunctionModel(slow, name="m"), jobs=1)
"""


def test_c13_a_killed_process_is_answered_from_disk_as_far_as_it_came(
    library: Corpus, papers: Path, calls: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(library.path), str(papers), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(calls)]
        process.kill()
    assert all(lines)
    rerun = healthy()
    assert len(library.add(papers, model=rerun).added) == 1
    assert 1 <= len(rerun.requests) < calls


def test_the_same_reply_serves_a_paper_that_was_removed_and_added_again(
    library: Corpus, papers: Path
) -> None:
    (added,) = library.add(papers, model=healthy()).added
    library.remove(added.doc_id)
    again = healthy()
    (added,) = library.add(papers, model=again).added
    assert again.requests == []
    report = library.report(added.doc_id)["model"]
    assert (report["paid"], report["cost"], report["calls"] > 4) == (0, 0, True)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"structure": "llm"}, "none is named"),
        ({"paper_exact": True}, "none is named"),
        ({"structure": "magic", "model": healthy()}, "no structure mode 'magic'"),
        ({"structure": "layout", "paper_exact": True, "model": healthy()}, "needs a model"),
        ({"model": "nonsense"}, "names no model"),
    ],
)
def test_impossible_wishes_are_refused_before_anything_is_read(
    library: Corpus, papers: Path, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        library.add(papers, **options)
    assert not library.path.exists()


def test_a_sample_of_summaries_is_judged_and_the_same_seed_asks_nothing_new(
    library: Corpus, papers: Path
) -> None:
    library.add(papers, model=healthy())

    def judge(request: ChatRequest) -> str:
        bad = "Topic b" in request.messages[1].text
        return json.dumps({"supported": not bad, "unsupported": ["a control"] if bad else []})

    judging = FunctionModel(judge, name="judge")
    check = library.check_summaries(model=judging, sample=10)
    assert (check.summaries, len(check.checked), check.model) == (4, 4, "judge")
    assert (check.counts, check.rate) == ({"supported": 3, "unsupported": 1, "unknown": 0}, 0.75)
    (bad,) = [each for each in check.checked if each.verdict == "unsupported"]
    assert (bad.title, bad.unsupported, bad.source, bad.whole) == ("1 Topic b", ("a control",), "model", True)
    assert library.check_summaries(model=judging, sample=10) == check
    assert len(judging.requests) == 4
    assert len(library.check_summaries(model=judging, sample=2).checked) == 2


def test_judging_needs_a_judge(library: Corpus, papers: Path) -> None:
    library.add(papers)
    with pytest.raises(UsageError, match="needed to judge"):
        library.check_summaries(model="extractive")
    with pytest.raises(UsageError, match="at least 1"):
        library.check_summaries(model=healthy(), sample=0)


def test_what_was_read_by_rules_can_be_read_again_with_a_model(
    library: Corpus, papers: Path, calls: int
) -> None:
    (added,) = library.add(papers).added
    before = library.record(added.doc_id)
    model = healthy()
    assert library.add(papers, model=model).unchanged == (added,)
    assert model.requests == []
    report = library.add(papers, model=model, reread=True)
    assert (report.replaced, len(model.requests)) == ((added,), calls)
    after = library.record(added.doc_id)
    assert (after.sha256, after.sources) == (before.sha256, before.sources)
    assert after.metadata.provenance["description"] == "model"
    assert library.search("*").total_matches == 1
