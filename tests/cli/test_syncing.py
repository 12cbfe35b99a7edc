"""sync."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import CommandLine


def note(folder: Path, name: str, words: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(
        f"# {words}\n\n## Introduction\n\n{words} are described here.\n\n## Methods\n\nMore words.\n"
    )
    return path


def test_a_folder_is_brought_in_line_and_json_says_what_was_done(
    changeable: CommandLine, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    gone = note(folder, "a.md", "Membranes of glass and salt")
    note(folder, "b.md", "Electrolytes made of polymers")
    foreseen = changeable.json("sync", folder, "--dry-run")
    assert [item["doc_id"] for item in foreseen["added"]] == [None, None]
    assert (foreseen["dry_run"], foreseen["removed"]) == (True, [])
    assert len(changeable.json("list")["documents"]) == 5
    done = changeable.json("sync", folder)
    assert [item["source"] for item in done["added"]] == ["notes/a.md", "notes/b.md"]
    assert set(done) == {"added", "replaced", "unchanged", "failed", "removed", "warnings", "dry_run"}
    gone.unlink()
    again = changeable.json("sync", folder)
    assert again["removed"] == [done["added"][0]]
    assert len(changeable.json("list")["documents"]) == 6


def test_sync_for_people_names_every_change(changeable: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    path = note(folder, "a.md", "Membranes of glass and salt")
    assert "1 added; nothing was changed (--dry-run)" in changeable.run("sync", folder, "--dry-run").stdout
    assert "1 added" in changeable.run("sync", folder).stdout
    path.unlink()
    refused = changeable.run("sync", folder)
    assert refused.exit_code == 2
    assert "--allow-empty" in refused.stderr
    result = changeable.run("sync", folder, "--allow-empty")
    assert result.exit_code == 0
    assert "removed" in result.stdout
    assert "notes/a.md" in result.stdout


def test_c33_a_bad_file_costs_itself_and_the_exit_code_says_so(
    changeable: CommandLine, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    note(folder, "a.md", "Membranes of glass and salt")
    (folder / "b.pdf").write_bytes(b"no PDF")
    report = changeable.json("sync", folder, code=1)
    assert [item["source"] for item in report["added"]] == ["notes/a.md"]
    assert [item["source"] for item in report["failed"]] == ["notes/b.pdf"]


def test_the_parser_has_a_name(changeable: CommandLine, tmp_path: Path) -> None:
    path = note(tmp_path / "notes", "a.md", "Membranes of glass and salt")
    result = changeable.run("add", path, "--parser", "tesseract")
    assert result.exit_code == 2
    assert "auto, pdfium, marker" in result.stderr
    assert changeable.run("add", path, "--parser", "pdfium").exit_code == 0
