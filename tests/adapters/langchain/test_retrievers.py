from __future__ import annotations

import json

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from langchain_vectree import VecTreeRetriever
from vectree import Corpus, HashEmbedder
from vectree.errors import UsageError
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import sample_library

QUERY = "conductivity of a solid electrolyte"


class TestStandardSuite(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return VecTreeRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, object]:
        return {"corpus": sample_library()}

    @property
    def retriever_query_example(self) -> str:
        return QUERY


def three_of_a_kind(extra_sections: int = 0) -> MemoryLibrary:
    """Three papers whose sections are all called Results; the first has many that match."""
    papers = []
    for number in range(3):
        count = 1 + (extra_sections if number == 0 else 0)
        pages = [f"Results\n\nresults of anode matter {number}.{page}" for page in range(count)]
        sections = [("Results", page + 1, page + 1) for page in range(count)]
        papers.append(make_paper(f"p{number}", title=f"Anodes {number}", pages=pages, sections=sections))
    return MemoryLibrary(papers)


def test_a_page_says_how_to_cite_it(library: MemoryLibrary) -> None:
    first = VecTreeRetriever(corpus=library).invoke("activation energy of the garnet")[0]
    assert first.page_content.startswith(
        "A garnet electrolyte for solid batteries > 3 Results (berg2021-a1b2, p.3)"
    )
    assert first.id == "berg2021-a1b2:p3"
    wanted = {
        "source": "berg2021-a1b2.pdf",
        "page": 3,
        "page_label": "3",
        "doc_id": "berg2021-a1b2",
        "section": "3 Results",
        "year": 2021,
    }
    assert wanted.items() <= first.metadata.items()


@pytest.mark.parametrize("mode", ["pages", "sections", "documents"])
def test_metadata_is_plain_and_flat(library: MemoryLibrary, mode: str) -> None:
    for document in VecTreeRetriever(corpus=library, mode=mode).invoke(QUERY):
        assert json.loads(json.dumps(document.metadata)) == document.metadata
        assert all(isinstance(value, str | int | float) for value in document.metadata.values())
        assert {"source", "doc_id", "title"} <= set(document.metadata)


@pytest.mark.parametrize("mode", ["pages", "sections", "documents"])
def test_C28_k_papers_come_before_the_second_piece_of_one(mode: str) -> None:
    retriever = VecTreeRetriever(corpus=three_of_a_kind(extra_sections=9), mode=mode, k=3)
    found = retriever.invoke("results anode")
    assert {document.metadata["doc_id"] for document in found} == {"p0", "p1", "p2"}


@pytest.mark.parametrize("mode", ["pages", "sections", "documents"])
def test_C28_texts_and_ids_are_unique_so_that_merging_by_text_loses_no_paper(mode: str) -> None:
    found = VecTreeRetriever(corpus=three_of_a_kind(), mode=mode, k=9).invoke("results anode")
    assert len({document.page_content for document in found}) == len(found)
    assert len({document.id for document in found}) == len(found)


def test_C28_inside_an_ensemble_without_id_key_all_papers_stay() -> None:
    ensemble = pytest.importorskip("langchain_classic.retrievers")
    retriever = VecTreeRetriever(corpus=three_of_a_kind(), mode="sections", k=3)
    other = VecTreeRetriever(corpus=three_of_a_kind(), mode="documents", k=3)
    merged = ensemble.EnsembleRetriever(retrievers=[retriever, other]).invoke("results anode")
    assert {document.metadata["doc_id"] for document in merged} == {"p0", "p1", "p2"}
    assert len(merged) == 6


def test_per_paper_takes_more_of_each_before_the_next() -> None:
    retriever = VecTreeRetriever(corpus=three_of_a_kind(extra_sections=9), k=4, per_paper=3)
    assert [document.metadata["doc_id"] for document in retriever.invoke("results anode")] == [
        "p0",
        "p0",
        "p0",
        "p1",
    ]


def test_a_page_is_returned_once_however_many_sections_name_it(library: MemoryLibrary) -> None:
    found = VecTreeRetriever(corpus=library, k=50).invoke(QUERY)
    assert len({(d.metadata["doc_id"], d.metadata["page"]) for d in found}) == len(found) > 3


def test_filters_at_construction_and_at_call(library: MemoryLibrary) -> None:
    def years(found: list[Document]) -> set[int]:
        return {document.metadata["year"] for document in found}

    assert years(VecTreeRetriever(corpus=library, year_min=2022).invoke(QUERY)) == {2023}
    assert years(VecTreeRetriever(corpus=library).invoke(QUERY, year_max=2021)) == {2021}
    assert years(VecTreeRetriever(corpus=library).invoke(QUERY, author="Okoro")) == {2023}


async def test_what_is_given_at_call_counts_in_async_calls_too(library: MemoryLibrary) -> None:
    retriever = VecTreeRetriever(corpus=library)
    assert len(await retriever.ainvoke(QUERY, k=2)) == 2
    assert len(await retriever.ainvoke(QUERY, k=1, mode="documents")) == 1


def test_an_unknown_argument_is_refused_and_not_ignored(library: MemoryLibrary) -> None:
    with pytest.raises(UsageError, match="top_k"):
        VecTreeRetriever(corpus=library).invoke(QUERY, top_k=3)


def test_a_blank_query_finds_nothing_and_a_star_lists(library: MemoryLibrary) -> None:
    retriever = VecTreeRetriever(corpus=library)
    assert retriever.invoke("  ") == []
    assert len(retriever.invoke("*")) == 4


def test_something_else_than_a_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Corpus\.open"):
        VecTreeRetriever(corpus="papers")


def test_it_reads_a_corpus_on_disk(tmp_path, example_papers) -> None:
    corpus = Corpus.open(tmp_path / "corpus", embedder=HashEmbedder())
    corpus.add(*sorted(example_papers.glob("*.pdf"))[:2], jobs=1)
    titles = [record.metadata.title for record in corpus.list()]
    found = VecTreeRetriever(corpus=corpus, k=2).invoke(titles[0])
    assert found[0].metadata["title"] == titles[0]
    assert found[0].metadata["source"].endswith(".pdf")
    assert found[0].metadata["page"] >= 1
