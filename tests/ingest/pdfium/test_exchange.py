from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.document import Box, Figure, TextStatus
from vectree.errors import EncryptedDocument, ParseError
from vectree.ingest.parse import Bookmark, Line, ParsedDocument, ParsedPage, ParseLimits, Run
from vectree.ingest.parsers.pdfium.exchange import (
    Failure,
    Outcome,
    Request,
    Skip,
    dump_request,
    load_request,
    read_outcome,
    write_outcome,
)

BOX = Box(x0=1, y0=2, x1=3, y1=4)
DOCUMENT = ParsedDocument(
    pages=(
        ParsedPage(
            number=1,
            width=612,
            height=792,
            raw="β-sheet\n",
            status=TextStatus.OCR_LAYER,
            lines=(
                Line(
                    text="β-sheet",
                    box=BOX,
                    size=10,
                    bold=True,
                    italic=False,
                    font="X",
                    run=Run(text="β", size=9, bold=True, italic=False, font="Y"),
                ),
            ),
            label="iv",
            hidden_share=0.5,
        ),
    ),
    figures=(Figure(name="p001-1.png", page=1, box=BOX, kind="image", width=5, height=6, caption="Fig. 1"),),
    bookmarks=(Bookmark(title="A", page=None, level=1),),
    info={"title": "On things"},
    warnings=("one",),
    parser="pdfium 5",
)


def test_a_document_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_outcome(tmp_path / "result.json", Outcome(document=DOCUMENT))
    assert read_outcome(tmp_path / "result.json") == DOCUMENT


def test_an_error_comes_back_as_the_error_it_was(tmp_path: Path) -> None:
    failure = Failure(kind="EncryptedDocument", message="It is locked.", hint="Unlock it.")
    write_outcome(tmp_path / "result.json", Outcome(failure=failure))
    with pytest.raises(EncryptedDocument) as caught:
        read_outcome(tmp_path / "result.json")
    assert (caught.value.message, caught.value.hint) == ("It is locked.", "Unlock it.")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[1, 2]",
        b'{"document": {"pages": 3}}',
        b'{"failure": {"kind": "SystemExit", "message": "x"}}',
    ],
)
def test_a_result_that_is_no_result_is_a_parse_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "result.json").write_bytes(content)
    with pytest.raises(ParseError):
        read_outcome(tmp_path / "result.json")


def test_a_missing_result_is_a_parse_error(tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="no usable result"):
        read_outcome(tmp_path / "result.json")


@given(st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name))
def test_a_request_carries_any_file_name(name: bytes) -> None:
    request = Request(
        path=os.fsdecode(name),
        figures="/tmp/f",
        result="/tmp/r",
        limits=ParseLimits(max_pages=7),
        password="geheim ß",
        skip=Skip(unread={3: "it took too long"}),
    )
    data = dump_request(request)
    assert load_request(data) == request
    json.loads(data.decode("ascii"))
