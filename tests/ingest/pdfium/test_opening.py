from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from vectree.errors import CorruptDocument, EncryptedDocument, ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits

Make = Callable[..., Path]
Read = Callable[..., ParsedDocument]


def secret(canvas: Canvas) -> None:
    canvas.drawString(72, 700, "behind the lock")


def test_an_encrypted_file_names_the_option_that_opens_it(make_pdf: Make, read: Read) -> None:
    path = make_pdf(secret, encrypt=StandardEncryption("open sesame", strength=128))
    with pytest.raises(EncryptedDocument, match="--password"):
        read(path)
    with pytest.raises(EncryptedDocument, match="does not open"):
        read(path, password="wrong")
    assert read(path, password="open sesame").pages[0].raw == "behind the lock"


def test_a_file_without_pages_is_not_blamed_for_the_lock_of_the_file_before(
    make_pdf: Make, read: Read, tmp_path: Path
) -> None:
    with pytest.raises(EncryptedDocument):
        read(make_pdf(secret, encrypt=StandardEncryption("open sesame", strength=128)))
    empty = tmp_path / "empty.pdf"
    empty.write_bytes(
        b"%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n"
        b"2 0 obj <</Type /Pages /Kids [] /Count 0>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"
    )
    with pytest.raises(CorruptDocument, match="no page"):
        read(empty)


def test_a_file_with_only_an_owner_password_opens_without_asking(make_pdf: Make, read: Read) -> None:
    path = make_pdf(secret, encrypt=StandardEncryption("", ownerPassword="owner", canCopy=0, strength=128))
    assert read(path).pages[0].raw == "behind the lock"


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"<html>not found</html>", "not a PDF"), (b"%PDF-1.4\nnothing more", "damaged")],
)
def test_what_is_no_pdf_is_refused_with_a_reason(
    tmp_path: Path, read: Read, content: bytes, words: str
) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(content)
    with pytest.raises(CorruptDocument, match=words) as caught:
        read(path)
    assert caught.value.hint
    assert "broken.pdf" in caught.value.message


def test_a_truncated_file_is_read_as_far_as_it_goes_or_refused(make_pdf: Make, read: Read) -> None:
    path = make_pdf(secret)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(CorruptDocument):
        read(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path, read: Read) -> None:
    with pytest.raises(ParseError, match="cannot be read"):
        read(tmp_path / "nowhere.pdf")
    with pytest.raises(ParseError, match="not a regular file"):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_named_pipe_is_refused_without_waiting_for_it(tmp_path: Path, read: Read) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(ParseError, match="not a regular file"):
        read(tmp_path / "pipe.pdf")


def test_more_pages_than_allowed_are_refused_with_both_numbers(make_pdf: Make, read: Read) -> None:
    with pytest.raises(ParseLimit, match="3 pages; at most 2"):
        read(make_pdf(secret, secret, secret), limits=ParseLimits(max_pages=2))


def test_more_bytes_than_allowed_are_refused_with_both_numbers(make_pdf: Make, read: Read) -> None:
    with pytest.raises(ParseLimit, match="at most 100 are read"):
        read(make_pdf(secret), limits=ParseLimits(max_bytes=100))
