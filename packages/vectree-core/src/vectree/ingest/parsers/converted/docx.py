"""DOCX files: converted to HTML by mammoth (BSD-2), which follows styles and not looks, then to Markdown."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.parsers import expat

from vectree._extras import require
from vectree.errors import CorruptDocument, EncryptedDocument, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.converted.html import EXTRA, html_to_markdown
from vectree.ingest.parsers.markdown.parser import markdown_document
from vectree.ingest.parsers.source_text import read_bytes
from vectree.normal import one_line

MAX_UNPACKED_BYTES = 256 * 1024 * 1024
"""Bytes of all parts of a file after unpacking."""

_DEFAULT_LIMITS = ParseLimits()
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CORE = "docProps/core.xml"
_FIELDS = {
    "title": "title",
    "creator": "author",
    "keywords": "keywords",
    "subject": "subject",
}
# Word's title stands above its headings, so headings move one down; a stated page break survives as a word.
_STYLES = "\n".join(
    [
        "p[style-name='Title'] => h1:fresh",
        "p[style-name='Subtitle'] => p:fresh",
        *(f"p[style-name='Heading {level}'] => h{min(level + 1, 6)}:fresh" for level in range(1, 10)),
        *(f"p[style-name='heading {level}'] => h{min(level + 1, 6)}:fresh" for level in range(1, 10)),
        "br[type='page'] => hr.vectree-page",
    ]
)
_PAGE_BREAK = re.compile(r'<hr class="vectree-page" ?/>')


class DocxParser:
    """Reads DOCX; implements ``ingest.parse.Parser``.

    Headings are paragraphs with a heading style. Page breaks that the author set begin a page; where a line
    happens to break in Word is not in the file, so other pages are synthetic.

    Args:
        limits: Bounds on one document.
    """

    name = "docx"

    def __init__(self, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self._limits = limits

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a DOCX file.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: Not used; encrypted files are refused.

        Returns:
            Synthetic pages, with the file's headings as claims.
        """
        data = read_bytes(path)
        mammoth = require("mammoth", extra=EXTRA)
        info = _checked(data, path.name)
        html = _converted(mammoth, data, path.name)
        html = _PAGE_BREAK.sub("</p><p>\\\\newpage</p><p>", html)
        markdown, _ = html_to_markdown(html, path.name)
        return markdown_document(
            markdown, name=path.name, figures=figures, limits=self._limits, parser=self.name, info=info
        )


def _checked(data: bytes, name: str) -> dict[str, str]:
    """Refuse archives that are no DOCX or would unpack to too much; give the file's own fields."""
    if data.startswith(_OLE):
        raise EncryptedDocument(
            f"{name!r} is encrypted, or in Word's old format.", hint="Save it as an unprotected .docx file."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED_BYTES:
                raise ParseLimit(f"{name!r} unpacks to more than {MAX_UNPACKED_BYTES:,} bytes.")
            if "word/document.xml" not in archive.namelist():
                raise CorruptDocument(f"{name!r} is no DOCX file.", hint="Save it as .docx.")
            return _fields(archive.read(_CORE)) if _CORE in archive.namelist() else {}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise CorruptDocument(f"{name!r} is damaged: {error}.", hint="Fetch the file again.") from error


def _converted(mammoth: Any, data: bytes, name: str) -> str:
    try:
        return mammoth.convert_to_html(io.BytesIO(data), style_map=_STYLES).value
    except RecursionError as error:
        raise CorruptDocument(f"{name!r} nests its contents too deeply.") from error
    except MemoryError:
        raise
    except Exception as error:
        # The converter has no errors of its own: a damaged file shows as whatever went wrong first.
        raise CorruptDocument(f"{name!r} cannot be read as DOCX: {type(error).__name__}: {error}.") from error


def _fields(xml: bytes) -> dict[str, str]:
    """The file's title, author and date; read without building a tree, entities not expanded."""
    found: dict[str, str] = {}
    inside = ""

    def start(tag: str, _: dict[str, str]) -> None:
        nonlocal inside
        inside = _FIELDS.get(tag.rpartition(":")[2], "")

    def text(piece: str) -> None:
        if inside:
            found[inside] = found.get(inside, "") + piece

    def end(_: str) -> None:
        nonlocal inside
        inside = ""

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = start, text, end
    try:
        parser.Parse(xml, True)
    except expat.ExpatError:
        return {}
    return {name: one_line(value)[:1_000] for name, value in found.items() if value.strip()}
