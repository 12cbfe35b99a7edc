"""Search-o1: stops at its limits, reads in calls of its own, invents no results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.errors import NoAnswer, UsageError
from vectree.evaluate.records import Papers, Question
from vectree.evaluate.systems import reasoning_steps as steps
from vectree.evaluate.systems.search_o1 import SearchO1System
from vectree.llm.chat import ChatRequest, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel

EKHOLM = "ekholm2019-51aa"
FOUND = f"**Final Information**\n58 percent (Ekholm et al., 2019, {EKHOLM}, p.3)."


def search(query: str, thought: str = "I need a fact. ") -> str:
    return f"{thought}{steps.BEGIN_QUERY}{query}{steps.END_QUERY}"


@pytest.fixture
def system(papers: Papers) -> SearchO1System:
    made = SearchO1System(k=1)
    made.prepare(papers, model=None)
    return made


def test_it_searches_reads_and_answers(system: SearchO1System, questions: tuple[Question, ...]) -> None:
    replies = [search("retained rain"), FOUND, f"58 percent (Ekholm et al., 2019, {EKHOLM}, p.3)."]
    model = ScriptedModel([Reply(text=text, usage=Usage(prompt_tokens=10)) for text in replies])
    given = replace(questions[0], scope=frozenset({EKHOLM}))
    answer = system.answer(given, model=model, seed=1)
    assert model.left == 0
    assert answer.text.startswith("58 percent")
    assert {doc_id for doc_id, _ in answer.evidence} == {EKHOLM}
    assert answer.details == {"rounds": 2, "searches": 1, "chat": "multi-turn"}
    assert (answer.usage.model_calls, answer.usage.prompt_tokens) == (3, 30)
    assert [citation.read for citation in answer.citations] == [True]
    assert answer.context[0] in model.requests[1].messages[0].text
    assert model.requests[2].messages[-1].role is Role.USER
    assert model.requests[2].messages[-1].text.startswith(steps.BEGIN_RESULT + "58 percent")


def test_a_result_that_the_model_invents_is_cut_off(
    system: SearchO1System, questions: tuple[Question, ...]
) -> None:
    invented = search("rain") + steps.result_block("It was 99 percent.") + "So 99 percent."
    model = ScriptedModel([invented, FOUND, "Done."])
    system.answer(questions[0], model=model, seed=1)
    assert not any("99 percent" in message.text for message in model.requests[2].messages)


def test_a_query_is_looked_up_once(system: SearchO1System, questions: tuple[Question, ...]) -> None:
    model = ScriptedModel([search("rain"), FOUND, search("rain"), "Done."])
    answer = system.answer(questions[0], model=model, seed=1)
    assert answer.details["searches"] == 1
    assert steps.REPEATED in model.requests[-1].messages[-1].text


def test_it_stops_at_its_limits(system: SearchO1System, questions: tuple[Question, ...]) -> None:
    turns = 0

    def restless(request: ChatRequest) -> str:
        nonlocal turns
        if "Someone is reasoning" in request.messages[0].text:
            return FOUND
        turns += 1
        return search(f"rain {turns}", thought=f"Thought {turns}. ")

    model = FunctionModel(restless)
    answer = system.answer(questions[0], model=model, seed=1)
    assert (answer.details["searches"], answer.details["rounds"]) == (10, 15)
    assert len(model.requests) == 25
    assert (answer.text, answer.stopped) == ("Thought 15.", "round limit")
    assert steps.LIMIT_REACHED in model.requests[-1].messages[-1].text


def test_a_run_that_only_searches_has_no_answer(
    system: SearchO1System, questions: tuple[Question, ...]
) -> None:
    system.max_turns = 1
    with pytest.raises(NoAnswer):
        system.answer(questions[0], model=ScriptedModel([search("rain", thought=""), FOUND]), seed=1)


def test_it_needs_a_model(system: SearchO1System, questions: tuple[Question, ...]) -> None:
    assert system.needs_model
    with pytest.raises(UsageError):
        system.answer(questions[0], model=None, seed=1)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (search("a  b\nc"), "a b c"),
        ("no query", None),
        (steps.BEGIN_QUERY + "unfinished", None),
        (steps.BEGIN_QUERY + " " + steps.END_QUERY, None),
        ("stray " + steps.END_QUERY, None),
    ],
)
def test_queries(text: str, query: str | None) -> None:
    assert steps.query_of(steps.stopped_at_query(text)) == query


def test_information_needs_its_marker() -> None:
    assert steps.information_of("rambling") == steps.NOTHING
    assert steps.information_of("x **Final Information** \n a\nb") == "a b"
    assert steps.without_marks(steps.result_block("a" + steps.END_RESULT)) == "a"


def test_long_reasoning_is_condensed() -> None:
    numbered = [f"thought {number}" for number in range(1, 10)]
    numbered[2] = search("rain")
    shown = steps.condensed("\n\n".join(numbered))
    assert [line.split(":")[0] for line in shown.split("\n\n")] == [
        "Step 1", "...", "Step 3", "...", "Step 6", "Step 7", "Step 8", "Step 9",
    ]  # fmt: skip
    assert "..." not in steps.condensed("a\n\nb")
