from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from vectree.ingest.parsers.formats import Format, format_of, format_of_named

QASPER = b'{"1909.00001": {"title": "A", "full_text": [{"section_name": "I", "paragraphs": ["x"]}]}}'


def make(folder: Path, name: str, data: bytes = b"x") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.pdf", Format.PDF),
        ("a.MD", Format.MARKDOWN),
        ("a.markdown", Format.MARKDOWN),
        ("a.txt", Format.TEXT),
        ("a.htm", Format.HTML),
        ("a.html", Format.HTML),
        ("a.docx", Format.DOCX),
        ("a.json", None),
        ("a.png", None),
        ("a.doc", None),
        ("pdf", None),
    ],
)
def test_names_decide(tmp_path: Path, name: str, expected: Format | None) -> None:
    assert format_of(make(tmp_path, name)) is expected


def test_qasper_is_known_by_what_it_holds(tmp_path: Path) -> None:
    assert format_of(make(tmp_path, "dev.json", QASPER)) is Format.QASPER
    assert format_of(make(tmp_path, "dev.json.gz", gzip.compress(QASPER))) is Format.QASPER
    assert format_of(make(tmp_path, "dev.jsonl", b"\xef\xbb\xbf" + QASPER)) is Format.QASPER
    assert format_of(make(tmp_path, "other.json", b'{"full_text": "x"}')) is None
    assert format_of(make(tmp_path, "cut.json.gz", gzip.compress(QASPER)[:20])) is None
    assert format_of(tmp_path / "nowhere.json") is None


def test_first_bytes_decide_where_the_name_does_not(tmp_path: Path) -> None:
    assert format_of_named(make(tmp_path, "a", b"junk %PDF-1.7")) is Format.PDF
    assert format_of_named(make(tmp_path, "b.cgi", b"\n<!DOCTYPE HTML><p>")) is Format.HTML
    assert format_of_named(make(tmp_path, "c", QASPER)) is Format.QASPER
    assert format_of_named(make(tmp_path, "d.bin", b"\x00\x01")) is None
    assert format_of_named(make(tmp_path, "e", b"PK\x03\x04 broken")) is None
    with zipfile.ZipFile(tmp_path / "f", "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    assert format_of_named(tmp_path / "f") is Format.DOCX
    with zipfile.ZipFile(tmp_path / "g", "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    assert format_of_named(tmp_path / "g") is None
