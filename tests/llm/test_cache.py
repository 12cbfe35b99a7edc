"""Nothing is paid twice; failures are never kept."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import BaseModel

from vectree.errors import ModelReplyError, ModelUnavailable
from vectree.llm.cache import CachedModel
from vectree.llm.chat import ChatRequest, Message, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel
from vectree.llm.structured import ask
from vectree.llm.usage import MeteredModel

PAID = Usage(prompt_tokens=100, completion_tokens=10, cost=0.25)


def _question(text: str) -> ChatRequest:
    return ChatRequest(messages=(Message(role=Role.USER, text=text),))


def _paid(text: str) -> Reply:
    return Reply(text=text, usage=PAID)


class Answer(BaseModel):
    page: int


def test_the_same_request_is_paid_once_and_costs_nothing_afterwards(tmp_path: Path) -> None:
    inner = ScriptedModel([_paid("first")])
    model = CachedModel(inner, tmp_path)
    assert model.complete(_question("a")) == _paid("first")
    assert model.complete(_question("a")) == Reply(text="first", usage=Usage(cost=0.0))
    assert (model.hits, model.saved, inner.left) == (1, PAID, 0)


def test_another_process_finds_the_reply(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from vectree.llm.cache import CachedModel\n"
        "from vectree.llm.chat import ChatRequest, Message, Role\n"
        "from vectree.llm.scripted import ScriptedModel\n"
        "request = ChatRequest(messages=(Message(role=Role.USER, text='a'),))\n"
        "CachedModel(ScriptedModel(['from outside']), Path(sys.argv[1])).complete(request)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert CachedModel(ScriptedModel([]), tmp_path).complete(_question("a")).text == "from outside"


def test_another_request_or_another_model_is_not_answered_from_it(tmp_path: Path) -> None:
    CachedModel(ScriptedModel(["old"]), tmp_path).complete(_question("a"))
    model = CachedModel(ScriptedModel(["new"]), tmp_path)
    assert model.complete(_question("b")).text == "new"
    other = CachedModel(ScriptedModel(["other"], name="other"), tmp_path)
    assert other.complete(_question("a")).text == "other"


def test_an_interrupted_run_pays_only_for_what_is_missing(tmp_path: Path) -> None:
    """A crash at the 6th call once made an indexer start over (106 calls, nothing stored)."""
    questions = [_question(f"section {n}") for n in range(10)]

    def dies_at_the_sixth(_: ChatRequest) -> Reply:
        if len(dying.requests) > 5:
            raise ModelUnavailable("gone")
        return _paid("summary")

    dying = FunctionModel(dies_at_the_sixth)
    first = CachedModel(dying, tmp_path)
    with suppress(ModelUnavailable):
        for question in questions:
            first.complete(question)
    assert len(dying.requests) == 6
    healthy = FunctionModel(lambda _: _paid("summary"))
    metered = MeteredModel(CachedModel(healthy, tmp_path))
    for question in questions:
        metered.complete(question)
    assert len(healthy.requests) == 5
    assert (metered.calls, metered.usage.cost) == (10, 5 * 0.25)


def test_failures_and_empty_replies_are_not_kept(tmp_path: Path) -> None:
    replies = iter(
        [ModelUnavailable("busy"), ModelReplyError("no choices"), Reply(text=" \n"), _paid("at last")]
    )

    def answer(_: ChatRequest) -> Reply:
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    model = CachedModel(FunctionModel(answer), tmp_path)
    for error in (ModelUnavailable, ModelReplyError):
        with pytest.raises(error):
            model.complete(_question("a"))
    assert model.complete(_question("a")).text == " \n"
    assert model.complete(_question("a")).text == "at last"
    assert model.hits == 0


def test_replies_that_never_fitted_are_forgotten_so_that_the_next_run_asks_anew(tmp_path: Path) -> None:
    inner = ScriptedModel(["no", "never", "nothing", '{"page": 3}'])
    model = MeteredModel(CachedModel(inner, tmp_path))
    with pytest.raises(ModelReplyError):
        ask(model, _question("which page?"), Answer)
    assert ask(model, _question("which page?"), Answer).page == 3
    assert inner.left == 0


def test_a_bad_reply_on_the_way_to_a_good_one_is_kept_so_that_a_rerun_pays_nothing(tmp_path: Path) -> None:
    inner = ScriptedModel(["page three", '{"page": 3}'])
    for _ in range(2):
        assert ask(CachedModel(inner, tmp_path), _question("which page?"), Answer).page == 3
    assert inner.left == 0


def test_threads_that_ask_the_same_at_once_pay_once(tmp_path: Path) -> None:
    started = threading.Barrier(4)

    def slow(_: ChatRequest) -> Reply:
        threading.Event().wait(0.02)
        return _paid("once")

    inner = FunctionModel(slow)
    model = CachedModel(inner, tmp_path)

    def complete(_: int) -> str:
        started.wait()
        return model.complete(_question("a")).text

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(complete, range(4))) == ["once"] * 4
    assert len(inner.requests) == 1


def test_threads_that_ask_different_things_do_not_wait_for_each_other(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=10)

    def meet(_: ChatRequest) -> str:
        both.wait()
        return "met"

    model = CachedModel(FunctionModel(meet), tmp_path)
    with ThreadPoolExecutor(max_workers=2) as pool:
        replies = pool.map(model.complete, [_question("a"), _question("b")])
    assert [reply.text for reply in replies] == ["met", "met"]
