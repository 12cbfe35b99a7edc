"""What docs/mcp.md tells people to paste can be pasted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from vectree import Corpus
from vectree.cli import app

TEXT = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
CONFIGURATIONS = [block for language, block in BLOCKS if language == "json"]
COMMAND: Any = get_command(app).get_command(None, "mcp")  # type: ignore[attr-defined,arg-type]
OPTIONS: set[str] = {option for parameter in COMMAND.params for option in parameter.opts}  # pyright: ignore


@pytest.mark.parametrize("block", CONFIGURATIONS)
def test_a_configuration_names_one_server_that_runs_this_command(block: str) -> None:
    (servers,) = json.loads(block).values()
    assert servers["papers"]["command"].endswith("vectree")
    assert servers["papers"]["args"][:2] == ["mcp", "--corpus"]


def test_every_option_named_exists() -> None:
    assert len(CONFIGURATIONS) == 3
    named = set(re.findall(r"(--(?:http|host|port|allow-host|corpus))\b", TEXT))
    assert named == OPTIONS & named == {"--http", "--host", "--port", "--allow-host", "--corpus"}


def test_the_python_block_runs(tmp_path: Path, example_papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mcp")
    monkeypatch.chdir(tmp_path)
    Corpus.open("papers-corpus", embedder="hash").add(next(iter(sorted(example_papers.glob("*.pdf")))))
    (code,) = [block for language, block in BLOCKS if language == "python"]
    space: dict[str, object] = {}
    exec(code, space)
    assert type(space["app"]).__name__ == "Starlette"
