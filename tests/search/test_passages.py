"""Pages scored by words, sections and headings, on a paper made for it."""

import numpy as np
import pytest

from vectree.document import (
    DocumentStatus,
    Metadata,
    Node,
    Page,
    PageRange,
    Record,
    SectionTree,
    TextStatus,
)
from vectree.search.paper_index import PaperIndex
from vectree.search.passages import PassageWeights, passage_shares

TEXTS = (
    "## Introduction\n\nTranslation is hard, and we say so here.",
    "## Corpora\n\nSentences of parliament debates are paired by hand.",
    "## Results\n\nTranslation of debates reached a high level in all runs.",
    "## Outlook\n\nWeather was not looked into.",
)
TITLES = ("Introduction", "Corpora", "Results", "Outlook")


def paper() -> PaperIndex:
    pages = [
        Page(number=n, raw=text, text=text, status=TextStatus.TEXT) for n, text in enumerate(TEXTS, start=1)
    ]
    nodes = tuple(
        Node(id=f"{n:04d}", number="", title=title, pages=PageRange(first=n, last=n))
        for n, title in enumerate(TITLES, start=1)
    )
    record = Record(
        doc_id="a",
        sha256="0" * 64,
        sources=(),
        total_pages=4,
        status=DocumentStatus.OK,
        metadata=Metadata(title="A"),
    )
    return PaperIndex(record, SectionTree(total_pages=4, nodes=nodes), pages)


def shares(query, overview=(False,) * 4, **weights):
    made = paper()
    scores = passage_shares(made, query, overview, PassageWeights(**weights))
    return {
        passage.page: round(float(score), 3) for passage, score in zip(made.passages, scores, strict=True)
    }


def test_the_best_page_has_one_and_a_page_without_any_of_the_words_has_nothing():
    found = shares("translation of debates")
    assert found[3] == 1.0
    assert found[4] == 0.0
    assert all(0.0 <= share <= 1.0 for share in found.values())


def test_a_heading_counts_for_the_page_below_it():
    assert shares("corpora of translation")[2] > shares("translation")[2]


def test_what_papers_call_the_same_thing_is_found():
    assert shares("which dataset")[2] == 1.0
    assert not any(shares("which dataset", related=0.0, related_titles=0.0).values())


def test_overviews_stand_back():
    plain, back = shares("translation"), shares("translation", overview=(True, False, False, False))
    assert back[1] < plain[1]


def test_word_forms_agree():
    assert shares("translations of debating")[3] == 1.0


@pytest.mark.parametrize("query", ["", "the of", "zebra"])
def test_without_a_matching_word_no_page_is_likely(query):
    assert not any(shares(query).values())


def test_a_paper_without_text_has_no_passages():
    record = paper().record
    blank = Page(number=1, raw="", text="", status=TextStatus.SCAN)
    tree = SectionTree(
        total_pages=1, nodes=(Node(id="1", number="", title="A", pages=PageRange(first=1, last=1)),)
    )
    assert np.array_equal(passage_shares(PaperIndex(record, tree, [blank]), "a garnet", [False]), np.zeros(0))
