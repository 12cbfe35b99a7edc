"""The commands of docs/evaluation.md: each runs, asking nobody, on small files of the documented names."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from vectree.cli import app, eval_fetching, eval_results, evaluating
from vectree.corpus import Corpus
from vectree.evaluate.fetching.courier import Courier
from vectree.evaluate.systems.catalogue import SYSTEMS
from vectree.index.embedders import resolve_embedder
from vectree.llm.scripted import FunctionModel

REPOSITORY = Path(__file__).parents[2]
DOCUMENT = (REPOSITORY / "docs" / "evaluation.md").read_text(encoding="utf-8")
DATA = REPOSITORY / "tests" / "evaluate" / "data"
COMMANDS = [
    line
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    if not language
    for line in block.splitlines()
]
GRADE = {
    "statements": ["s"],
    "facts": ["f"],
    "true_positives": [1],
    "covered": [1],
    "supported": [1],
    "verdict": "correct",
}


def judge(name: str | None, *_: Any) -> FunctionModel | None:
    return FunctionModel(lambda _: json.dumps(GRADE), name=name) if name else None


def everywhere(pdf: bytes) -> httpx.MockTransport:
    """Every service knows a copy, and it is there."""

    def answer(request: httpx.Request) -> httpx.Response:
        if "openalex" not in request.url.host:
            return httpx.Response(200, content=pdf)
        location = {"is_oa": True, "pdf_url": "https://press.example/a.pdf", "license": "cc-by"}
        return httpx.Response(200, json={"best_oa_location": location})

    return httpx.MockTransport(answer)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> Path:
    """Small files of the documented names."""
    folder = tmp_path_factory.mktemp("evaluation")
    for name in ("qasper-dev-v0.3.json.gz", "qasper-test-v0.3.json"):
        shutil.copy(DATA / "qasper.json", folder / name)
    library = Corpus.open(folder / "papers-corpus", embedder="hash")
    library.add(example_papers)
    shutil.copytree(example_papers, folder / "litqa2-papers")
    shutil.copytree(folder / "papers-corpus", folder / "litqa2-corpus")
    names = [record.doc_id for record in library.list()]
    dois = {"sources": ["https://doi.org/10.5555/a"], "pdf": library.list()[0].source}
    row = {"id": "l1", "question": "What is it?", "ideal": "a", "distractors": ["b"], **dois}
    (folder / "litqa2.jsonl").write_text(json.dumps(row))
    own = {"question": "What is it?", "answer": "a", "documents": names[:1]}
    (folder / "my-questions.jsonl").write_text(json.dumps(own))
    evidence = [{"doc_id": name, "page": 1, "quote": "x"} for name in names]
    made = {"id": "q0000", "type": "inference", "question": "?", "answer": "a", "reasoning_chain": []}
    (folder / "my-set").mkdir()
    for name in ("questions.jsonl", "questions-reviewed.jsonl"):
        (folder / "my-set" / name).write_text(json.dumps({**made, "evidence": evidence}) + "\n")
    for reviewer in ("ana", "ben"):
        (folder / f"{reviewer}.csv").write_text("id,verdict\nq0000,keep\n")
    return folder


@pytest.fixture
def nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No service is reached: no network, a key that is none, embedders that need no weights."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPENROUTER_API_KEY", "none")
    monkeypatch.setenv("VECTREE_MAILTO", "me@uni.example")
    net = everywhere(next(folder.glob("litqa2-papers/*.pdf")).read_bytes())
    monkeypatch.setattr(
        eval_fetching, "Courier", lambda mailto: Courier(mailto, transport=net, sleep=lambda _: None)
    )
    monkeypatch.setattr(eval_results, "read_model", judge)
    monkeypatch.setattr(evaluating, "resolve_embedder", lambda name: resolve_embedder("hash"))


def words(line: str) -> list[str]:
    """The command, without prices to pay and weights to load."""
    found = shlex.split(line)[1:]
    asks = "--model" in found
    found = ["hash" if word in ("specter2", "minilm") else word for word in found]
    if found[0] == "eval" and "--embedder" not in found and found[1] in ("qasper",):
        found += ["--embedder", "hash"]
    return [*found, "--dry-run"] if asks else found


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_runs(line: str, folder: Path) -> None:
    if "eval report" in line or "eval regrade" in line:
        _results(folder)
    done = CliRunner().invoke(app, words(line))
    assert done.exit_code == 0, done.output
    assert done.stdout


@pytest.mark.usefixtures("nobody")
def test_the_dry_runs_price_every_system_and_the_judge() -> None:
    line = next(line for line in COMMANDS if "eval qasper" in line and "--judge" in line)
    done = CliRunner().invoke(app, [*words(line), "--json"])
    found = json.loads(done.stdout)
    assert [system["name"] for system in found["systems"]] == [
        "dense",
        "rerank",
        "raptor",
        "search-o1",
        "agent",
    ]
    assert found["cost"] > found["judge"]["cost"] > 0


def test_systems_and_commands_are_those_there_are() -> None:
    named = {
        name
        for line in COMMANDS
        for group in re.findall(r"--systems (\S+)", line)
        for name in group.split(",")
    }
    assert named <= {entry.name for entry in SYSTEMS}
    assert len(COMMANDS) == 13
    assert {line.split()[2] for line in COMMANDS if line.startswith("vectree eval")} >= {
        "systems",
        "fetch-litqa2",
        "build-set",
        "review-set",
        "regrade",
        "report",
    }


def _results(folder: Path) -> None:
    """What the runs before would have left."""
    own = "vectree eval {0} --data {1} --corpus {2} --systems extractive --results vectree-eval/{0}.jsonl"
    for name, data, corpus in (
        ("qasper", "qasper-test-v0.3.json", "qasper-corpus --embedder hash"),
        ("litqa2", "litqa2.jsonl", "litqa2-corpus"),
        ("mosaic", "my-set/questions.jsonl", "papers-corpus"),
    ):
        if not (folder / "vectree-eval" / f"{name}.jsonl").exists():
            done = CliRunner().invoke(app, shlex.split(own.format(name, data, corpus))[1:])
            assert done.exit_code == 0, done.output
