"""§3.4, standalone verified tree search, sentence by sentence."""

from __future__ import annotations

import pytest

from vectree.agent.tree_search.checks import FALLBACK_NODES, lexical_nodes, query_words
from vectree.agent.tree_search.located import Located
from vectree.agent.tree_search.search import MAX_RETRIES, MIN_CONFIDENCE, locate
from vectree.llm.scripted import ScriptedModel
from vectree.testing.library import MemoryLibrary, make_paper

QUESTION = "What does the first test yield?"
TITLES = [
    f"{ordinal} test" for ordinal in ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh")
]


@pytest.fixture
def library() -> MemoryLibrary:
    sections = [(title, page, page) for page, title in enumerate(TITLES, start=1)]
    return MemoryLibrary([make_paper("p", title="P", pages=["Text."] * len(TITLES), sections=sections)])


def search(library: MemoryLibrary, *replies: str) -> tuple[Located, ScriptedModel]:
    model = ScriptedModel(replies)
    return locate(library, "p", QUESTION, model=model), model


def test_an_llm_returns_candidate_node_identifiers(library: MemoryLibrary) -> None:
    located, _ = search(library, '{"nodes": ["0002"]}')
    assert [section.title for section in located.sections] == ["Second test"]


def test_the_fraction_of_passing_nodes_defines_the_confidence(library: MemoryLibrary) -> None:
    located, _ = search(library, '{"nodes": ["0001", "0002", "0003", "9999"]}')
    assert located.confidence == 0.75


def test_scores_below_one_half_trigger_at_most_two_retries_with_an_error_report(
    library: MemoryLibrary,
) -> None:
    assert (MIN_CONFIDENCE, MAX_RETRIES) == (0.5, 2)
    located, model = search(library, *['{"nodes": ["0001", "8888", "9999"]}'] * 3)
    assert (located.retries, len(model.requests)) == (2, 3)
    assert "9999" in model.requests[-1].messages[-1].text


def test_a_score_of_one_half_triggers_none(library: MemoryLibrary) -> None:
    located, _ = search(library, '{"nodes": ["0001", "9999"]}')
    assert (located.confidence, located.retries) == (0.5, 0)


def test_if_confidence_remains_low_a_lexical_fallback_returns_the_top_five(library: MemoryLibrary) -> None:
    assert FALLBACK_NODES == 5
    located, _ = search(library, *['{"nodes": ["9999"]}'] * 3)
    assert located.fallback
    assert len(located.sections) == 5
    assert located.sections[0].title == "First test"


def test_the_fallback_ranks_by_stopword_filtered_overlap(library: MemoryLibrary) -> None:
    assert query_words(QUESTION) == ("first", "test", "yield")
    found = lexical_nodes(library.tree("p"), query_words(QUESTION), most=7)
    assert [len(section.shared) for section in found] == [2, 1, 1, 1, 1, 1, 1]
