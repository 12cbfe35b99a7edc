"""HTML and DOCX, converted; needs the extra ``docs``."""

from __future__ import annotations

import base64
import io
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from vectree.errors import CorruptDocument, EncryptedDocument, MissingExtra, ParseError, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.choose import resolve_parser
from vectree.ingest.parsers.converted import docx as docx_module
from vectree.ingest.parsers.converted import isolation
from vectree.ingest.parsers.converted.available import converters_missing
from vectree.ingest.parsers.converted.docx import DocxParser
from vectree.ingest.parsers.converted.html import HtmlParser
from vectree.ingest.parsers.formats import Format
from vectree.ingest.pipeline import ingest
from vectree.tree.walk import walk

needs_docs = pytest.mark.skipif(
    bool(converters_missing()),
    reason="the extra 'docs' is not installed: pip install vectree-core[docs]",
)

PAGE = """<!DOCTYPE html><html><head><title>Glass | Journal</title>
<meta name="citation_title" content="Ion transport in cold glass">
<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_author" content="Turing, Alan">
<meta name="citation_publication_date" content="2021/03/04">
<style>h2 { color: red }</style></head><body>
<nav><h2>Menu</h2></nav><header>Site header</header>
<article><h1>Ion transport in cold glass</h1>
<h2>Introduction</h2><p>We measured <b>ions</b> &amp; glass.</p>
<script>var secret = "<h2>No</h2>";</script>
<h2>Methods</h2><h3>Casting <em>of films</em></h3>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<ul><li>one</li></ul><pre># not a heading</pre>
<p style="page-break-before: always">Next page.</p></article>
<footer>Site footer</footer></body></html>"""


def parse_html(tmp_path: Path, html: str | bytes) -> ParsedDocument:
    path = tmp_path / "page.html"
    path.write_bytes(html.encode() if isinstance(html, str) else html)
    figures = tmp_path / "figures"
    figures.mkdir(exist_ok=True)
    return HtmlParser().parse(path, figures=figures)


@needs_docs
def test_html_becomes_a_tree_of_its_main_text(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    (tmp_path / "figures").mkdir()
    found = ingest(path, parser=HtmlParser(), figures=tmp_path / "figures")
    assert [node.title for node in walk(found.tree)] == ["Introduction", "Methods", "Casting of films"]
    assert [node.title for node in found.tree.nodes] == ["Introduction", "Methods"]
    assert (found.metadata.title, found.metadata.year) == ("Ion transport in cold glass", 2021)
    assert found.metadata.authors == ("Ada Lovelace", "Alan Turing")
    text = "\n".join(page.text for page in found.pages)
    for kept in ("**ions** & glass", "| a | b |", "- one", "# not a heading", "Next page."):
        assert kept in text
    for gone in ("secret", "Menu", "Site header", "Site footer", "color: red"):
        assert gone not in text
    assert [page.number for page in found.pages if "Next page." in page.text] == [2]


@needs_docs
def test_encodings_and_embedded_images_of_html(tmp_path: Path) -> None:
    data = io.BytesIO()
    Image.new("RGB", (3, 2)).save(data, "PNG")
    address = f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
    images = f'<p><img alt="Fig. 1" src="{address}"><img src="/etc/x.png"></p>'
    html = f'<meta charset="iso-8859-1"><h1>Größe</h1>{images}'
    document = parse_html(tmp_path, html.encode("iso-8859-1"))
    assert "Größe" in (document.pages[0].markdown or "")
    assert [(figure.caption, figure.width) for figure in document.figures] == [("Fig. 1", 3)]


@needs_docs
@pytest.mark.parametrize("depth", [500, 50_000])
def test_html_that_nests_too_deeply_is_refused(tmp_path: Path, depth: int) -> None:
    with pytest.raises(CorruptDocument):
        parse_html(tmp_path, "<div>" * depth + "x")


@needs_docs
@pytest.mark.parametrize("html", ["<html></html>", "<script>x</script>"])
def test_html_without_text_is_refused(tmp_path: Path, html: str) -> None:
    with pytest.raises(CorruptDocument, match="no text"):
        parse_html(tmp_path, html)


def paragraph(text: str, style: str = "", extra: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r>{extra}<w:t>{text}</w:t></w:r></w:p>"


STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
    for key, name in (("T", "Title"), ("H1", "heading 1"), ("H2", "Heading 2"))
)
NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def relationship(kind: str, target: str) -> str:
    inside = f'<Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": relationship("officeDocument", "word/document.xml"),
    "word/_rels/document.xml.rels": relationship("styles", "styles.xml"),
    "word/styles.xml": f"<w:styles {NAMESPACE}>{STYLES}</w:styles>",
    "docProps/core.xml": '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Ion transport'
    "</dc:title><dc:creator>Ada Lovelace; Alan Turing</dc:creator><dcterms:created>2020-01-02T00:00:00Z"
    "</dcterms:created></cp:coreProperties>",
}


def make_docx(path: Path, body: str, **changed: str) -> Path:
    document = f"<w:document {NAMESPACE}><w:body>{body}</w:body></w:document>"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**PARTS, "word/document.xml": document, **changed}.items():
            archive.writestr(name, text)
    return path


BODY = (
    paragraph("Ion transport in cold glass", "T")
    + paragraph("Introduction", "H1")
    + paragraph("Words about glass.")
    + paragraph("Methods", "H1")
    + paragraph("Casting", "H2")
    + paragraph("After the break.", extra='<w:br w:type="page"/>')
)


@needs_docs
def test_docx_becomes_a_tree_by_its_styles(tmp_path: Path) -> None:
    path = make_docx(tmp_path / "paper.docx", BODY)
    (tmp_path / "figures").mkdir()
    found = ingest(path, parser=DocxParser(), figures=tmp_path / "figures")
    assert [(node.title, str(node.pages)) for node in walk(found.tree)] == [
        ("Introduction", "1"),
        ("Methods", "1"),
        ("Casting", "1-2"),
    ]
    assert [node.title for node in found.tree.nodes] == ["Introduction", "Methods"]
    assert found.metadata.title == "Ion transport in cold glass"
    assert found.metadata.year is None  # made in 2020 says nothing of the work
    assert "After the break." in found.pages[1].text


@needs_docs
def test_docx_without_a_title_keeps_its_levels(tmp_path: Path) -> None:
    path = make_docx(
        tmp_path / "a.docx", paragraph("One", "H1") + paragraph("Below", "H2") + paragraph("Two", "H1")
    )
    (tmp_path / "figures").mkdir()
    tree = ingest(path, parser=DocxParser(), figures=tmp_path / "figures").tree
    assert [(node.title, len(node.children)) for node in tree.nodes] == [("One", 1), ("Two", 0)]


@needs_docs
def test_docx_that_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path) -> None:
        DocxParser().parse(path, figures=tmp_path)

    (tmp_path / "old.docx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(EncryptedDocument, match="encrypted, or in Word's old format"):
        read(tmp_path / "old.docx")
    (tmp_path / "text.docx").write_text("no archive")
    with pytest.raises(CorruptDocument, match="damaged"):
        read(tmp_path / "text.docx")
    with zipfile.ZipFile(tmp_path / "sheet.docx", "w") as archive:
        archive.writestr("xl/workbook.xml", "x")
    with pytest.raises(CorruptDocument, match="no DOCX"):
        read(tmp_path / "sheet.docx")
    broken = make_docx(tmp_path / "broken.docx", "<w:p>")
    with pytest.raises(ParseError):
        read(broken)
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    hostile = make_docx(tmp_path / "bomb.docx", "", **{"docProps/core.xml": bomb + "<title>&b;</title>"})
    with pytest.raises(ParseError):
        read(hostile)
    monkeypatch.setattr(docx_module, "MAX_UNPACKED_BYTES", 100)
    with pytest.raises(ParseLimit, match="unpacks to more"):
        read(make_docx(tmp_path / "large.docx", BODY))


@pytest.mark.skipif(not converters_missing(), reason="the extra 'docs' is installed")
def test_without_the_extra_its_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"vectree-core\[docs\]"):
        parse_html(tmp_path, PAGE)
    with pytest.raises(MissingExtra, match=r"vectree-core\[docs\]"):
        DocxParser().parse(make_docx(tmp_path / "a.docx", BODY), figures=tmp_path)


@needs_docs
def test_html_and_docx_of_a_corpus_are_converted_in_a_process_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docx_module, "require", lambda *_, **__: pytest.fail("converted in this process"))
    figures = tmp_path / "figures"
    figures.mkdir()
    page, word = tmp_path / "page.html", make_docx(tmp_path / "a.docx", BODY)
    page.write_text(PAGE)
    assert resolve_parser().parse(page, figures=figures) == HtmlParser().parse(page, figures=figures)
    assert resolve_parser().parse(word, figures=figures).parser == "docx"


@needs_docs
def test_an_error_of_the_converter_comes_back_with_its_class(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<script>x</script>")
    with pytest.raises(CorruptDocument, match="no text"):
        resolve_parser().parse(page, figures=tmp_path)


@needs_docs
def test_a_conversion_has_so_much_time_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "START_SECONDS", 0.0)
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    hurried = isolation.IsolatedConverter(Format.HTML, ParseLimits(total_seconds=0.01))
    with pytest.raises(ParseLimit, match=r"took more than 0\.01 s for 'page\.html'"):
        hurried.parse(page, figures=tmp_path)


@needs_docs
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="address space is bounded on Linux")
def test_a_conversion_has_so_much_memory_and_no_more(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>" + "words without an end " * 1_000_000)
    bounded = isolation.IsolatedConverter(Format.HTML, ParseLimits(memory_bytes=64 << 20))
    with pytest.raises(ParseLimit, match="bytes of memory"):
        bounded.parse(page, figures=tmp_path)


def test_without_the_extra_the_command_that_installs_it_is_named_before_a_process_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "converters_missing", lambda: ("mammoth",))
    monkeypatch.setattr(isolation, "run_worker", lambda *_, **__: pytest.fail("a process was started"))
    with pytest.raises(MissingExtra, match=r"vectree-core\[docs\]"):
        isolation.IsolatedConverter(Format.DOCX).parse(tmp_path / "a.docx", figures=tmp_path)
