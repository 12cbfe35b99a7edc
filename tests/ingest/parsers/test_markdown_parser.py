from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from vectree.document import HeadingSource, Match, SectionTree, TextStatus
from vectree.errors import CorruptDocument, ParseLimit
from vectree.ingest.parse import ParsedDocument, ParseLimits, Parser
from vectree.ingest.parsers.markdown import MarkdownParser
from vectree.ingest.parsers.markdown.parser import MAX_HEADINGS
from vectree.ingest.pipeline import Ingested, ingest
from vectree.tree.walk import walk

PAPER = """\
\ufeff# Ion transport in cold glass

The preamble is kept.

Introduction
------------

Words.

## 2. Methods ##

**Table 1. Bold is no heading.**

### 2.1 Using `Vec<T>` with [links](http://a.b)

Words.

## Results

### Setup

Words.

## Discussion

### Setup

Words.
"""


def parse(folder: Path, text: str | bytes, limits: ParseLimits | None = None) -> ParsedDocument:
    path = folder / "paper.md"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    figures = folder / "figures"
    figures.mkdir(exist_ok=True)
    return MarkdownParser(limits or ParseLimits()).parse(path, figures=figures)


def read(folder: Path, text: str) -> Ingested:
    path = folder / "paper.md"
    path.write_text(text, encoding="utf-8")
    figures = folder / "figures"
    figures.mkdir(exist_ok=True)
    return ingest(path, parser=MarkdownParser(), figures=figures)


def outline(tree: SectionTree) -> list[str]:
    return [f"{node.number} {node.title}".strip() for node in walk(tree)]


def test_it_is_a_parser() -> None:
    assert isinstance(MarkdownParser(), Parser)


def test_a_paper_becomes_a_verified_tree(tmp_path: Path) -> None:
    found = read(tmp_path, PAPER)
    assert outline(found.tree) == [
        "Introduction",
        "2 Methods",
        "2.1 Using Vec<T> with links",
        "Results",
        "Setup",
        "Discussion",
        "Setup",
    ]
    assert [node.title for node in found.tree.nodes] == ["Introduction", "Methods", "Results", "Discussion"]
    assert {node.match for node in walk(found.tree)} == {Match.HEADING_LINE}
    assert found.report["headings"]["verified_rate"] == 1.0
    assert found.metadata.title == "Ion transport in cold glass"
    assert "The preamble is kept." in found.pages[0].text
    text = found.pages[0].text
    assert [text[node.start or 0 :].splitlines()[0] for node in walk(found.tree)][:2] == [
        "## Introduction",
        "## 2. Methods",
    ]


def test_levels_survive_in_a_file_of_two_headings(tmp_path: Path) -> None:
    tree = read(tmp_path, "# One\n\ntext\n\n# Two\n\n## Below\n\ntext").tree
    assert [(node.title, len(node.children)) for node in tree.nodes] == [("One", 0), ("Two", 1)]


def test_a_file_without_headings_is_one_section(tmp_path: Path) -> None:
    tree = read(tmp_path, "Only words.\n\nAnd more.").tree
    assert [(node.title, node.synthetic) for node in walk(tree)] == [("Document", True)]


def test_the_one_first_heading_is_the_title_but_two_are_sections(tmp_path: Path) -> None:
    assert [h.title for h in parse(tmp_path, "# T\n\n## A\n\n## B").headings] == ["A", "B"]
    assert [h.title for h in parse(tmp_path, "# T\n\n## A\n\n# B").headings] == ["T", "A", "B"]
    assert [h.title for h in parse(tmp_path, "## A\n\n# T").headings] == ["A", "T"]
    assert [h.title for h in parse(tmp_path, "# Only\n\nwords").headings] == ["Only"]


def test_claims_name_their_source_and_level(tmp_path: Path) -> None:
    document = parse(tmp_path, "# A\n\n### C\n\n# B")
    assert [(h.level, h.source) for h in document.headings] == [
        (1, HeadingSource.PARSER),
        (3, HeadingSource.PARSER),
        (1, HeadingSource.PARSER),
    ]


def test_comments_in_code_are_no_places_for_headings(tmp_path: Path) -> None:
    found = read(tmp_path, "# A\n\n~~~\n```\n# Setup\n~~~\n\n<!--\n# Setup\n-->\n\n# Setup\n\nwords")
    node = list(walk(found.tree))[-1]
    assert found.pages[0].text[node.start or 0 :] == "# Setup\n\nwords"


def test_front_matter_describes_the_work_and_is_no_text(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "---\ntitle: Ion transport in cold glass\nauthors: [Ada Lovelace, Alan Turing]\ndate: 2021-05-01\n"
        "# a comment\nabstract: >\n  We measured how ions move through glass and found a law.\n---\n"
        "# Introduction\n\nWords.\n\n# Methods\n\nWords.",
    )
    assert found.metadata.title == "Ion transport in cold glass"
    assert found.metadata.authors == ("Ada Lovelace", "Alan Turing")
    assert found.metadata.year == 2021
    assert found.metadata.description.startswith("We measured how ions move")
    assert outline(found.tree) == ["Introduction", "Methods"]
    assert "Alan Turing" not in found.pages[0].text


def test_stated_blank_pages_are_pages(tmp_path: Path) -> None:
    document = parse(tmp_path, "one\n\n\f\n\n\f\n\nthree")
    assert [(page.number, page.status) for page in document.pages] == [
        (1, TextStatus.TEXT),
        (2, TextStatus.BLANK),
        (3, TextStatus.TEXT),
    ]


def png(width: int = 4, height: int = 3) -> str:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(data, "PNG")
    return base64.b64encode(data.getvalue()).decode()


def test_embedded_images_become_figures_on_their_page(tmp_path: Path) -> None:
    document = parse(tmp_path, f"one\n\n\f\n\n![Figure 1. A square](data:image/png;base64,{png()})\n\ntwo")
    [figure] = document.figures
    assert (figure.page, figure.caption, figure.width, figure.height) == (2, "Figure 1. A square", 4, 3)
    assert (tmp_path / "figures" / figure.name).read_bytes().startswith(b"\x89PNG")
    assert f"![Figure 1. A square]({figure.name})" in (document.pages[1].markdown or "")


def test_images_that_are_none_or_too_large_are_left_out_and_counted(tmp_path: Path) -> None:
    text = f"![a](data:image/png;base64,AAAA)\n\n![b](data:image/svg+xml;base64,{png()})\n\nwords"
    document = parse(tmp_path, text, ParseLimits(max_pixels=5))
    assert document.figures == ()
    assert "2 embedded images" in document.warnings[0]
    assert not list((tmp_path / "figures").iterdir())


def test_files_that_are_referred_to_are_never_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(base64.b64decode(png()))
    document = parse(tmp_path, f"![x]({tmp_path / 'secret.png'}) ![y](secret.png) ![z](http://a.b/c.png)")
    assert document.figures == ()


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"<!-- only a comment -->"])
def test_nothing_to_read_is_an_error_or_a_blank_page(tmp_path: Path, data: bytes) -> None:
    if not data.strip():
        with pytest.raises(CorruptDocument):
            parse(tmp_path, data)
    else:
        assert [page.status for page in parse(tmp_path, data).pages] == [TextStatus.BLANK]


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument, match="not text"):
        parse(tmp_path, bytes(range(256)) * 40)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_hides_no_heading(tmp_path: Path, encoding: str) -> None:
    document = parse(tmp_path, "# Ä\r\n\r\n# B\r\n".encode(encoding))
    assert [h.title for h in document.headings] == ["Ä", "B"]


def test_old_encodings_are_read_with_a_warning(tmp_path: Path) -> None:
    document = parse(tmp_path, "# Größe\n\nwords\n\n# B".encode("cp1252"))
    assert document.headings[0].title == "Größe"
    assert "Windows-1252" in document.warnings[0]


def test_too_many_pages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParseLimit, match="3 pages; at most 2"):
        parse(tmp_path, "a\fb\fc", ParseLimits(max_pages=2))


def test_a_marked_line_is_the_heading_and_not_a_line_of_the_same_words(tmp_path: Path) -> None:
    found = read(tmp_path, "# A\n\nSetup\n\nwords\n\n# Setup\n\nmore")
    node = list(walk(found.tree))[-1]
    assert found.pages[0].text[node.start or 0 :] == "# Setup\n\nmore"


def test_hostile_nesting_ends_quickly_and_keeps_its_text(tmp_path: Path) -> None:
    text = "# A\n\n" + ">" * 50_000 + " x\n\n" + "- " * 20_000 + "y\n\n" + "[" * 50_000 + "\n\nend\n"
    document = parse(tmp_path, text)
    assert [h.title for h in document.headings] == ["A"]
    assert "end" in document.pages[-1].raw


def test_headings_beyond_all_measure_stay_text_and_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("".join(f"# Heading {n}\n" for n in range(MAX_HEADINGS + 5)))
    document = MarkdownParser().parse(path, figures=tmp_path)
    assert len(document.headings) == MAX_HEADINGS
    assert document.warnings == ("Of 3,005 headings, the last 5 stay text.",)
    assert "Heading 3004" in (document.pages[-1].markdown or "")
