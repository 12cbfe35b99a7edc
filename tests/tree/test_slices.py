from __future__ import annotations

from vectree.tree.build import build_tree
from vectree.tree.slices import section_pieces, section_text, section_texts

PAGE_1 = "A Title\n\nAn Author\n\n# 1 Intro\n\nWhy we did it."
PAGE_2 = "More why.\n\n## 1.1 First\n\nOne.\n\n## 1.2 Second\n\nTwo."
PAGE_3 = "# 2 End\n\nDone."


def document(heading, pages, *, offsets=True):
    def at(text, title):
        return text.index(title) if offsets else None

    headings = [
        heading("1|Intro", 1, offset=at(PAGE_1, "# 1 Intro")),
        heading("1.1|First", 2, offset=at(PAGE_2, "## 1.1")),
        heading("1.2|Second", 2, offset=at(PAGE_2, "## 1.2")),
        heading("2|End", 3, begins=True, offset=at(PAGE_3, "# 2")),
    ]
    stored = pages(PAGE_1, PAGE_2, PAGE_3)
    return build_tree(headings, stored), stored


def test_siblings_on_one_page_have_their_own_text(heading, pages):
    tree, stored = document(heading, pages)
    assert section_text(tree, "0002", stored).strip() == "## 1.1 First\n\nOne."
    assert section_text(tree, "0003", stored).strip() == "## 1.2 Second\n\nTwo."


def test_section_goes_on_over_the_page_break(heading, pages):
    tree, stored = document(heading, pages)
    assert section_texts(tree, stored, title_block=False)["0001"] == (
        "# 1 Intro\n\nWhy we did it.\n\nMore why.\n\n"
    )


def test_first_section_takes_the_title_block_unless_asked_not_to(heading, pages):
    tree, stored = document(heading, pages)
    assert section_text(tree, "0001", stored).startswith("A Title")
    assert section_texts(tree, stored, title_block=False)["0001"].startswith("# 1 Intro")


def test_missing_offset_is_found_by_the_heading_line(heading, pages):
    with_offsets, stored = document(heading, pages)
    without, _ = document(heading, pages, offsets=False)
    assert section_texts(without, stored) == section_texts(with_offsets, stored)


def test_pieces_name_their_pages(heading, pages):
    tree, stored = document(heading, pages)
    assert [piece.page for piece in section_pieces(tree, stored)["0001"]] == [1, 2]


def test_unknown_node_and_missing_pages_give_no_text(heading, pages):
    tree, stored = document(heading, pages)
    assert section_text(tree, "nope", stored) == ""
    assert section_text(tree, "0004", stored[:1]) == ""
