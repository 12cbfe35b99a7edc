"""The whole pipeline with a model: what it costs, what it stores, what broken replies leave (C07)."""

from __future__ import annotations

import json

import pytest

from vectree.document import HeadingSource, Match, SummarySource
from vectree.ingest.headings import find_headings
from vectree.ingest.model.reading import Structure
from vectree.ingest.page_text import render_pages
from vectree.ingest.pipeline import IngestSettings, ingest_parsed
from vectree.ingest.report import Stopwatch
from vectree.testing.honest_reader import HonestReader
from vectree.tree.walk import walk


@pytest.fixture
def document(make_paper, make_prose):
    return make_paper(
        ["# Ion transport in cold glass", "# Abstract", make_prose(7), "# 1 Introduction", make_prose(20)],
        ["# 2 Methods", make_prose(5), "# 2.1 Casting", make_prose(18, 3)],
        ["# 3 Results", make_prose(22, 4)],
        ["# 4 Conclusions", make_prose(4, 5)],
    )


def read(document, model=None, **settings):
    chosen = IngestSettings(model=model, **settings)
    return ingest_parsed(document, "glass.pdf", settings=chosen, watch=Stopwatch())


def honest(document) -> HonestReader:
    return HonestReader(render_pages(document, find_headings(document).headings).headings)


def sections(found) -> list[tuple[str, str]]:
    return [(node.printed, str(node.pages)) for node in walk(found.tree)]


@pytest.mark.parametrize("mode", [Structure.AUTO, Structure.LLM, Structure.LAYOUT])
def test_a_model_that_answers_rightly_costs_little_more_than_its_summaries(document, mode) -> None:
    rules = read(document)
    model = honest(document)
    found = read(document, model, structure=mode)
    assert sections(found) == sections(rules)
    long = sum(node.summary_source is SummarySource.EXTRACTIVE for node in walk(rules.tree))
    assert long == 3
    assert len(model.requests) <= long + 2 + (8 if mode is Structure.LLM else 0)
    report = json.loads(json.dumps(found.report))
    assert report["model"]["calls"] == report["model"]["paid"] == len(model.requests)
    assert report["model"]["prompt_tokens"] == model.prompt_tokens
    assert report["model"]["cost"] == 0.0
    assert report["summaries"]["model"] == long
    assert found.metadata.provenance["description"] == "model"
    assert found.warnings == ()


@pytest.mark.parametrize("exact", [False, True])
def test_every_stored_node_is_verified_or_marked_as_synthetic(document, exact) -> None:
    found = read(document, honest(document), structure=Structure.LLM, paper_exact=exact)
    nodes = list(walk(found.tree))
    assert all(node.synthetic or node.match is not Match.NONE for node in nodes)
    assert all(node.source is HeadingSource.MODEL for node in nodes if not node.synthetic)
    assert sum(found.report["tree"]["verified_by"].values()) == sum(not node.synthetic for node in nodes)


def test_to_the_letter_the_model_decides_every_page_start(document) -> None:
    model = honest(document)
    found = read(document, model, structure=Structure.LLM, paper_exact=True)
    assert found.report["model"]["stages"]["page starts"]["calls"] == 1
    assert sections(found) == sections(read(document))
    assert found.report["headings"]["structure"]["paper_rate_before"] == 1.0


def test_a_repaired_heading_shows_in_the_rates_before_and_after(document, answering) -> None:
    right = [
        {"title": node.title, "page": node.pages.first}
        for node in walk(read(document).tree)
        if not node.synthetic
    ]
    wrong = [{**right[0], "title": f"{right[0]['title']} of glass and stone"}, *right[1:]]
    model = answering(
        structure={"headings": wrong},
        repair={"found": [{"entry": 1, **right[0]}]},
        starts={"starts": []},
        summary={"summary": "Membranes were cast from solution and dried."},
        metadata={},
    )
    found = read(document, model, structure=Structure.LLM)
    rates = found.report["headings"]
    assert (rates["paper_rate"], rates["verified_rate"], rates["repair_rounds"]) == (1.0, 1.0, 1)
    before = (len(right) - 1) / len(right)
    assert rates["paper_rate_before_repair"] == pytest.approx(before)
    assert rates["verified_rate_before_repair"] == pytest.approx(before)
    assert found.report["usage"]["model_calls"] == len(model.requests)


def test_without_a_model_nothing_was_repaired_and_no_call_made(document) -> None:
    report = read(document).report
    rates = report["headings"]
    assert (rates["paper_rate_before_repair"], rates["verified_rate_before_repair"]) == (1.0, 1.0)
    assert (rates["repair_rounds"], report["usage"]["model_calls"]) == (0, 0)


BROKEN = [
    "",
    "I'm sorry, I cannot help with this document.",
    "<think>hm</think>",
    '{"headings": [{"title": null, "page": {}}], "summary": 5, "starts": "no"}',
    "[[[[[[",
    '{"error": "overloaded"}',
    '["a", 1, null]',
    "null",
]


@pytest.mark.parametrize("mode", [Structure.AUTO, Structure.LLM])
@pytest.mark.parametrize("reply", BROKEN)
def test_c07_broken_replies_on_every_stage_leave_the_tree_of_the_rules(
    document, answering, mode, reply
) -> None:
    rules = read(document)
    stages = ("structure", "repair", "starts", "summary", "metadata")
    model = answering(**{stage: lambda _: reply for stage in stages})
    found = read(document, model, structure=mode)
    assert sections(found) == sections(rules)
    assert [n.summary for n in walk(found.tree)] == [n.summary for n in walk(rules.tree)]
    assert found.metadata == rules.metadata
    assert found.warnings
    assert found.report["model"]["stages"]["summaries"]["useless"] == 3


def test_an_oversize_section_is_split_and_the_pages_written_anew(make_paper, make_prose, answering) -> None:
    inner = [[make_prose(40, n), f"= Inner part {n}", make_prose(60, 3 * n)] for n in range(2, 14)]
    document = make_paper(["# 1 Study", make_prose(60, 30)], *inner, ["# 2 End", make_prose(6, 40)])
    main = [{"number": "1", "title": "Study", "page": 1}, {"number": "2", "title": "End", "page": 14}]

    def structure(prompt: str):
        whole = "page 14 <<" in prompt or ("page 1 <<" in prompt and not model.asked("structure")[1:])
        return {
            "headings": main if whole else [{"title": f"Inner part {n}", "page": n} for n in range(2, 14)]
        }

    model = answering(
        structure=structure,
        starts={"starts": []},
        summary={"summary": "Membranes were cast from solution and dried."},
        metadata={},
    )
    found = read(document, model, structure=Structure.LLM)
    assert [node.title for node in walk(found.tree)] == [
        "Study", *[f"Inner part {n}" for n in range(2, 14)], "End",
    ]  # fmt: skip
    assert len(found.report["headings"]["structure"]["split"]) == 12
    assert "# Inner part 5\n" in found.pages[4].text
    for node in walk(found.tree):
        assert found.pages[node.pages.first - 1].text[node.start :].lstrip("# 12").startswith(node.title)
