from __future__ import annotations

import json
from typing import Any

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.evaluation import RetrieverEvaluator
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship, NodeWithScore, TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from llama_index_vectree import VecTreeRetriever
from vectree import Corpus, Filters, HashEmbedder
from vectree.agent.retrieve import Unit, retrieve
from vectree.errors import UsageError
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.tokens import count_tokens

QUERY = "conductivity of a solid electrolyte"
MODES = ("pages", "sections", "documents")


def ids(found: list[NodeWithScore]) -> list[str]:
    return [item.node.node_id for item in found]


def test_a_page_is_one_node_with_what_a_citation_needs_in_sight(library: MemoryLibrary) -> None:
    node = VecTreeRetriever(library).retrieve("activation energy of the garnet")[0].node
    assert type(node) is TextNode
    assert node.node_id == "berg2021-a1b2:p3"
    assert node.ref_doc_id == "berg2021-a1b2"
    assert node.get_content(MetadataMode.NONE).startswith("## 3 Results")
    header = node.get_content(MetadataMode.LLM).split("\n\n")[0]
    assert header.splitlines() == [
        "title: A garnet electrolyte for solid batteries",
        "authors: Maria van den Berg, Jun Li, Ana Moreno and 1 more",
        "year: 2021",
        "doc_id: berg2021-a1b2",
        "page_label: 3",
        "section: 3 Results",
    ]
    assert node.get_metadata_str(MetadataMode.EMBED) == node.get_metadata_str(MetadataMode.LLM)


@pytest.mark.parametrize("mode", MODES)
def test_metadata_is_flat_and_plain_and_page_label_is_a_string(library: MemoryLibrary, mode: Any) -> None:
    for item in VecTreeRetriever(library, mode=mode).retrieve(QUERY):
        metadata = item.node.metadata
        assert json.loads(json.dumps(metadata)) == metadata
        assert all(isinstance(value, str | int | float) for value in metadata.values())
        assert {"title", "authors", "year", "doc_id", "page_label", "file_name"} <= set(metadata)
        assert isinstance(metadata["page_label"], str)


def test_nodes_are_related_to_source_neighbours_and_section(library: MemoryLibrary) -> None:
    node = VecTreeRetriever(library).retrieve("activation energy of the garnet")[0].node
    related = {kind: info.node_id for kind, info in node.relationships.items()}
    assert related == {
        NodeRelationship.SOURCE: "berg2021-a1b2",
        NodeRelationship.PREVIOUS: "berg2021-a1b2:p2",
        NodeRelationship.NEXT: "berg2021-a1b2:p4",
        NodeRelationship.PARENT: "berg2021-a1b2#0004",
    }
    section = VecTreeRetriever(library, mode="sections").retrieve("activation energy of the garnet")[0].node
    assert section.node_id == "berg2021-a1b2#0004"
    assert section.relationships[NodeRelationship.PREVIOUS].node_id == "berg2021-a1b2#0003"


@pytest.mark.parametrize("mode", MODES)
def test_ids_are_unique_and_the_same_on_every_run(library: MemoryLibrary, mode: Any) -> None:
    retriever = VecTreeRetriever(library, 50, mode=mode)
    first = ids(retriever.retrieve(QUERY))
    assert first == ids(retriever.retrieve(QUERY))
    assert len(set(first)) == len(first) > 2


@pytest.mark.parametrize("mode", MODES)
def test_nodes_survive_serialisation(library: MemoryLibrary, mode: Any) -> None:
    for item in VecTreeRetriever(library, mode=mode).retrieve(QUERY):
        assert TextNode.from_dict(json.loads(json.dumps(item.node.to_dict()))) == item.node
        assert TextNode.from_json(item.node.to_json()) == item.node


@pytest.mark.parametrize("mode", MODES)
async def test_the_same_as_the_core_gives_sync_and_async(corpus: Corpus, mode: Any) -> None:
    query = corpus.list()[0].metadata.title
    expected = retrieve(corpus.library, query, unit=Unit(mode), top_k=6, per_paper=2)
    retriever = VecTreeRetriever(corpus, 6, mode=mode, per_paper=2)
    found = retriever.retrieve(query)
    assert found == await retriever.aretrieve(query)
    assert [(n.node.metadata["doc_id"], n.node.metadata.get("page")) for n in found] == [
        (item.hit.doc_id, item.page.number if item.page else None) for item in expected
    ]
    assert [n.score for n in found] == pytest.approx([item.hit.rrf for item in expected], abs=1e-9)


def test_documents_come_in_the_order_of_the_core_s_search(corpus: Corpus) -> None:
    query = corpus.list()[1].metadata.title
    hits = corpus.search(query, top_k=3).hits
    found = VecTreeRetriever(corpus, 3, mode="documents").retrieve(query)
    assert ids(found) == [hit.doc_id for hit in hits]
    assert [item.score for item in found] == pytest.approx([hit.rrf for hit in hits], abs=1e-9)


def test_C27_the_score_is_a_number_and_its_meaning_is_chosen(corpus: Corpus) -> None:
    query = corpus.list()[0].metadata.title
    hits = {hit.doc_id: hit for hit in corpus.search(query, top_k=5).hits}
    for item in VecTreeRetriever(corpus, 5, mode="documents", score="similarity").retrieve(query):
        hit = hits[item.node.node_id]
        assert item.score == pytest.approx(hit.similarity, abs=1e-9)
        assert item.node.metadata["rrf"] == pytest.approx(hit.rrf, abs=1e-9)
    ranked = VecTreeRetriever(corpus, 5, score="rank").retrieve(query)
    assert [item.score for item in ranked] == [1 / (60 + n) for n in range(1, len(ranked) + 1)]


def test_C27_a_cut_off_on_similarity_keeps_exactly_the_hits_above_it(corpus: Corpus) -> None:
    query = "pollen electrolyte lattice " + corpus.list()[0].metadata.title
    hits = corpus.search(query, top_k=5).hits
    cut = sorted(hit.similarity or 0.0 for hit in hits)[-1]
    found = VecTreeRetriever(corpus, 5, mode="documents", score="similarity").retrieve(query)
    kept = SimilarityPostprocessor(similarity_cutoff=cut).postprocess_nodes(found)
    assert ids(kept) == [hit.doc_id for hit in hits if (hit.similarity or 0.0) >= cut]
    fused = VecTreeRetriever(corpus, 5, mode="documents").retrieve(query)
    assert (
        SimilarityPostprocessor(similarity_cutoff=0.3).postprocess_nodes(fused) == []
    )  # why there is a choice


def test_C27_a_corpus_opened_again_gives_identical_results(corpus: Corpus) -> None:
    query = corpus.list()[2].metadata.title
    again = Corpus.open(corpus.path, embedder=HashEmbedder())
    assert VecTreeRetriever(again, 5).retrieve(query) == VecTreeRetriever(corpus, 5).retrieve(query)


@pytest.mark.parametrize("mode", MODES)
def test_C26_three_thousand_authors_do_not_fill_the_prompt(mode: Any) -> None:
    authors = [f"Author Number{n}" for n in range(3000)]
    paper = make_paper("big2024-ffff", title="Collider " * 100, pages=["The collider hums."], authors=authors)
    for item in VecTreeRetriever(MemoryLibrary([paper]), mode=mode).retrieve("collider"):
        assert count_tokens(item.node.get_content(MetadataMode.LLM)) < 200
        assert "2997 more" in item.node.metadata["authors"]


def test_C26_nothing_asks_for_a_default_model(
    library: MemoryLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    from llama_index.core import Settings

    def refuse(*_: Any) -> Any:
        raise AssertionError("a default model was asked for")

    monkeypatch.setattr(type(Settings), "llm", property(refuse))
    monkeypatch.setattr(type(Settings), "embed_model", property(refuse))
    engine = RetrieverQueryEngine.from_args(VecTreeRetriever(library), llm=MockLLM(max_tokens=4))
    assert engine.query(QUERY).source_nodes


def test_papers_take_turns_and_per_paper_takes_more_of_each(library: MemoryLibrary) -> None:
    first = [item.node.metadata["doc_id"] for item in VecTreeRetriever(library, 3).retrieve(QUERY)]
    assert len(set(first)) == 3
    deep = [
        item.node.metadata["doc_id"] for item in VecTreeRetriever(library, 3, per_paper=2).retrieve(QUERY)
    ]
    assert deep[0] == deep[1]


def test_filters_of_both_kinds(library: MemoryLibrary) -> None:
    def years(filters: Any) -> set[int]:
        return {n.node.metadata["year"] for n in VecTreeRetriever(library, filters=filters).retrieve(QUERY)}

    since = MetadataFilters(filters=[MetadataFilter(key="year", value=2021, operator=FilterOperator.GT)])
    assert years(since) == years(Filters(year_min=2022)) == {2023}
    until = MetadataFilter(key="year", value=2023, operator=FilterOperator.LT)
    named = MetadataFilter(key="author", value="berg", operator=FilterOperator.CONTAINS)
    assert years(MetadataFilters(filters=[until, named])) == {2021}
    exactly = MetadataFilters(filters=[MetadataFilter(key="year", value=2021)])
    assert years(exactly) == {2021}


@pytest.mark.parametrize(
    "filters",
    [
        MetadataFilters(filters=[MetadataFilter(key="colour", value="red")]),
        MetadataFilters(filters=[MetadataFilter(key="year", value=2020, operator=FilterOperator.NE)]),
        MetadataFilters(filters=[MetadataFilter(key="year", value=2020)], condition=FilterCondition.OR),
        MetadataFilters(filters=[MetadataFilters(filters=[MetadataFilter(key="year", value=2020)])]),
        MetadataFilters(
            filters=[MetadataFilter(key="author", value="Li"), MetadataFilter(key="author", value="Berg")]
        ),
    ],
)
def test_a_filter_that_search_cannot_do_is_refused_and_not_ignored(
    library: MemoryLibrary, filters: Any
) -> None:
    with pytest.raises(UsageError, match=r"not supported|one is supported"):
        VecTreeRetriever(library, filters=filters)


@pytest.mark.parametrize(
    "wrong", [{"similarity_top_k": 0}, {"mode": "chunks"}, {"score": "bm25"}, {"per_paper": 0}]
)
def test_wrong_settings_are_refused(library: MemoryLibrary, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        VecTreeRetriever(library, **wrong)


def test_something_else_than_a_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Corpus\.open"):
        VecTreeRetriever("papers")  # type: ignore[arg-type]


def test_a_blank_query_finds_nothing_and_a_star_lists(library: MemoryLibrary) -> None:
    assert VecTreeRetriever(library).retrieve("  ") == []
    assert len(VecTreeRetriever(library).retrieve("*")) == 4


def test_in_a_fusion_retriever(library: MemoryLibrary) -> None:
    fused = QueryFusionRetriever(
        [VecTreeRetriever(library, score="rank"), VecTreeRetriever(library, mode="sections")],
        num_queries=1,
        use_async=False,
        llm=MockLLM(),
        similarity_top_k=4,
    )
    assert len(fused.retrieve(QUERY)) == 4


async def test_in_a_retriever_evaluator(library: MemoryLibrary) -> None:
    evaluator = RetrieverEvaluator.from_metric_names(["mrr", "hit_rate"], retriever=VecTreeRetriever(library))
    result = await evaluator.aevaluate("activation energy of the garnet", expected_ids=["berg2021-a1b2:p3"])
    assert result.metric_vals_dict == {"mrr": 1.0, "hit_rate": 1.0}


def test_through_an_ingestion_pipeline(library: MemoryLibrary) -> None:
    nodes = [item.node for item in VecTreeRetriever(library).retrieve(QUERY)]
    split = IngestionPipeline(transformations=[SentenceSplitter(chunk_size=128, chunk_overlap=0)]).run(
        nodes=nodes
    )
    assert {node.ref_doc_id for node in split} == {node.metadata["doc_id"] for node in nodes}
    assert {node.metadata["page"] for node in split} == {node.metadata["page"] for node in nodes}
    assert all(node.metadata["page_label"] for node in split)


@pytest.mark.parametrize("style", ["compact", "refine", "tree_summarize", "simple_summarize", "accumulate"])
async def test_in_response_synthesizers(library: MemoryLibrary, style: Any) -> None:
    synthesizer = get_response_synthesizer(llm=MockLLM(), response_mode=style)
    engine = RetrieverQueryEngine(VecTreeRetriever(library, 2), response_synthesizer=synthesizer)
    response = await engine.aquery(QUERY)
    assert "page_label: 1" in str(response)
    assert len(response.source_nodes) == 2


def test_callbacks_and_instrumentation_hear_of_it(library: MemoryLibrary) -> None:
    seen: list[str] = []

    class Handler(BaseEventHandler):
        def handle(self, event: Any, **_: Any) -> None:
            seen.append(event.class_name())

    debug, dispatcher, handler = LlamaDebugHandler(print_trace_on_end=False), get_dispatcher(), Handler()
    dispatcher.add_event_handler(handler)
    try:
        VecTreeRetriever(library, callback_manager=CallbackManager([debug])).retrieve(QUERY)
    finally:
        dispatcher.event_handlers.remove(handler)
    assert seen == ["RetrievalStartEvent", "RetrievalEndEvent"]
    assert len(debug.get_event_pairs(CBEventType.RETRIEVE)) == 1


def test_it_is_a_retriever_by_llamaindex_s_own_check() -> None:
    assert BaseRetriever.__name__ in [base.__name__ for base in VecTreeRetriever.__mro__]
