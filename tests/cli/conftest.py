"""A corpus of the example papers, built once for all tests of the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from vectree.cli import app


@dataclass(frozen=True)
class CommandLine:
    """The command line, called in this process on one corpus."""

    corpus: Path

    def run(self, *arguments: str | Path) -> Result:
        """Call a command."""
        words = [str(argument) for argument in arguments]
        return CliRunner().invoke(app, [*words, "--corpus", str(self.corpus)])

    def json(self, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
        """Call a command with ``--json``; standard output must be one JSON document."""
        result = self.run(*arguments, "--json")
        assert result.exit_code == code, result.output
        return json.loads(result.stdout)

    def doc_id(self, title: str) -> str:
        """The document whose title contains this."""
        documents = self.json("list")["documents"]
        return next(d["doc_id"] for d in documents if title.casefold() in d["title"].casefold())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> CommandLine:
    """A corpus to read from."""
    line = CommandLine(tmp_path_factory.mktemp("cli") / "corpus")
    result = line.run("add", example_papers, "--embedder", "hash")
    assert result.exit_code == 0, result.output
    return line


@pytest.fixture
def changeable(built: CommandLine, tmp_path: Path) -> CommandLine:
    """A copy that a test may change; that it works at all shows that a corpus can be moved."""
    return CommandLine(Path(shutil.copytree(built.corpus, tmp_path / "moved")))
