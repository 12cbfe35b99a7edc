from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from vectree.errors import EncryptedDocument
from vectree.ingest import worker
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.pdfium.exchange import Request, dump_request


def request(tmp_path: Path, **limits: Any) -> Request:
    return Request(
        path=str(tmp_path / "paper.pdf"),
        figures=str(tmp_path),
        result=str(tmp_path / "result.json"),
        limits=ParseLimits(**limits),
    )


def test_a_document_is_served(tmp_path: Path) -> None:
    document = ParsedDocument(pages=())
    outcome = worker.serve(request(tmp_path), lambda *_, **__: document)
    assert outcome.document is document


def test_an_error_is_served_with_its_class_and_hint(tmp_path: Path) -> None:
    def locked(*_: Any, **__: Any) -> ParsedDocument:
        raise EncryptedDocument("It is locked.", hint="Unlock it.")

    failure = worker.serve(request(tmp_path), locked).failure
    assert failure is not None
    assert (failure.kind, failure.message, failure.hint) == (
        "EncryptedDocument",
        "It is locked.",
        "Unlock it.",
    )


def test_running_out_of_memory_is_served_as_a_limit(tmp_path: Path) -> None:
    def greedy(*_: Any, **__: Any) -> ParsedDocument:
        raise MemoryError

    failure = worker.serve(request(tmp_path, memory_bytes=123_456), greedy).failure
    assert failure is not None
    assert failure.kind == "ParseLimit"
    assert "123,456 bytes" in failure.message


def test_the_module_serves_a_request_from_its_standard_input(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.4\nno pages")
    process = subprocess.Popen(
        [sys.executable, "-m", "vectree.ingest.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _, errors = process.communicate(dump_request(request(tmp_path)), timeout=60)
    assert process.returncode == 0, errors
    assert json.loads((tmp_path / "result.json").read_bytes())["failure"]["kind"] == "CorruptDocument"
