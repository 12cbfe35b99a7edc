"""The commands of docs/asking.md that need no service run, and its options exist."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vectree.cli import app
from vectree.cli.commands import COMMANDS
from vectree.llm.names import SERVICES

DOCUMENT = (Path(__file__).parents[2] / "docs" / "asking.md").read_text(encoding="utf-8")
COMMAND_LINES = [
    line
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    if not language
    for line in block.splitlines()
    if line.startswith("vectree ")
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> Path:
    folder = tmp_path_factory.mktemp("asking") / "corpus"
    added = CliRunner().invoke(
        app, ["add", str(example_papers), "--embedder", "hash", "--corpus", str(folder)]
    )
    assert added.exit_code == 0, added.output
    return folder


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_every_command_without_a_service_runs(
    line: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--model" in line:
        pytest.skip("needs a service")
    monkeypatch.chdir(tmp_path)
    words = [*shlex.split(line)[1:], "--corpus", str(corpus)]
    done = CliRunner().invoke(app, words, input="What is the density of the garnet?\n")
    assert done.exit_code == 0, done.output
    assert done.stdout
    if "--json" in line:
        assert {"citations", "evidence", "uncited", "numbers_not_found"} <= set(json.loads(done.stdout))


def test_commands_services_and_variables_are_those_there_are() -> None:
    assert len(COMMAND_LINES) >= 5
    assert {line.split()[1] for line in COMMAND_LINES} <= set(COMMANDS)
    for service in SERVICES:
        assert f"`{service}:NAME`" in DOCUMENT
    for variable in {name for service in SERVICES.values() for name in service.key_variables}:
        assert variable in DOCUMENT
