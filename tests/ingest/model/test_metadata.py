from __future__ import annotations

import pytest

from vectree.document import Metadata
from vectree.ingest.headings import find_headings
from vectree.ingest.model.metadata import describe_with_model
from vectree.ingest.page_text import render_pages
from vectree.tree.build import build_tree

FRONT = [
    "# Ion transport in cold glass",
    "Ada Lovelace and Alan Turing",
    "Journal of Glass 12 (2019) 301-317",
]
RULES = Metadata(
    title="Ion transport in cold glass",
    authors=("Ada Lovelace",),
    description="We present something.",
    keywords=("glass",),
    provenance={"title": "rules", "authors": "file", "description": "rules", "keywords": "rules"},
)
GOOD = {
    "title": "Ion transport in cold glass",
    "authors": ["Ada Lovelace", "Alan Turing"],
    "year": "2019",
    "journal": "Journal of Glass",
    "volume": 12,
    "article_pages": "301-317",
    "doi": None,
    "description": "Membranes of cold glass are cast and their conductivity is measured. More follows.",
    "keywords": ["ion transport", "glass"],
}


@pytest.fixture
def describe(make_paper, make_prose, stages):
    def run(model, metadata=RULES, front=FRONT):
        document = make_paper([*front, "# 1 Introduction", make_prose(6)])
        rendered = render_pages(document, find_headings(document).headings)
        tree = build_tree(rendered.headings, rendered.pages)
        return describe_with_model(stages(model), document, metadata, tree, rendered.pages)

    return run


def test_one_call_fills_what_rules_left_open_and_says_so(describe, answering) -> None:
    model = answering(metadata=GOOD)
    found = describe(model)
    assert len(model.requests) == 1
    assert (found.year, found.journal, found.volume, found.article_pages) == (
        2019, "Journal of Glass", "12", "301-317",
    )  # fmt: skip
    assert found.description == "Membranes of cold glass are cast and their conductivity is measured."
    assert found.keywords == ("ion transport", "glass")
    model_fields = {name for name, origin in found.provenance.items() if origin == "model"}
    assert model_fields == {"year", "journal", "volume", "article_pages", "description", "keywords"}


def test_the_hints_of_the_rules_are_in_the_prompt_as_data(describe, answering) -> None:
    model = answering(metadata=GOOD)
    describe(model)
    assert "title: Ion transport in cold glass\nauthors: Ada Lovelace" in model.asked("metadata")[0]


def test_what_does_not_stand_on_the_pages_is_not_believed(describe, answering) -> None:
    invented = {
        **GOOD, "year": 1998, "journal": "Nature", "volume": "77", "doi": "10.1038/nature12345",
        "authors": ["Marie Curie"], "description": "It reached 87.5 units in the glass membranes studied.",
    }  # fmt: skip
    found = describe(answering(metadata=invented))
    assert (found.year, found.journal, found.volume, found.doi) == (None, None, None, None)
    assert (found.authors, found.description) == (RULES.authors, RULES.description)


def test_rules_win_where_they_read_the_page_and_the_model_where_the_file_only_claims(
    describe, answering
) -> None:
    known = Metadata(
        title="untitled draft", year=2018, journal="J. Glass",
        provenance={"title": "file name", "year": "rules", "journal": "file"},
    )  # fmt: skip
    found = describe(answering(metadata=GOOD), known)
    assert (found.title, found.year, found.journal) == (GOOD["title"], 2018, "Journal of Glass")
    assert found.conflicts == {"year": "model: 2019", "journal": "file: J. Glass"}


@pytest.mark.parametrize("reply", ["", "I'm sorry, I can't.", "[]", {"title": None}])
def test_useless_replies_change_nothing(describe, answering, reply) -> None:
    assert describe(answering(metadata=lambda _: reply)) == RULES


def test_lenient_forms_are_read(describe, answering) -> None:
    loose = {**GOOD, "authors": "Ada Lovelace, Alan Turing", "year": "published 2019", "keywords": None}
    found = describe(answering(metadata=loose), Metadata(title="x", provenance={"title": "file name"}))
    assert (found.authors, found.year, found.keywords) == (("Ada Lovelace", "Alan Turing"), 2019, ())


def test_printed_keywords_stay(describe, answering) -> None:
    front = [*FRONT, "Keywords: cold glass; lithium; casting"]
    assert describe(answering(metadata=GOOD), front=front).keywords == RULES.keywords


def test_no_text_no_call(make_paper, stages, answering) -> None:
    document = make_paper([])
    rendered = render_pages(document, ())
    tree = build_tree((), rendered.pages)
    model = answering()
    assert describe_with_model(stages(model), document, RULES, tree, rendered.pages) == RULES
    assert model.requests == []
