from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.markdown.blocks import BlockKind, heading_line, read_blocks


def titles(source: str) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in read_blocks(source) if block.kind is BlockKind.HEADING]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A\n\ntext\n\n###### F", [(1, "A"), (6, "F")]),
        ("Methods\n=======\n\nSetup\n---\n", [(1, "Methods"), (2, "Setup")]),
        ("Two lines\nof title\n===", [(1, "Two lines of title")]),
        ("## Closed ##\n", [(2, "Closed")]),
        ("## C# ##", [(2, "C#")]),
        ("   # Three spaces", [(1, "Three spaces")]),
        (
            "# *Emphasis*, `code`, [link](http://a.b) and ![image](x.png)",
            [(1, "Emphasis, code, link and image")],
        ),
        ("# One<br>line &amp; more", [(1, "Oneline & more")]),
        ("####### seven", []),
        ("#hashtag", []),
        ("#", []),
        ("# ***", []),
        ("```\n# a\n~~~\n# b\n```\n# C", [(1, "C")]),
        ("~~~python\n# a\n```\n# b\n~~~\n# C", [(1, "C")]),
        ("````\n```\n# a\n```\n# b\n````\n# C", [(1, "C")]),
        ("```\n# never closed", []),
        ("    # indented code\n\n# C", [(1, "C")]),
        ("<!-- # a\n\n## b -->\n\n# C", [(1, "C")]),
        ("<!--\n# a", []),
        ("> # quoted\n\n# C", [(1, "C")]),
        ("- # item\n- b\n\n# C", [(1, "C")]),
        ("**Table 1. Yields**\n\n__Results__", []),
        ("text\n\n---\n\nmore", []),
        ("| a | b |\n|---|---|\n| # x | y |\n", []),
    ],
)
def test_headings_are_those_of_commonmark(source: str, expected: list[tuple[int, str]]) -> None:
    assert titles(source) == expected


def test_all_text_is_kept_but_comments() -> None:
    source = "before\n\n# A\n\n[ref]: http://a.b\n\n<!-- gone -->\n<div>kept</div>\n\n- item\n\n```\ncode\n```\nlast"
    text = "\n".join(block.text for block in read_blocks(source))
    assert "gone" not in text
    for kept in ("before", "# A", "[ref]: http://a.b", "<div>kept</div>", "- item", "code", "last"):
        assert kept in text


@pytest.mark.parametrize(
    "mark",
    [
        "<!-- pagebreak -->",
        "<!-- Page Break -->",
        "\\newpage",
        "\f",
        '<div style="page-break-after: always;"></div>',
        '<div class="page-break"></div>',
    ],
)
def test_stated_page_breaks_are_seen(mark: str) -> None:
    kinds = [block.kind for block in read_blocks(f"one\n\n{mark}\n\ntwo")]
    assert kinds == [BlockKind.TEXT, BlockKind.BREAK, BlockKind.TEXT]


def test_a_page_break_that_is_spoken_of_is_none() -> None:
    source = "Write `<!-- pagebreak -->` or {5}" + "-" * 48 + "\n\n" + "-" * 48
    assert all(block.kind is not BlockKind.BREAK for block in read_blocks(source))


@given(st.text(alphabet='#ab `~<>!-[]()*_=\\\n\t"&;1.', max_size=120))
def test_any_text_is_taken_apart_without_losing_letters(source: str) -> None:
    blocks = read_blocks(source)
    kept = "".join(block.raw for block in blocks)
    assert sorted(filter(str.isalnum, kept)) == sorted(filter(str.isalnum, source))


@given(st.text(alphabet="ab #*_`<>[]\\&;!()1.", min_size=1, max_size=40).map(str.strip))
def test_a_heading_line_reads_back_as_its_title(title: str) -> None:
    first = titles(f"# {title}")
    if first:
        [(_, words)] = first
        assert titles(heading_line(2, words)) == [(2, words)]
