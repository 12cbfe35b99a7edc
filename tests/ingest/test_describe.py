from __future__ import annotations

from vectree.document import Heading, HeadingSource, Page, TextStatus
from vectree.ingest.describe import MAX_DESCRIPTION, abstract_text, describing_sentence
from vectree.tree.build import build_tree

ABSTRACT = (
    "Batteries are everywhere in modern life and matter to everyone. "
    "Here we report a glassy polymer electrolyte that keeps its conductivity above 80 °C. "
    "It was tested for one thousand hours in a dry cell."
)


def document(*sections: tuple[str, str]):
    text = ""
    headings = []
    for title, body in sections:
        headings.append(
            Heading(number="", title=title, page=1, level=1, source=HeadingSource.LAYOUT, offset=len(text))
        )
        text += f"# {title}\n\n{body}\n\n"
    pages = [Page(number=1, raw=text, text=text, status=TextStatus.TEXT)]
    return build_tree(headings, pages), pages


def test_sentence_that_states_the_aim_describes_the_paper():
    found = describing_sentence(ABSTRACT, "A glassy polymer electrolyte with high conductivity")
    assert found.startswith("Here we report a glassy polymer electrolyte")


def test_description_is_one_verbatim_sentence():
    assert describing_sentence(ABSTRACT, "") in ABSTRACT
    assert len(describing_sentence("The " + "word " * 65 + "ends.", "")) <= MAX_DESCRIPTION


def test_text_without_prose_gives_no_description():
    assert describing_sentence("", "A title") == ""
    assert describing_sentence("| 1 | 2 |", "A title") == ""


def test_abstract_is_found_by_its_title_wherever_it_stands():
    tree, pages = document(
        ("Highlights", "Some highlights are listed here for the reader."), ("Abstract", ABSTRACT)
    )
    assert abstract_text(tree, pages) == ABSTRACT


def test_structured_abstract_is_read_with_its_parts():
    text = "# Abstract\n\n## Background\n\nNothing was known about it before.\n\n## Results\n\nWe found it."
    levels = {"Abstract": 1, "Background": 2, "Results": 2}
    headings = [
        Heading(
            number="",
            title=title,
            page=1,
            level=level,
            source=HeadingSource.LAYOUT,
            offset=text.index(f"{'#' * level} {title}"),
        )
        for title, level in levels.items()
    ]
    pages = [Page(number=1, raw=text, text=text, status=TextStatus.TEXT)]
    found = abstract_text(build_tree(headings, pages), pages)
    assert "Nothing was known" in found
    assert "We found it." in found


def test_without_an_abstract_the_first_prose_is_used():
    tree, pages = document(("Contents", "1 . . . . 2"), ("Introduction", ABSTRACT))
    assert abstract_text(tree, pages) == ABSTRACT
