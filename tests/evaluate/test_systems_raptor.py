"""RAPTOR: leaves, clusters, trees that can be built again to the byte, collapsed-tree retrieval."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vectree.errors import ModelRequestError, UsageError
from vectree.evaluate.records import Benchmark, Papers, Question, Selective, documents_asked
from vectree.evaluate.systems.catalogue import make_system
from vectree.evaluate.systems.chunks import Chunk
from vectree.evaluate.systems.raptor.clustering import cluster
from vectree.evaluate.systems.raptor.leaves import leaves_of, sentence_chunks
from vectree.evaluate.systems.raptor.presets import PAPER, PASSAGES, REPOSITORY, RaptorSettings
from vectree.evaluate.systems.raptor.reduction import Reduced
from vectree.evaluate.systems.raptor.summaries import SummaryWriter
from vectree.evaluate.systems.raptor.system import RaptorSystem
from vectree.evaluate.systems.raptor.tree import RaptorTree, build_tree
from vectree.evaluate.systems.writing import passages
from vectree.index.embedder import HashEmbedder, Vectors
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.tokens import count_tokens

EKHOLM, VARGA, ODUYA = "ekholm2019-51aa", "varga2020-7c3e", "oduya2021-e09b"
SMALL = replace(PAPER, leaf_tokens=25, cluster_tokens=200, smallest_layer=4, most_clusters=6, layers=3)
"""Leaves so short that three small papers fill three layers."""


def first_words(request: ChatRequest) -> str:
    """Summarise by the first four words of every passage."""
    lines = request.messages[0].text.split("\n")
    texts = [lines[at + 1] for at, line in enumerate(lines) if line.startswith("<<")]
    return "Together: " + "; ".join(" ".join(text.split()[:4]) for text in texts)


def by_svd(vectors: Vectors, neighbours: int, settings: RaptorSettings) -> Reduced:
    """Stands in for UMAP, which takes half a minute to compile itself."""
    left, values, _ = np.linalg.svd(np.asarray(vectors, dtype=np.float64), full_matrices=False)
    count = min(settings.dimension, len(vectors) - 2)
    return left[:, :count] * values[:count]


def embed(texts: Sequence[str]) -> Vectors:
    return HashEmbedder().embed_documents(texts)


@pytest.fixture(scope="module")
def leaves(papers: Papers) -> list[Chunk]:
    found: list[Chunk] = []
    for doc_id in papers.doc_ids:
        total = papers.library.record(doc_id).total_pages
        pages = [page.text for page in papers.library.pages(doc_id, range(1, total + 1))]
        found += leaves_of(doc_id, pages, SMALL)
    return found


@pytest.fixture(scope="module")
def tree(leaves: list[Chunk]) -> RaptorTree:
    return build_tree(leaves, SMALL, embed, SummaryWriter(FunctionModel(first_words), 100), by_svd)


@pytest.fixture(scope="module")
def raptor(papers: Papers) -> RaptorSystem:
    system = RaptorSystem(settings=replace(SMALL, shown_tokens=None, top_k=6), reduce=by_svd)
    system.prepare(papers, model=FunctionModel(first_words))
    return system


def test_presets_hold_what_papers_and_repository_say() -> None:
    assert (PAPER.leaf_tokens, PAPER.shown_tokens, PAPER.top_k) == (100, 2_000, None)
    repository = (
        REPOSITORY.leaf_tokens,
        REPOSITORY.top_k,
        REPOSITORY.shown_tokens,
        REPOSITORY.summary_tokens,
    )
    assert repository == (100, 10, 3_500, 100)
    assert (REPOSITORY.cluster_tokens, REPOSITORY.layers, REPOSITORY.membership) == (3_500, 5, 0.1)
    assert (PASSAGES.leaf_tokens, PASSAGES.overlap_tokens, PASSAGES.top_k) == (800, 400, 10)


def test_leaves_are_whole_sentences_and_know_their_pages() -> None:
    pages = ["One thing is so. Another is not.", "", "A third follows. " + "long " * 60]
    found = sentence_chunks("a", pages, 10)
    assert found[0].text == "One thing is so. Another is not."
    assert [chunk.pages for chunk in found[:2]] == [(1,), (3,)]
    assert all(count_tokens(chunk.text) <= 10 for chunk in found)
    assert "".join("".join(chunk.text.split()) for chunk in found) == "".join("".join(pages).split())


@pytest.mark.parametrize("count", range(6))
def test_a_few_nodes_are_clustered_without_a_fault(count: int) -> None:
    vectors = embed([f"text {number}" for number in range(count)])
    found = cluster(vectors, [10] * count, SMALL, by_svd)
    assert {place for members in found for place in members} == set(range(count))
    assert len(found) == min(count, 1) or count > 4


def test_equal_texts_stay_nodes_of_their_own() -> None:
    found = cluster(embed(["the same text"] * 12), [10] * 12, SMALL, by_svd)
    assert sorted({place for members in found for place in members}) == list(range(12))


def test_no_cluster_of_several_is_longer_than_a_summary_may_read() -> None:
    lengths = [150, 150, 90, 90, 500, 10, 10, 10]
    found = cluster(embed(["same"] * 8), lengths, SMALL, by_svd)
    assert {place for members in found for place in members} == set(range(8))
    assert all(len(members) == 1 or sum(lengths[place] for place in members) <= 200 for members in found)


BUILD_TWICE = """
import json, sys
from dataclasses import replace
from vectree.evaluate.systems.chunks import Chunk
from vectree.evaluate.systems.raptor.presets import PAPER
from vectree.evaluate.systems.raptor.tree import build_tree
from vectree.index.embedder import HashEmbedder

leaves = [Chunk(doc_id="a", text=text, pages=(1,)) for text in json.loads(sys.argv[1])]
rules = replace(PAPER, cluster_tokens=90, smallest_layer=4, most_clusters=4, layers=2)
summarise = lambda clusters: [" | ".join(text[:30] for text in texts) for texts in clusters]
for _ in range(2):
    tree = build_tree(leaves, rules, HashEmbedder().embed_documents, summarise)
    print(len(tree.nodes), tree.serialized().hex() + tree.vectors.tobytes().hex())
"""


@pytest.mark.slow
def test_a_tree_is_built_again_to_the_byte_with_its_seed(leaves: list[Chunk]) -> None:
    # With UMAP itself; uncompiled, since compiling it takes longer than these few leaves.
    texts = json.dumps([leaf.text for leaf in leaves[:14]])
    command = [sys.executable, "-c", BUILD_TWICE, texts]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert found.returncode == 0, found.stderr
    first, second = found.stdout.splitlines()
    assert first == second
    assert int(first.split()[0]) > 14


def test_a_summary_counts_for_every_page_below_it(tree: RaptorTree, leaves: list[Chunk]) -> None:
    assert tree.nodes[len(leaves)].layer == 1
    assert max(node.layer for node in tree.nodes) >= 2
    for node in tree.nodes[len(leaves) :]:
        below = [tree.nodes[place] for place in node.children]
        assert {child.layer for child in below} == {node.layer - 1}
        assert set(node.units) == {unit for child in below for unit in child.units}
    rows = [json.loads(line) for line in tree.serialized().decode().splitlines()]
    assert [row["layer"] for row in rows] == [node.layer for node in tree.nodes]


def test_summaries_are_asked_for_at_temperature_0_and_an_empty_one_once_more() -> None:
    model = ScriptedModel(["", "Something.", " ", ""])
    writer = SummaryWriter(model, 100)
    assert [writer([[text]])[0] for text in ("one", "two")] == ["Something.", ""]
    assert (writer.missing, {request.temperature for request in model.requests}) == (1, {0.0})
    assert "about 75 words" in model.requests[0].messages[0].text


def test_a_service_that_fails_ends_the_building() -> None:
    def down(_: ChatRequest) -> str:
        raise ModelRequestError("The service is down.")

    with pytest.raises(ModelRequestError):
        SummaryWriter(FunctionModel(down), 100)([["one"], ["two"]])


def test_a_tree_whose_summaries_are_all_missing_keeps_its_leaves(leaves: list[Chunk]) -> None:
    bare = build_tree(leaves, SMALL, embed, SummaryWriter(FunctionModel(lambda _: ""), 100), by_svd)
    assert len(bare.nodes) == len(leaves)
    assert build_tree([], SMALL, embed, SummaryWriter(FunctionModel(lambda _: ""), 100)).nodes == ()


def test_it_answers_from_the_nearest_nodes(raptor: RaptorSystem, questions: tuple[Question, ...]) -> None:
    model = FunctionModel(lambda _: f"58 percent (Ekholm et al., 2019, {EKHOLM}, p.3).")
    question = replace(questions[0], text="Moss panels retained percent of the rain of an average storm")
    answer = raptor.answer(question, model=model, seed=1)
    assert answer.ranking[0] == (EKHOLM, 3)
    assert len(answer.context) == 6
    assert answer.evidence == set(answer.ranking)
    assert (answer.usage.model_calls, [citation.read for citation in answer.citations]) == (1, [True])


def test_bounds_in_nodes_and_in_tokens_are_kept(papers: Papers, questions: tuple[Question, ...]) -> None:
    system = RaptorSystem(settings=replace(SMALL, smallest_layer=999, shown_tokens=60), reduce=by_svd)
    system.prepare(papers, model=FunctionModel(first_words))
    shown = system.answer(questions[0], model=None, seed=1).context
    assert 1 <= sum(map(count_tokens, shown)) <= 60
    system.settings = replace(system.settings, shown_tokens=1)
    assert len(system.answer(questions[0], model=None, seed=1).context) == 1


def test_a_scope_shows_no_summary_of_other_papers(
    raptor: RaptorSystem, questions: tuple[Question, ...]
) -> None:
    answer = raptor.answer(replace(questions[0], scope=frozenset({EKHOLM})), model=None, seed=1)
    assert {doc_id for doc_id, _ in answer.evidence} == {EKHOLM}


def test_a_summary_of_several_papers_names_them_at_its_head(raptor: RaptorSystem, papers: Papers) -> None:
    assert raptor.index is not None
    top = max(raptor.index.nodes, key=lambda node: len({doc_id for doc_id, _ in node.units}))
    text = passages([top], papers.library)
    assert f"(Ekholm et al., 2019, {EKHOLM}, p.N)" in text
    assert VARGA in text


def test_only_papers_asked_about_get_a_tree(papers: Papers, questions: tuple[Question, ...]) -> None:
    system = RaptorSystem(settings=SMALL, tree_for_each_paper=True, reduce=by_svd)
    assert isinstance(system, Selective)
    given = [replace(questions[0], scope=frozenset({name})) for name in (EKHOLM, ODUYA)]
    assert documents_asked(given) == {EKHOLM, ODUYA}
    assert documents_asked([*given, questions[0]]) is None
    whole = system.estimate(papers, None).prompt_tokens
    system.expect(documents_asked(given))
    assert 0 < system.estimate(papers, None).prompt_tokens < whole
    footprint = system.prepare(papers, model=FunctionModel(first_words))
    assert footprint.details["trees"] == 2


def test_only_for_qasper_each_paper_has_its_tree() -> None:
    trees = {which: make_system("raptor", which).parameters["trees"] for which in Benchmark}
    assert trees.pop(Benchmark.QASPER) == "one for each paper"
    assert set(trees.values()) == {"one"}


def test_the_footprint_says_what_the_summaries_took(papers: Papers) -> None:
    system = RaptorSystem(settings=SMALL, reduce=by_svd)
    model = FunctionModel(first_words)
    footprint = system.prepare(papers, model=model)
    details = footprint.details
    assert footprint.usage.model_calls == len(model.requests) == details["summaries"]
    assert footprint.vectors == details["leaves"] + details["summaries"]
    assert footprint.index_bytes is not None
    assert footprint.index_bytes > (footprint.vectors or 0) * 4
    assert len(details["tree_sha256"]) == 64


def test_it_needs_a_model_and_preparing(papers: Papers, questions: tuple[Question, ...]) -> None:
    with pytest.raises(UsageError, match="model"):
        RaptorSystem().prepare(papers, model=None)
    with pytest.raises(UsageError, match="prepared"):
        RaptorSystem().answer(questions[0], model=None, seed=1)


@pytest.mark.parametrize("settings", [PAPER, REPOSITORY, PASSAGES], ids=lambda each: each.preset)
def test_each_preset_builds_a_tree_of_small_papers(papers: Papers, settings: RaptorSettings) -> None:
    system = RaptorSystem(settings=settings, tree_for_each_paper=True, reduce=by_svd)
    footprint = system.prepare(papers, model=FunctionModel(first_words))
    assert footprint.details["trees"] == 3
    assert system.parameters["preset"] == settings.preset
    assert system.index is not None
    assert np.isfinite(system.index.vectors).all()
