"""The commands of docs/search.md that need no model from elsewhere run, and what it names exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vectree.cli import app
from vectree.cli.commands import COMMANDS
from vectree.index.embedders import FORMS, VARIABLE
from vectree.index.endpoint_embedder import KEY_VARIABLES, URL_VARIABLES

DOCUMENT = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
COMMAND_LINES = [
    line.split("#")[0].strip()
    for block in re.findall(r"^```\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
    if line.startswith("vectree ")
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> Path:
    folder = tmp_path_factory.mktemp("search") / "corpus"
    added = CliRunner().invoke(
        app, ["add", str(example_papers), "--embedder", "hash", "--corpus", str(folder)]
    )
    assert added.exit_code == 0, added.output
    return folder


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_every_command_without_a_model_from_elsewhere_runs(line: str, corpus: Path) -> None:
    if "--embedder" in line:
        pytest.skip("needs a model from elsewhere")
    done = CliRunner().invoke(app, [*shlex.split(line)[1:], "--corpus", str(corpus)])
    assert done.exit_code == 0, done.output
    assert "gates" in done.stdout


def test_commands_names_and_variables_are_those_there_are() -> None:
    assert len(COMMAND_LINES) >= 5
    assert {line.split()[1] for line in COMMAND_LINES} <= set(COMMANDS)
    for name in re.findall(r"'([^']+)'", FORMS):
        assert f"`{name}`" in DOCUMENT
    for variable in (VARIABLE, *URL_VARIABLES, *KEY_VARIABLES):
        assert variable in DOCUMENT
