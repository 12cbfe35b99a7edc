from __future__ import annotations

from pathlib import Path

import pytest

from vectree.errors import MissingExtra, ParseError, UsageError
from vectree.ingest.parse import ParsedDocument, Parser
from vectree.ingest.parsers.choose import SourceParser, resolve_parser
from vectree.ingest.parsers.marker.available import marker_installed
from vectree.ingest.parsers.pdfium.parser import PdfiumParser


class Recording:
    def __init__(self) -> None:
        self.read: list[str] = []

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        self.read.append(f"{path.name} {password}")
        return ParsedDocument(pages=(), parser="recording")


def test_each_format_has_its_parser(tmp_path: Path) -> None:
    pdf = Recording()
    parser = SourceParser(pdf)
    (tmp_path / "a.pdf").write_bytes(b"no header")
    (tmp_path / "download").write_bytes(b"%PDF-1.4")
    (tmp_path / "b.md").write_text("# A")
    (tmp_path / "c.txt").write_text("A")
    used = [
        parser.parse(tmp_path / name, figures=tmp_path, password="x").parser
        for name in ("a.pdf", "download", "b.md", "c.txt")
    ]
    assert used == ["recording", "recording", "markdown", "text"]
    assert pdf.read == ["a.pdf x", "download x"]


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    with pytest.raises(ParseError, match="no kind that can be read"):
        SourceParser(Recording()).parse(tmp_path / "a.png", figures=tmp_path)
    with pytest.raises(ParseError, match="cannot be read"):
        SourceParser(Recording()).parse(tmp_path / "nowhere", figures=tmp_path)


@pytest.mark.parametrize("name", ["auto", "pdfium"])
def test_parsers_have_names(name: str) -> None:
    assert isinstance(resolve_parser(name), Parser)
    assert isinstance(PdfiumParser(), Parser)


def test_an_unknown_parser_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="auto, pdfium, marker"):
        resolve_parser("tesseract")


@pytest.mark.skipif(marker_installed(), reason="Marker is installed")
def test_asking_for_marker_without_it_names_the_extra() -> None:
    with pytest.raises(MissingExtra, match=r"vectree-core\[marker\]"):
        resolve_parser("marker")
