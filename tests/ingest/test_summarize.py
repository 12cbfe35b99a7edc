from __future__ import annotations

import pytest

from vectree.document import Heading, HeadingSource, Page, SummarySource, TextStatus
from vectree.ingest.prose import prose_sentences
from vectree.ingest.summarize import SummarySettings, pick_sentences, summarize_tree
from vectree.tree.build import build_tree
from vectree.tree.walk import walk

FILLER = "It is well known that things are as they are and that nothing much can be said about them here. "
FINDING = "We found that the sulfonated membrane keeps 92 mS/cm of proton conductivity at 120 °C. "


def tree_of(*sections: tuple[str, int, str]):
    """A one-page document; each section is title, level, body."""
    text = ""
    headings = []
    for title, level, body in sections:
        headings.append(
            Heading(
                number="", title=title, page=1, level=level, source=HeadingSource.LAYOUT, offset=len(text)
            )
        )
        text += f"{'#' * level} {title}\n\n{body}\n\n"
    pages = [Page(number=1, raw=text, text=text, status=TextStatus.TEXT)]
    return summarize_tree(build_tree(headings, pages), pages)


def summary(*sections):
    node = next(iter(walk(tree_of(*sections))))
    return node.summary, node.summary_source


def test_section_shorter_than_200_tokens_keeps_its_text():
    assert summary(("Aim", 1, "Short text. Of two sentences.")) == (
        "Short text. Of two sentences.",
        SummarySource.TEXT,
    )


def test_longer_section_is_summarised_by_its_telling_sentences():
    text, source = summary(
        ("Conductivity", 1, FILLER * 12 + FINDING + FILLER * 12), ("Other", 1, FILLER * 20)
    )
    assert source is SummarySource.EXTRACTIVE
    assert "92 mS/cm of proton conductivity at 120 °C" in text
    assert len(text.split()) <= SummarySettings().max_words


def test_summary_is_made_of_whole_sentences_in_their_order():
    body = " ".join(
        f"Sample {n} of batch {n * n} had a yield of {n * 7} percent in the run." for n in range(1, 60)
    )
    text, _ = summary(("Yields", 1, body))
    sentences = [sentence.text for sentence in prose_sentences(text)]
    assert sentences
    assert all(sentence in body for sentence in sentences)
    assert [body.index(sentence) for sentence in sentences] == sorted(body.index(s) for s in sentences)


def test_saying_the_same_thing_twice_is_avoided():
    text, _ = summary(
        ("Conductivity", 1, FINDING * 30 + "The cell voltage dropped by 40 mV in the dry gas. ")
    )
    assert text.count("92 mS/cm") == 1
    assert "40 mV" in text


def test_parent_is_summarised_from_its_preamble_only():
    tree = tree_of(("Results", 1, "A preamble of a few words."), ("Yield", 2, FINDING))
    assert tree.nodes[0].summary == "A preamble of a few words."


def test_parent_without_preamble_has_no_summary():
    tree = tree_of(("Results", 1, ""), ("Yield", 2, FINDING))
    assert (tree.nodes[0].summary, tree.nodes[0].summary_source) == ("", SummarySource.NONE)


@pytest.mark.parametrize(
    "title", ["References", "7 Bibliography", "Literaturverzeichnis", "Acknowledgements"]
)
def test_back_matter_is_clipped_not_summarised(title):
    body = " ".join(f"[{n}] A. Author, B. Writer, Title number {n}, Journal {n}, 2001." for n in range(80))
    text, source = summary((title, 1, body))
    assert source is SummarySource.EXTRACTIVE
    assert text.startswith("[0] A. Author")
    assert len(text) <= SummarySettings().back_matter_characters


def test_empty_page_has_no_summary_C02():
    pages = [Page(number=1, raw="", text="", status=TextStatus.SCAN)]
    tree = summarize_tree(build_tree([], pages), pages)
    assert (tree.nodes[0].summary, tree.nodes[0].summary_source) == ("", SummarySource.NONE)


def test_section_without_prose_is_clipped():
    text, source = summary(("Table", 1, "| 1 | 2 |\n" * 300))
    assert source is SummarySource.EXTRACTIVE
    assert 0 < len(text) <= 1_000


def test_title_block_above_the_first_heading_is_not_part_of_its_summary():
    page = "A Title\n\nAda Lovelace\n\n# Abstract\n\nWe did it well."
    heading = Heading(
        number="", title="Abstract", page=1, level=1, source=HeadingSource.LAYOUT, offset=page.index("# Abs")
    )
    pages = [Page(number=1, raw=page, text=page, status=TextStatus.TEXT)]
    assert summarize_tree(build_tree([heading], pages), pages).nodes[0].summary == "We did it well."


def test_one_sentence_longer_than_the_bound_is_still_taken():
    long = prose_sentences("The " + "very " * 60 + "long sentence ends here.")
    assert pick_sentences(long, "", {}, max_words=10) == long


def test_result_is_the_same_every_time():
    body = " ".join(f"Sample {n} had a yield of {n * 7} percent in run {n % 5}." for n in range(60))
    assert summary(("Yields", 1, body)) == summary(("Yields", 1, body))
