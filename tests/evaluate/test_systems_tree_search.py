"""Verified tree search as a system: the procedure of ``Corpus.locate``, and an answer from what it locates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.errors import UsageError
from vectree.evaluate.records import Benchmark, Papers, Question
from vectree.evaluate.systems.catalogue import make_system
from vectree.evaluate.systems.tree_search import TreeSearchSystem
from vectree.llm.chat import Reply, Usage
from vectree.llm.scripted import ScriptedModel
from vectree.tree.walk import walk

EKHOLM = "ekholm2019-51aa"


@pytest.fixture
def given(questions: tuple[Question, ...]) -> Question:
    return replace(questions[0], scope=frozenset({EKHOLM}))


@pytest.fixture
def system(papers: Papers) -> TreeSearchSystem:
    made = TreeSearchSystem()
    made.prepare(papers, model=None)
    return made


def test_it_names_sections_and_answers_from_their_pages(
    system: TreeSearchSystem, papers: Papers, given: Question
) -> None:
    tree = papers.library.tree(EKHOLM)
    hit = papers.library.within(EKHOLM, given.text, top_k=1)[0]
    node = next(node for node in walk(tree) if node.id == hit.node_id)
    answer = f"58 percent (Ekholm et al., 2019, {EKHOLM}, p.{node.covering.first})."
    texts = [f'{{"nodes": ["{node.id}"]}}', answer]
    model = ScriptedModel([Reply(text=text, usage=Usage(prompt_tokens=10, cost=0.5)) for text in texts])
    made = system.answer(given, model=model, seed=1)
    assert made.text == answer
    assert made.evidence == {(EKHOLM, page) for page in range(node.covering.first, node.covering.last + 1)}
    assert (made.details["confidence"], made.details["retries"], made.details["fallback"]) == (1.0, 0, False)
    assert (made.usage.model_calls, made.usage.prompt_tokens, made.usage.cost) == (2, 20, 1.0)
    assert made.citations[0].read


def test_it_falls_back_and_says_so(system: TreeSearchSystem, given: Question) -> None:
    model = ScriptedModel([*['{"nodes": ["9999"]}'] * 3, "Done."])
    made = system.answer(given, model=model, seed=1)
    assert (made.details["confidence"], made.details["retries"], made.details["fallback"]) == (0.0, 2, True)
    assert made.usage.model_calls == 4
    assert made.evidence


def test_without_a_model_it_retrieves_and_claims_no_confidence(
    system: TreeSearchSystem, given: Question
) -> None:
    made = system.answer(given, model=None, seed=1)
    assert made.text == ""
    assert made.evidence
    assert "confidence" not in made.details


def test_in_a_whole_corpus_it_takes_the_paper_that_ranks_first(
    system: TreeSearchSystem, questions: tuple[Question, ...]
) -> None:
    made = system.answer(questions[0], model=None, seed=1)
    assert len({doc_id for doc_id, _ in made.evidence}) == 1


def test_pages_are_bounded(papers: Papers, given: Question) -> None:
    system = TreeSearchSystem(pages=1)
    system.prepare(papers, model=None)
    assert len(system.answer(given, model=None, seed=1).evidence) <= 1


def test_it_is_listed_estimated_and_refuses_to_answer_unprepared(papers: Papers, given: Question) -> None:
    system = make_system("tree-search", Benchmark.QASPER)
    assert system.estimate(papers, None).calls == 0
    assert system.estimate(papers, given).calls == 2
    assert system.parameters["min_confidence"] == 0.5
    with pytest.raises(UsageError):
        system.answer(given, model=None, seed=1)
