"""C05 with a model as the finder: known children stay, and the search ends."""

from __future__ import annotations

import pytest

from vectree.ingest.headings import conclude, gather
from vectree.ingest.model.splitting import ModelFinder
from vectree.ingest.page_text import render_pages
from vectree.tree.build import build_tree
from vectree.tree.split import SplitBounds, split_oversize
from vectree.tree.walk import walk

BOUNDS = SplitBounds(tokens=400, pages=3)


@pytest.fixture
def long(make_paper, make_prose):
    """One section of six pages with headings that look like text, then one that layout finds."""
    inner = [[make_prose(9, n), f"= Inner part {n}", make_prose(9, 3 * n)] for n in range(2, 7)]
    return make_paper(
        ["# 1 Study", make_prose(9, 20)],
        *inner,
        ["# 1.1 Known child", make_prose(9, 30), "# 2 End", make_prose(6, 40)],
    )


def split(document, model_stages, known=frozenset()):
    gathered = gather(document)
    rendered = render_pages(document, conclude(gathered).headings)
    finder = ModelFinder(model_stages, gathered, rendered.pages, known)
    tree = build_tree(rendered.headings, rendered.pages)
    return split_oversize(tree, rendered.pages, finder, BOUNDS), rendered.pages


def test_c05_new_sections_are_verified_and_known_children_stay(long, answering, stages) -> None:
    told = [{"title": f"Inner part {n}", "page": n} for n in range(2, 7)]
    told += [{"title": "Part that is not there", "page": 4}, {"title": "Known child", "page": 7}]
    outcome, pages = split(long, stages(answering(structure={"headings": told})))
    assert [node.printed for node in walk(outcome.tree)] == [
        "1 Study", *[f"Inner part {n}" for n in range(2, 7)], "1.1 Known child", "2 End",
    ]  # fmt: skip
    assert (len(outcome.added), outcome.oversize) == (5, ())
    for node in walk(outcome.tree):
        assert node.start is not None
        assert node.title in pages[node.pages.first - 1].text[node.start :][:80]


def test_c05_a_model_that_repeats_itself_ends_and_the_section_is_marked(long, answering, stages) -> None:
    model = answering(structure={"headings": [{"title": "Study", "page": 1}]})
    outcome, _ = split(long, stages(model))
    assert len(model.requests) == 1
    assert (outcome.added, outcome.oversize) == ((), ("0001",))


def test_pages_that_were_read_already_are_not_read_again(long, answering, stages) -> None:
    model = answering()
    outcome, _ = split(long, stages(model), frozenset(range(1, 8)))
    assert (model.requests, outcome.oversize) == ([], ("0001",))
