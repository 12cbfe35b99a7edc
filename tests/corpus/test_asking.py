"""What ``Corpus`` answers: locate, conversations, two models, replay; from Python."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from vectree.agent.compaction import Compaction
from vectree.agent.loop import LoopSettings
from vectree.agent.policy import LoopPolicy
from vectree.agent.tree_search.located import Method
from vectree.corpus import Corpus
from vectree.errors import NoAnswer, UnknownDocument, UsageError
from vectree.llm.scripted import FunctionModel, ScriptedModel, call


@pytest.fixture
def garnet(corpus: Corpus, desk: Any) -> str:
    return corpus.add(desk.write("garnet.pdf", "Garnet electrolytes for lithium")).added[0].doc_id


def test_locate_uses_the_corpus_s_model_or_the_one_given(corpus: Corpus, garnet: str) -> None:
    question = f"What does {corpus.tree(garnet).nodes[0].title} say?"
    first = corpus.tree(garnet).nodes[0].id
    located = corpus.locate(garnet, question, model=ScriptedModel([f'{{"nodes": ["{first}"]}}']))
    assert (located.method, located.sections[0].node_id) == (Method.MODEL, first)
    assert corpus.locate(garnet, question).method is Method.HYBRID
    own = Corpus.open(corpus.path, model=ScriptedModel(["nothing"] * 3))
    assert own.locate(garnet, question).fallback


def test_alocate_gives_the_same(corpus: Corpus, garnet: str) -> None:
    assert asyncio.run(corpus.alocate(garnet, "garnet electrolytes")) == corpus.locate(
        garnet, "garnet electrolytes"
    )


def test_locate_refuses_what_cannot_be(corpus: Corpus, garnet: str) -> None:
    with pytest.raises(UnknownDocument):
        corpus.locate("nobody", "garnet")
    for question in ("", "  ", "?"):
        with pytest.raises(UsageError):
            corpus.locate(garnet, question)


def test_settings_and_a_navigation_model_reach_the_loop(corpus: Corpus, garnet: str) -> None:
    read = call("get_page_content", doc_id=garnet, pages="1")
    main = FunctionModel(lambda _: "Done.")
    settings = LoopSettings(policy=LoopPolicy(max_rounds=2), compaction=Compaction())
    answer = corpus.ask("What?", model=main, navigation_model=ScriptedModel([read]), settings=settings)
    assert answer.navigation is not None
    assert (answer.usage.model_calls, answer.navigation.model_calls) == (2, 1)
    assert (
        asyncio.run(corpus.aask("What?", model=main, navigation_model=ScriptedModel([read]))).text == "Done."
    )


def test_a_run_can_be_cancelled(corpus: Corpus, garnet: str) -> None:
    assert garnet
    with pytest.raises(NoAnswer, match="cancelled"):
        corpus.ask("What?", model=ScriptedModel([]), cancelled=lambda: True)


def test_a_conversation_goes_on(corpus: Corpus, garnet: str) -> None:
    read = call("get_page_content", doc_id=garnet, pages="1")
    conversation = corpus.conversation(model=ScriptedModel([read, "First.", "Second."]))
    assert conversation.ask("What?").text == "First."
    assert conversation.papers == (garnet,)
    assert conversation.ask("And then?").text == "Second."


def test_a_trajectory_is_replayed(corpus: Corpus, garnet: str) -> None:
    steps = corpus.ask("What do garnet electrolytes need?").trajectory
    assert steps
    assert corpus.replay(steps) == steps


def test_a_name_may_be_a_service(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENROUTER_API_KEY", "VECTREE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match=r"openrouter\.ai asks for an API key"):
        corpus.ask("What?", model="openrouter:vendor/model")
    with pytest.raises(UsageError, match="no chat model named 'gpt'"):
        Corpus.open(corpus.path, model="gpt")
    local: Any = Corpus.open(corpus.path, model="ollama:llama3.2:3b")
    assert local is not None


def test_an_empty_corpus_answers_nothing_before_a_model_is_asked(tmp_path: Any) -> None:
    empty = Corpus.open(tmp_path / "empty", create=True)
    with pytest.raises(NoAnswer, match="holds no papers") as caught:
        empty.ask("What?", model=ScriptedModel([]))
    assert caught.value.trajectory == ()
