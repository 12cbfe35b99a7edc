"""Single-call baselines on the three papers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from vectree.document import Page
from vectree.errors import ModelReplyError, UsageError
from vectree.evaluate.records import RETRIEVAL_ONLY, Benchmark, Follower, Papers, Question, System
from vectree.evaluate.systems.catalogue import SYSTEMS, SystemEntry, make_system
from vectree.evaluate.systems.dense import MatchedSystem, PassageSystem
from vectree.evaluate.systems.disclosing import DisclosingSystem
from vectree.evaluate.systems.rerank import rerank
from vectree.index.embedder import HashEmbedder, Vectors
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.tokens import count_tokens

EKHOLM = "ekholm2019-51aa"
RETRIEVERS = ["paragraphs", "dense", "no-disclosure"]


class LengthScorer:
    """Prefers long texts."""

    name, measured = "length", False

    def __init__(self) -> None:
        self.given: list[int] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.given.append(len(texts))
        return [float(len(text)) for text in texts]


class BlindEmbedder(HashEmbedder):
    """Sees no difference between texts."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return super().embed_documents(["same"] * len(texts))


def prepared(system: System, papers: Papers) -> System:
    system.prepare(papers, model=None)
    return system


def test_section_4_2_gives_the_defaults() -> None:
    assert make_system("dense", Benchmark.QASPER).parameters["k"] == 10
    assert make_system("dense", Benchmark.LITQA2).parameters["k"] == 10
    dense = make_system("dense", Benchmark.MOSAIC).parameters
    assert (dense["k"], dense["chunk_tokens"], dense["overlap_tokens"]) == (232, 800, 400)
    reranked = make_system("rerank", Benchmark.QASPER).parameters
    assert (reranked["candidates"], reranked["k"]) == (30, 10)


@pytest.mark.parametrize("entry", SYSTEMS, ids=lambda entry: entry.name)
def test_the_catalogue_agrees_with_the_systems(entry: SystemEntry) -> None:
    system = entry.make(Benchmark.QASPER)
    assert isinstance(system, System)
    assert (system.name, system.title) == (entry.name, entry.title)
    json.dumps(system.parameters)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_without_a_model_there_is_evidence_and_no_text(
    name: str, papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = prepared(make_system(name, Benchmark.QASPER), papers)
    answer = system.answer(questions[0], model=None, seed=1)
    assert (answer.text, answer.stopped, answer.usage.model_calls) == ("", RETRIEVAL_ONLY, 0)
    assert answer.evidence == frozenset(answer.ranking)
    assert answer.evidence
    assert answer.context


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_scope_is_kept(name: str, papers: Papers, questions: tuple[Question, ...]) -> None:
    system = prepared(make_system(name, Benchmark.QASPER), papers)
    given = replace(questions[0], scope=frozenset({EKHOLM}))
    answer = system.answer(given, model=None, seed=1)
    assert {doc_id for doc_id, _ in answer.evidence} == {EKHOLM}


@pytest.mark.parametrize("name", RETRIEVERS)
def test_one_call_carries_passages_question_and_the_form_of_citations(
    name: str, papers: Papers, questions: tuple[Question, ...]
) -> None:
    model = ScriptedModel([f"58 percent (Ekholm et al., 2019, {EKHOLM}, p.3). And p.9 is not there."])
    system = prepared(make_system(name, Benchmark.QASPER), papers)
    question = replace(questions[0], text="How much rain did moss panels retain?")
    answer = system.answer(question, model=model, seed=1)
    (request,) = model.requests
    sent = request.messages[0].text
    assert all(text in sent for text in answer.context)
    assert f"(Ekholm et al., 2019, {EKHOLM}, p.N)" in sent
    assert question.asked in sent
    assert request.temperature is None
    assert (answer.usage.model_calls, answer.stopped) == (1, "final")
    assert [citation.read for citation in answer.citations] == [True]


def test_an_empty_reply_is_an_error(papers: Papers, questions: tuple[Question, ...]) -> None:
    system = prepared(make_system("dense", Benchmark.QASPER), papers)
    with pytest.raises(ModelReplyError):
        system.answer(questions[0], model=ScriptedModel([" "]), seed=1)


def test_paragraphs_finds_the_paragraph_both_rankings_agree_on(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = PassageSystem(name="p", title="P", k=2, whole_pages=True, fusion=True)
    question = replace(questions[0], text="When did the peak of the runoff come?")
    answer = prepared(system, papers).answer(question, model=None, seed=1)
    assert answer.ranking[0] == (EKHOLM, 3)
    assert len(answer.ranking) == 2


def test_fusion_finds_the_paragraph_with_the_words_where_vectors_are_blind(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    blind = replace(papers, embedder=BlindEmbedder())
    question = replace(questions[0], text="windy drying")
    plain = prepared(PassageSystem(name="p", title="P", k=1, whole_pages=True), blind)
    fused = prepared(PassageSystem(name="p", title="P", k=1, whole_pages=True, fusion=True), blind)
    assert plain.answer(question, model=None, seed=1).ranking == ((EKHOLM, 1),)  # the first of equals
    assert fused.answer(question, model=None, seed=1).ranking == ((EKHOLM, 4),)


def test_the_footprint_counts_one_vector_a_unit(papers: Papers) -> None:
    system = make_system("paragraphs", Benchmark.QASPER)
    footprint = system.prepare(papers, model=None)
    pages = sum(papers.library.record(doc_id).total_pages for doc_id in papers.doc_ids)
    assert footprint.vectors == pages
    assert (footprint.index_bytes or 0) > pages * 256 * 4


def test_reranking_orders_the_candidates_and_keeps_the_best(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    scorer = LengthScorer()
    system = PassageSystem(name="r", title="R", k=2, whole_pages=True, scorer=scorer)
    answer = prepared(system, papers).answer(questions[0], model=None, seed=1)
    pages = [page.text for doc_id in papers.doc_ids for page in _all_pages(papers, doc_id)]
    assert scorer.given == [len(pages)]  # fewer than the 30 candidates
    assert [len(text) for text in answer.context] == sorted(map(len, pages), reverse=True)[:2]
    assert answer.details["measured"] is False
    assert "unmeasured" in system.parameters
    assert rerank("q", [], scorer, 3) == []


def test_a_matched_dense_rag_fills_the_tokens_of_the_other(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = MatchedSystem(name="m", title="M", whole_pages=True)
    assert isinstance(system, Follower)
    prepared(system, papers)
    question, model = questions[0], FunctionModel(lambda _: "Some text.")
    system.follow({(question.id, 1): 1_200, (question.id, 2): 1, (question.id, 3): 10**6})
    shown = {seed: len(system.answer(question, model=model, seed=seed).context) for seed in (1, 2, 3)}
    assert shown[2] == 1
    assert shown[2] < shown[1] < shown[3]
    assert shown[3] == system.prepare(papers, model=None).vectors
    assert _sent(model.requests[0]) + 350 <= 1_200
    with pytest.raises(UsageError, match="no answer"):
        system.answer(question, model=model, seed=4)


def test_a_matched_dense_rag_stays_within_the_window(papers: Papers, questions: tuple[Question, ...]) -> None:
    system = MatchedSystem(name="m", title="M", whole_pages=True)
    prepared(system, papers)
    system.follow({(questions[0].id, 1): 10**6})
    model = FunctionModel(lambda _: "Some text.", context_window=1_200)
    system.answer(questions[0], model=model, seed=1)
    assert _sent(model.requests[0]) + 350 <= 1_200


def test_without_disclosure_the_pages_of_the_best_sections_come_at_once(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = prepared(DisclosingSystem(papers_shown=1, sections=2, pages=1), papers)
    question = replace(questions[0], text="storm runoff peak")
    answer = system.answer(question, model=None, seed=1)
    assert answer.ranking == ((EKHOLM, 3),)


@pytest.mark.parametrize("entry", SYSTEMS, ids=lambda entry: entry.name)
def test_an_estimate_needs_no_index(
    entry: SystemEntry, papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = entry.make(Benchmark.MOSAIC)
    assert system.estimate(papers, None).calls == 0  # RAPTOR: the papers are too small for summaries
    whole = system.estimate(papers, questions[0])
    given = system.estimate(papers, replace(questions[0], scope=frozenset({EKHOLM})))
    assert given.prompt_tokens <= whole.prompt_tokens
    assert (whole.calls > 0) == (system.name != "extractive")


def test_an_estimate_for_given_papers_is_near_the_prompt(
    papers: Papers, questions: tuple[Question, ...]
) -> None:
    system = make_system("dense", Benchmark.QASPER)
    prepared(system, papers)
    given = replace(questions[0], scope=frozenset({EKHOLM}))
    model = FunctionModel(lambda _: "Some text.")
    system.answer(given, model=model, seed=1)
    assert system.estimate(papers, given).prompt_tokens == pytest.approx(_sent(model.requests[0]), rel=0.1)


def _sent(request: ChatRequest) -> int:
    return sum(count_tokens(message.text) for message in request.messages)


def _all_pages(papers: Papers, doc_id: str) -> tuple[Page, ...]:
    return papers.library.pages(doc_id, range(1, papers.library.record(doc_id).total_pages + 1))
