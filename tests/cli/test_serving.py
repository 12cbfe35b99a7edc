"""``vectree mcp``: what it refuses before it serves. What it serves is tested in tests/mcp."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from vectree.cli import app


@pytest.mark.parametrize(
    "options", [("--host", "::1"), ("--port", "8000"), ("--allow-host", "lab.example")], ids=lambda o: o[0]
)
def test_addresses_without_http_are_refused(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["mcp", *options])
    assert result.exit_code == 2
    assert "need --http" in result.stderr


def test_an_impossible_port_is_refused() -> None:
    result = CliRunner().invoke(app, ["mcp", "--http", "--port", "70000"])
    assert result.exit_code == 2
    assert "from 0 to 65535" in result.stderr


def test_a_folder_without_a_corpus_is_told_before_a_client_waits(tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    result = CliRunner().invoke(app, ["mcp", "--corpus", str(tmp_path / "none")])
    assert result.exit_code == 1
    assert "There is no corpus" in result.stderr
    assert not result.stdout


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    result = CliRunner().invoke(app, ["mcp", "--corpus", str(tmp_path)])
    assert result.exit_code == 1
    assert "vectree-core[mcp]" in result.stderr
