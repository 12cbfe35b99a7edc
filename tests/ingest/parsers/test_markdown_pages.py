from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.ingest.parsers.markdown.blocks import BlockKind, read_blocks
from vectree.ingest.parsers.markdown.pages import PAGE_CHARACTERS, STATED_CHARACTERS, paginate

PARAGRAPH = "word " * 200


def pages(source: str) -> list[str]:
    return ["\n\n".join(block.text for block in page) for page in paginate(read_blocks(source))]


def test_a_short_text_is_one_page() -> None:
    assert len(pages("# A\n\ntext\n\n# B\n\ntext")) == 1


def test_pages_end_between_blocks_and_before_headings_once_half_full() -> None:
    source = "# A\n\n" + f"{PARAGRAPH}\n\n" * 3 + "# B\n\n" + f"{PARAGRAPH}\n\n" * 5
    found = pages(source)
    assert [page[:3] for page in found] == ["# A", "# B", "wor"]
    assert all(len(page) <= PAGE_CHARACTERS for page in found)


def test_a_heading_never_stands_last_on_a_page() -> None:
    source = f"{PARAGRAPH}\n\n" * 1 + "# A\n\n## B\n\n" + "x" * (PAGE_CHARACTERS - 900)
    found = pages(source)
    assert len(found) == 2
    assert found[1].startswith("# A\n\n## B")


def test_an_addition_at_the_end_leaves_earlier_pages_as_they_were() -> None:
    source = "".join(f"# S{n}\n\n" + f"{PARAGRAPH}\n\n" * (n % 4 + 1) for n in range(12))
    before, after = pages(source), pages(source + f"# New\n\n{PARAGRAPH}")
    assert after[: len(before) - 1] == before[:-1]


def test_c01_stated_page_breaks_make_exactly_those_pages_blank_ones_too() -> None:
    words = [f"PAGE{n:02d}" for n in range(1, 13)]
    words[2] = ""
    words[10] += "\n\n" + "-" * 48 + "\n\n{5}" + "-" * 48
    found = pages("\n\n<!-- pagebreak -->\n\n".join(words))
    assert len(found) == 12
    assert [page[:6] for page in found] == [word[:6] for word in words]


def test_a_stated_page_stays_whole_unless_it_is_far_too_long() -> None:
    long = f"{PARAGRAPH}\n\n" * 8
    assert len(pages(f"{long}\f{long}")) == 2
    assert len(pages(f"{long * 3}\f{long}")) > 3
    assert len(long) < STATED_CHARACTERS < len(long * 3)


def test_a_long_line_is_cut_after_sentences_and_words() -> None:
    sentence = "This is a sentence of many words that says little. "
    found = pages(sentence * 400)
    assert all(page.endswith(".") for page in found)
    assert " ".join(found) == (sentence * 400).strip()
    assert all(len(page) <= PAGE_CHARACTERS for page in pages("x" * 50_000))


def test_a_long_fence_stays_a_fence_on_every_page() -> None:
    code = "~~~py\n" + "# a comment\n" * 1_000 + "~~~"
    found = paginate(read_blocks(f"{code}\n\n# Heading"))
    assert len(found) > 2
    assert all(block.text.startswith("~~~py\n") for page in found for block in page if block.fence)
    assert [b.title for page in found for b in page if b.kind is BlockKind.HEADING] == ["Heading"]


PARTS = {
    "title": "# A",
    "below": "## B",
    "paragraph": PARAGRAPH,
    "long": "x" * 9_000,
    "break": "\f",
    "code": "```\n" + "c\n" * 3_000 + "```",
}


@settings(max_examples=60)
@given(st.lists(st.sampled_from(sorted(PARTS)), max_size=20))
def test_no_letter_is_lost_and_no_page_is_too_long(parts: list[str]) -> None:
    blocks = read_blocks("\n\n".join(PARTS[part] for part in parts))
    found = paginate(blocks)
    letters = sum(char.isalnum() for block in blocks for char in block.text)
    assert sum(char.isalnum() for page in found for block in page for char in block.text) == letters
    assert all(sum(len(block.text) for block in page) <= STATED_CHARACTERS for page in found)


def test_thousands_of_headings_without_text_fill_pages_like_text() -> None:
    found = pages("# A heading\n" * 3_000)
    assert len(found) > 8
    assert all(len(page) <= PAGE_CHARACTERS + 20 for page in found)
    assert "\n\n".join(found) == "\n\n".join(["# A heading"] * 3_000)
