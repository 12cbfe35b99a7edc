from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.parsers.markdown.blocks import BlockKind, read_blocks
from vectree.ingest.parsers.plain_text import PlainTextParser, as_markdown
from vectree.ingest.pipeline import ingest
from vectree.tree.walk import walk

PAPER = """\
Ion transport in cold glass

Ada Lovelace and Alan Turing

Abstract

We measured the membranes.

1 Introduction

Words about glass.

2 Methods

2.1 Casting of films

Words.

2.2 Measurement

Words.

3 samples were lost

3 Results

Words. # not a mark
---
# comment in a listing
"""


def titles(text: str) -> list[tuple[int, str]]:
    blocks = read_blocks(as_markdown(text))
    return [(block.level, block.title) for block in blocks if block.kind is BlockKind.HEADING]


def test_known_titles_and_their_numbering_are_headings() -> None:
    assert titles(PAPER) == [
        (1, "Abstract"),
        (1, "1 Introduction"),
        (1, "2 Methods"),
        (2, "2.1 Casting of films"),
        (2, "2.2 Measurement"),
        (1, "3 Results"),
    ]


def test_numbered_lists_without_a_known_title_are_no_headings() -> None:
    assert titles("1. Wash\n\n2. Dry\n\n3. Weigh") == []


def test_a_title_within_a_paragraph_is_no_heading() -> None:
    assert titles("Methods\nare described below.\n\nMore\nResults\nMore") == []


def test_a_paper_becomes_a_tree_and_form_feeds_are_pages(tmp_path: Path) -> None:
    path = tmp_path / "paper.txt"
    path.write_text("Introduction\n\nWords.\n\fMethods\n\nWords.\n\f\n\fResults\n\nWords.\n")
    figures = tmp_path / "figures"
    figures.mkdir()
    found = ingest(path, parser=PlainTextParser(), figures=figures)
    assert [(node.title, str(node.pages)) for node in walk(found.tree)] == [
        ("Introduction", "1"),
        ("Methods", "2-3"),
        ("Results", "4"),
    ]


@given(st.text(alphabet="#=-~` \nab.1<!>\f", max_size=100))
def test_text_never_reads_as_markup(text: str) -> None:
    blocks = read_blocks(as_markdown(text))
    assert all(block.kind in (BlockKind.TEXT, BlockKind.BREAK) or not block.fence for block in blocks)
    assert not any(block.kind is BlockKind.HEADING for block in blocks)
