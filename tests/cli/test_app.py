"""The frame: version, settings, errors, streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from vectree import __version__
from vectree.cli import app
from vectree.cli.commands import COMMANDS
from vectree.cli.settings import read_settings
from vectree.errors import UsageError

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"vectree {__version__}\n"


def test_help_names_every_command() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    for command in (
        "add",
        "search",
        "tree",
        "read",
        "figures",
        "ask",
        "list",
        "remove",
        "demo",
        "report",
        "reindex",
    ):
        assert f"\n  {command} " in shown


def test_an_unknown_option_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["list", "--colour"]).exit_code == 2


def test_the_corpus_comes_from_the_environment(built: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VECTREE_CORPUS", str(built.corpus))
    assert "5 documents" in CliRunner().invoke(app, ["list"]).stderr


def test_the_corpus_comes_from_a_settings_file(
    built: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vectree.toml").write_text(f"corpus = {json.dumps(str(built.corpus))}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "5 documents" in CliRunner().invoke(app, ["list"]).stderr


@pytest.mark.parametrize("text", ["corpus = 3", "colour = 'red'", "corpus = ["])
def test_a_bad_settings_file_is_wrong_usage(text: str, tmp_path: Path) -> None:
    (tmp_path / "vectree.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"vectree\.toml"):
        read_settings(tmp_path)


def _script(*arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run([sys.executable, "-m", "vectree", *arguments], capture_output=True, env=environment)


def test_c33_output_survives_a_console_that_knows_few_characters(built: CommandLine) -> None:
    for extra in ([], ["--json"]):
        result = _script("list", "--corpus", str(built.corpus), *extra, encoding="cp1252")
        assert (result.returncode, b"Traceback" in result.stderr) == (0, False)
    assert any("Křížová" in name for d in json.loads(result.stdout)["documents"] for name in d["authors"])


def test_a_reader_that_goes_away_is_no_error(built: CommandLine) -> None:
    command = f"{sys.executable} -m vectree list --corpus {built.corpus} | head -n 1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stderr.strip() in ("", "5 documents")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_list_says(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


def test_help_loads_no_stage() -> None:
    code = "import sys; from typer.testing import CliRunner; from vectree.cli import app"
    code += "; CliRunner().invoke(app, ['--help']); print('numpy' in sys.modules, 'pydantic' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "False False\n"
