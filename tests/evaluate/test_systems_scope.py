"""A scoped library is a library of the papers in scope."""

from __future__ import annotations

import pytest

from vectree.agent.library import Library
from vectree.agent.scope import ScopedLibrary
from vectree.errors import UnknownDocument
from vectree.evaluate.records import Papers
from vectree.evaluate.systems.ablations import ListingLibrary, SectionlessLibrary
from vectree.evidence import Filters

OURS, OTHER = "ekholm2019-51aa", "varga2020-7c3e"


@pytest.fixture
def scoped(papers: Papers) -> ScopedLibrary:
    return ScopedLibrary(papers.library, frozenset({OURS}))


def test_it_is_a_library(scoped: ScopedLibrary) -> None:
    assert isinstance(scoped, Library)
    assert scoped.stats().documents == 1
    assert scoped.stats().year_first == 2019


@pytest.mark.parametrize("query", ["*", "moss roofs", "quantum chromodynamics"])
def test_a_given_paper_is_found_by_every_query_and_no_other_is(scoped: ScopedLibrary, query: str) -> None:
    result = scoped.search(query)
    assert [hit.doc_id for hit in result.hits] == [OURS]
    assert (result.total_matches, result.total_documents) == (1, 1)


def test_filters_still_exclude(scoped: ScopedLibrary) -> None:
    assert scoped.search("moss", filters=Filters(year_min=2020)).hits == ()


def test_papers_out_of_scope_do_not_exist(scoped: ScopedLibrary) -> None:
    assert scoped.pages(OURS, [1])[0].number == 1
    for look in (
        scoped.record,
        scoped.tree,
        scoped.figures,
        lambda name: scoped.pages(name, [1]),
        lambda name: scoped.within(name, "moss"),
        lambda name: scoped.figure_bytes(name, "x.png"),
    ):
        with pytest.raises(UnknownDocument):
            look(OTHER)


def test_papers_in_scope_keep_their_order_and_the_unfound_follow(papers: Papers) -> None:
    both = ScopedLibrary(papers.library, frozenset({OURS, OTHER}))
    wanted = [hit.doc_id for hit in papers.library.search("storm runoff").hits if hit.doc_id in {OURS, OTHER}]
    found = [hit.doc_id for hit in both.search("storm runoff").hits]
    assert found[: len(wanted)] == wanted
    assert sorted(found) == [OURS, OTHER]
    assert [hit.doc_id for hit in both.search("storm runoff", top_k=1, offset=1).hits] == found[1:]


def test_without_the_tree_layer_search_names_no_sections(papers: Papers) -> None:
    assert any(hit.sections for hit in papers.library.search("moss").hits)
    assert not any(hit.sections for hit in SectionlessLibrary(papers.library).search("moss").hits)


def test_without_the_vector_layer_every_paper_is_listed_whatever_the_query(papers: Papers) -> None:
    library = ListingLibrary(papers.library)
    results = [library.search(query, top_k=1) for query in ("moss", "quantum chromodynamics")]
    assert [hit.doc_id for hit in results[0].hits] == [hit.doc_id for hit in results[1].hits]
    assert {hit.doc_id for hit in results[0].hits} == set(papers.doc_ids)
