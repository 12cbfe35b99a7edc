"""The agent and its ablations on the three papers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from vectree.corpus.facade import Corpus
from vectree.errors import UsageError
from vectree.evaluate.papers import open_papers
from vectree.evaluate.records import Benchmark, Papers, Question, SystemAnswer
from vectree.evaluate.systems.ablations import SectionlessLibrary
from vectree.evaluate.systems.catalogue import make_system
from vectree.llm.chat import Reply, Role, Usage
from vectree.llm.scripted import ScriptedModel, call

EKHOLM = "ekholm2019-51aa"
ANSWER = f"They kept 58 percent of the rain (Ekholm et al., 2019, {EKHOLM}, p.3)."


def ask(
    name: str, papers: Papers, question: Question, replies: Sequence[Reply | str]
) -> tuple[SystemAnswer, ScriptedModel]:
    system, model = make_system(name, Benchmark.MOSAIC), ScriptedModel(replies)
    system.prepare(papers, model=None)
    return system.answer(question, model=model, seed=1), model


def test_the_agent_reports_what_it_read(papers: Papers, questions: tuple[Question, ...]) -> None:
    read = replace(call("get_page_content", doc_id=EKHOLM, pages="3"), usage=Usage(prompt_tokens=70))
    answer, model = ask(
        "agent",
        papers,
        questions[0],
        [call("search_documents", query="moss"), call("get_document_tree", doc_id=EKHOLM), read, ANSWER],
    )
    assert answer.evidence == {(EKHOLM, 3)}
    assert "58 percent" in answer.context[0]
    assert answer.usage.model_calls == 4
    assert answer.usage.prompt_tokens == 70
    assert [step.tool for step in answer.trajectory][-1] == "get_page_content"
    assert all(citation.read for citation in answer.citations)
    assert answer.stopped == "final"
    assert {request.temperature for request in model.requests} == {None}
    assert len(model.requests[0].tools) == 7


def test_a_scope_hides_all_other_papers(papers: Papers, questions: tuple[Question, ...]) -> None:
    given = replace(questions[0], scope=frozenset({EKHOLM}))
    script = [
        call("search_documents", query="*"),
        call("get_page_content", doc_id="varga2020-7c3e", pages="1"),
    ]
    answer, model = ask("agent", papers, given, [*script, "Nothing."])
    assert answer.evidence == frozenset()
    assert "varga2020-7c3e" not in model.requests[1].messages[-1].text
    assert answer.trajectory[1].error


def test_the_options_of_a_question_are_asked(papers: Papers, questions: tuple[Question, ...]) -> None:
    choice = replace(questions[0], options=("one", "two"))
    _, model = ask("agent", papers, choice, ["A."])
    assert "B. two" in model.requests[0].messages[-1].text


@pytest.mark.parametrize(
    ("name", "withheld"),
    [
        ("no-tree", {"get_document_tree", "search_within_paper", "get_paper_metadata"}),
        ("no-vector", {"search_within_paper"}),
    ],
)
def test_an_ablation_neither_offers_nor_runs_what_it_withholds(
    name: str, withheld: set[str], papers: Papers, questions: tuple[Question, ...]
) -> None:
    tried = [call(tool, doc_id=EKHOLM, query="moss") for tool in sorted(withheld)]
    answer, model = ask(name, papers, questions[0], [*tried, "Done."])
    offered = {tool.name for tool in model.requests[0].tools}
    assert len(offered) == 7 - len(withheld)
    assert not offered & withheld
    assert all(step.error.startswith("Error: There is no tool") for step in answer.trajectory)
    assert not any(
        tool in step.error.partition("The tools are")[2] for step in answer.trajectory for tool in withheld
    )
    assert "In this run" in model.requests[0].messages[0].text


def test_without_trees_pages_can_be_read_and_no_section_is_seen(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    script = [call("search_documents", query="moss"), call("get_page_content", doc_id=EKHOLM, pages="3")]
    answer, model = ask("no-tree", papers, questions[0], [*script, ANSWER])
    assert answer.evidence == {(EKHOLM, 3)}
    observed = next(message for message in model.requests[1].messages if message.role is Role.TOOL)
    assert EKHOLM in observed.text
    assert "Runoff" not in observed.text.replace("storm runoff", "")


def test_without_vectors_an_off_topic_query_lists_all_papers(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    script = [call("search_documents", query="quantum chromodynamics", top_k=1), "Done."]
    _, model = ask("no-vector", papers, questions[0], script)
    assert all(doc_id in model.requests[1].messages[-1].text for doc_id in papers.doc_ids)


def test_without_gates_the_ungated_library_is_asked(papers: Papers, questions: tuple[Question, ...]) -> None:
    script = [call("search_documents", query="moss"), "Done."]
    marked = replace(papers, ungated=SectionlessLibrary(papers.library))
    _, gated = ask("agent", marked, questions[0], script)
    _, ungated = ask("no-gates", marked, questions[0], script)
    assert len(ungated.requests[1].messages[-1].text) < len(gated.requests[1].messages[-1].text)


def test_without_gates_a_corpus_must_allow_it(papers: Papers) -> None:
    with pytest.raises(UsageError, match="gates"):
        make_system("no-gates", Benchmark.LITQA2).prepare(papers, model=None)


def test_the_extractive_system_needs_no_model_and_ignores_one(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    system, model = make_system("extractive", Benchmark.MOSAIC), ScriptedModel([])
    footprint = system.prepare(papers, model=None)
    assert footprint.vectors == 3 + sum(len(papers.library.tree(doc_id).nodes) for doc_id in papers.doc_ids)
    assert not system.needs_model
    for question in questions:
        answer = system.answer(question, model=model, seed=1)
        assert answer == replace(
            system.answer(question, model=None, seed=2), retrieval_seconds=answer.retrieval_seconds
        )
        assert frozenset(answer.ranking) == answer.evidence
    assert model.requests == []


def test_the_agent_refuses_to_run_without_a_model(papers: Papers, questions: tuple[Question, ...]) -> None:
    system = make_system("agent", Benchmark.MOSAIC)
    assert system.needs_model
    system.prepare(papers, model=None)
    with pytest.raises(UsageError):
        system.answer(questions[0], model=None, seed=1)


@pytest.mark.parametrize("name", ["agent", "no-tree", "no-vector", "no-gates", "extractive"])
def test_every_setting_is_plain_json(name: str, papers: Papers) -> None:
    system = make_system(name, Benchmark.LITQA2)
    system.prepare(replace(papers, ungated=papers.library), model=None)
    kept = json.loads(json.dumps(system.parameters))
    assert kept["max_rounds"] == 30
    assert kept["embedder"] == "hash"
    assert ("policy_quotes" in kept) == (name == "extractive")


def test_a_corpus_folder_can_be_searched_without_gates(tmp_path: Path, data: Path) -> None:
    Corpus.open(tmp_path / "corpus", embedder="hash", create=True).add(data / "qasper.json")
    papers = open_papers(tmp_path / "corpus")
    assert papers.ungated is not None
    query = "green tea and old bicycles"  # some hashed words collide, so that cosines are low but not 0
    assert papers.library.search(query).total_matches == 0
    assert papers.ungated.search(query).total_matches == len(papers.doc_ids)
