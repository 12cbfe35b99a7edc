"""What README.md shows is what happens."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
COMMANDS = [
    line.split("#")[0].strip()
    for language, block in BLOCKS
    if not language
    for line in block.splitlines()
    if line.startswith("vectree ")
]
MODULE = [sys.executable, "-m", "vectree"]


def _squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> Path:
    """A home folder with the example papers in ``papers``."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(example_papers, folder / "papers", ignore=shutil.ignore_patterns("src", "*.py"))
    return folder


@pytest.mark.xdist_group("readme")
def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shown = re.search(r"<!-- demo -->\n```text\n(.*?)```", README, re.DOTALL)
    assert shown
    printed = subprocess.run(
        [*MODULE, "demo"], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout
    for paragraph in re.split(r"\n\n|\n(?=- )", shown[1].strip()):
        assert _squeezed(paragraph) in _squeezed(printed)


@pytest.mark.xdist_group("readme")
def test_every_command_runs(home: Path) -> None:
    assert len(COMMANDS) >= 5
    environment = {**os.environ, "HOME": str(home), "VECTREE_EMBEDDER": "hash"}
    for command in COMMANDS:
        words = [word.replace("~", str(home)) for word in shlex.split(command)[1:]]
        done = subprocess.run([*MODULE, *words], capture_output=True, text=True, cwd=home, env=environment)
        assert (done.returncode, bool(done.stdout)) == (0, True), (command, done.stderr)


@pytest.mark.xdist_group("readme")
def test_every_python_block_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    blocks = [block for language, block in BLOCKS if language == "python"]
    assert len(blocks) >= 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert names["answer"].citations  # type: ignore[attr-defined]
    assert len(names["tools"]) == 7  # type: ignore[arg-type]
