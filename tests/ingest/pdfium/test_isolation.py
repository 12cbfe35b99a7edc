from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from vectree.errors import CorruptDocument, EncryptedDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits, Parser
from vectree.ingest.parsers.pdfium import PdfiumParser, isolation, watch

Make = Callable[..., Path]


def page(text: str) -> Callable[[Canvas], None]:
    return lambda canvas: canvas.drawString(72, 700, text)


@pytest.fixture
def figures(tmp_path: Path) -> Path:
    folder = tmp_path / "figures"
    folder.mkdir()
    return folder


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a script in the worker's place; it has the request in ``request`` and a whole page in ``PAGE``."""
    prelude = """
        import json, os, sys, time
        request = json.loads(sys.stdin.buffer.read())
        skip = request["skip"]
        def say(text): os.write(1, text.encode() + b"\\n")
        def done(document):
            with open(request["result"], "w") as stream: json.dump({"document": document}, stream)
        PAGE = {"number": 1, "width": 612, "height": 792, "raw": "", "status": "blank"}
    """

    def install(script: str) -> None:
        source = textwrap.dedent(prelude) + textwrap.dedent(script)
        (tmp_path / "stand_in_reader.py").write_text(source, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(isolation, "WORKER", "stand_in_reader")

    return install


def parse(path: Path, figures: Path, **limits: Any) -> ParsedDocument:
    return PdfiumParser(ParseLimits(**limits)).parse(path, figures=figures)


def test_the_parser_keeps_the_seam() -> None:
    assert isinstance(PdfiumParser(), Parser)
    assert PdfiumParser.name == "pdfium"


def test_both_ways_of_reading_give_the_same_document(make_pdf: Make, figures: Path) -> None:
    path = make_pdf(page("one page"), page("and another"))
    isolated = PdfiumParser().parse(path, figures=figures)
    assert isolated == PdfiumParser(isolated=False).parse(path, figures=figures)
    assert [found.raw for found in isolated.pages] == ["one page", "and another"]


def test_errors_cross_the_border(make_pdf: Make, figures: Path) -> None:
    locked = make_pdf(page("secret"), encrypt=StandardEncryption("key", strength=128))
    with pytest.raises(EncryptedDocument, match="--password"):
        parse(locked, figures)
    assert PdfiumParser().parse(locked, figures=figures, password="key").pages[0].raw == "secret"


def test_a_file_that_is_no_pdf_starts_no_process(
    tmp_path: Path, figures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    (tmp_path / "page.pdf").write_bytes(b"<html>")
    with pytest.raises(CorruptDocument):
        parse(tmp_path / "page.pdf", figures)


def test_the_password_and_the_callers_keys_stay_out_of_the_process_list_and_environment(
    make_pdf: Make, figures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []
    popen = subprocess.Popen

    def spy(command: list[str], **options: Any) -> Any:
        started.append((command, options["env"]))
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", spy)
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    PdfiumParser().parse(make_pdf(page("x")), figures=figures, password="open sesame")
    ((command, environment),) = started
    assert "open sesame" not in " ".join(command)
    assert "sk-secret" not in environment.values()
    assert command[-2:] == ["-m", "vectree.ingest.worker"]


def test_a_file_whose_name_is_no_text_is_read(make_pdf: Make, figures: Path, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.pdf"))
    try:
        make_pdf(page("coffee")).rename(odd)
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    assert parse(odd, figures).pages[0].raw == "coffee"


def test_several_threads_read_at_once(make_pdf: Make, tmp_path: Path) -> None:
    paths = [make_pdf(page(f"document {number}"), name=f"{number}.pdf") for number in range(3)]

    def run(path: Path) -> str:
        folder = tmp_path / path.stem
        folder.mkdir()
        return PdfiumParser().parse(path, figures=folder).pages[0].raw

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, paths)) == ["document 0", "document 1", "document 2"]


def test_a_script_without_a_main_guard_can_read(make_pdf: Make, figures: Path, tmp_path: Path) -> None:
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import pathlib, sys\n"
        "from vectree.ingest.parsers.pdfium import PdfiumParser\n"
        "document = PdfiumParser().parse(pathlib.Path(sys.argv[1]), figures=pathlib.Path(sys.argv[2]))\n"
        "print(document.pages[0].raw)\n"
    )
    command = [sys.executable, str(script), str(make_pdf(page("read once"))), str(figures)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stdout, ran.stderr) == ("read once\n", "")


def test_a_page_that_hangs_is_passed_over(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("""
        say("read 1 1")
        if "1" not in skip["unread"]: time.sleep(60)
        done({"pages": [PAGE], "warnings": [skip["unread"]["1"]]})
    """)
    started = time.monotonic()
    document = parse(make_pdf(page("x")), figures, page_seconds=0.5)
    assert document.warnings == ("it took too long",)
    assert time.monotonic() - started < 30


def test_a_page_that_kills_the_reader_is_passed_over(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("""
        say("read 1 3"); say("read 2 3")
        if "2" not in skip["unread"]: os.abort()
        done({"pages": [PAGE], "warnings": [skip["unread"]["2"]]})
    """)
    assert "signal 6" in parse(make_pdf(page("x")), figures).warnings[0]


def test_a_figure_that_kills_the_reader_costs_the_figures_of_its_page(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("""
        say("read 1 1"); say("crop 1 1")
        if "1" not in skip["uncropped"]: os.abort()
        done({"pages": [PAGE], "warnings": list(skip["unread"])})
    """)
    assert parse(make_pdf(page("x")), figures).warnings == ()


def test_a_reader_that_dies_over_and_over_is_given_up(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("""
        say("read %d 9" % (len(skip["unread"]) + 1))
        os.abort()
    """)
    with pytest.raises(ParseError, match="died at page 3"):
        parse(make_pdf(page("x")), figures)


def test_a_reader_that_never_says_a_word_is_stopped(
    reader: Callable[[str], None], make_pdf: Make, figures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "START_SECONDS", 0.5)
    reader("time.sleep(60)")
    with pytest.raises(ParseLimit, match=r"within 0\.2 s"):
        parse(make_pdf(page("x")), figures, page_seconds=0.2)


def test_a_reader_that_goes_on_and_on_is_stopped(
    reader: Callable[[str], None], make_pdf: Make, figures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "START_SECONDS", 1.0)
    reader("""
        while True:
            say("read 1 1")
            time.sleep(0.05)
    """)
    with pytest.raises(ParseLimit, match=r"more than 0\.3 s"):
        parse(make_pdf(page("x")), figures, total_seconds=0.3)


def test_a_reader_that_cannot_start_says_why(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("import no_such_module_anywhere")
    with pytest.raises(ParseError, match="No module named 'no_such_module_anywhere'"):
        parse(make_pdf(page("x")), figures)


def test_noise_on_the_progress_line_is_passed_over(
    reader: Callable[[str], None], make_pdf: Make, figures: Path
) -> None:
    reader("""
        say("hello"); os.write(1, b"\\xff" * 10_000 + b"\\n"); say("read x y"); say("read 1 1")
        done({"pages": [PAGE]})
    """)
    assert len(parse(make_pdf(page("x")), figures).pages) == 1


def test_nothing_is_left_in_the_temporary_folder(
    make_pdf: Make, figures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    parse(make_pdf(page("x")), figures)
    assert list(scratch.iterdir()) == []
