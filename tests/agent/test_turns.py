"""A cheaper model navigates; the main model reads pages and answers."""

from __future__ import annotations

import pytest

from vectree.agent.extractive import ExtractiveModel
from vectree.agent.loop import LoopSettings, answer_question
from vectree.agent.policy import LoopPolicy
from vectree.agent.turns import navigates
from vectree.errors import NoAnswer
from vectree.evidence import Step
from vectree.llm.chat import Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary

BERG = "berg2021-a1b2"
SEARCH = call("search_documents", query="garnet")
TREE = call("get_document_tree", doc_id=BERG)
READ = call("get_page_content", doc_id=BERG, pages="3")
ANSWER = f"It is 0.28 eV (B, 2021, {BERG}, p.3)."


def run(
    library: MemoryLibrary, navigating: list[Reply | str], main: list[Reply | str], **settings: LoopPolicy
):
    navigator, model = ScriptedModel(navigating, name="small"), ScriptedModel(main, name="large")
    answer = answer_question(
        "q", library=library, model=model, navigator=navigator, settings=LoopSettings(**settings)
    )
    assert (navigator.left, model.left) == (0, 0)
    return answer, navigator, model


def test_the_navigation_model_finds_and_opens_and_the_main_one_reads_and_answers(
    library: MemoryLibrary,
) -> None:
    answer, navigator, model = run(library, [SEARCH, TREE, READ], [ANSWER])
    assert (answer.text, answer.model, answer.stopped) == (ANSWER, "large", "final")
    assert all("0.28 eV" not in m.text for request in navigator.requests for m in request.messages)
    assert "0.28 eV" in model.requests[0].messages[-1].text
    assert [step.round for step in answer.trajectory] == [1, 2, 3]


def test_it_is_asked_again_when_the_main_model_goes_back_to_searching(library: MemoryLibrary) -> None:
    answer, navigator, _ = run(library, [SEARCH, READ, READ], [SEARCH, ANSWER])
    assert [step.tool for step in answer.trajectory] == [
        "search_documents",
        "get_page_content",
        "search_documents",
        "get_page_content",
    ]
    assert len(navigator.requests) == 3


def test_once_it_stops_calling_the_main_model_has_the_rest_of_the_run(library: MemoryLibrary) -> None:
    answer, navigator, model = run(library, [SEARCH, "I think it is 42."], [SEARCH, TREE, READ, ANSWER])
    assert answer.text == ANSWER
    assert len(navigator.requests) == 2
    assert not any("42" in m.text for request in model.requests for m in request.messages)


def test_an_empty_reply_of_it_is_a_handover_too_and_costs_the_main_model_no_nudge(
    library: MemoryLibrary,
) -> None:
    answer, _, model = run(library, [""], ["", ANSWER])
    assert answer.text == ANSWER
    assert model.requests[-1].messages[-1].role is Role.USER


def test_a_main_model_that_is_nudged_after_reading_is_asked_again_itself(library: MemoryLibrary) -> None:
    answer, navigator, model = run(library, [READ], ["", ANSWER])
    assert answer.text == ANSWER
    assert (len(navigator.requests), len(model.requests)) == (1, 2)


def test_a_call_that_failed_or_listed_figures_disclosed_no_text(library: MemoryLibrary) -> None:
    lost = call("get_page_content", doc_id="nobody", pages="1")
    figures = call("list_images", doc_id=BERG)
    _, navigator, _ = run(library, [lost, figures, READ], [ANSWER])
    assert len(navigator.requests) == 3


def test_its_replies_use_rounds_and_what_it_says_is_never_the_answer(library: MemoryLibrary) -> None:
    said = [
        Reply(text="maybe 42", tool_calls=SEARCH.tool_calls),
        Reply(text="or 43", tool_calls=TREE.tool_calls),
    ]
    navigator = ScriptedModel(said)
    with pytest.raises(NoAnswer) as caught:
        answer_question(
            "q",
            library=library,
            model=ScriptedModel([]),
            navigator=navigator,
            settings=LoopSettings(policy=LoopPolicy(max_rounds=2)),
        )
    assert len(caught.value.trajectory) == 2


def test_both_models_together_get_no_more_than_the_paper_s_rounds(library: MemoryLibrary) -> None:
    navigator = FunctionModel(lambda _: calls(("search_documents", {"query": "garnet"})))
    with pytest.raises(NoAnswer):
        answer_question("q", library=library, model=ScriptedModel([]), navigator=navigator)
    assert len(navigator.requests) == 30


def test_usage_is_told_together_and_for_navigation_alone(library: MemoryLibrary) -> None:
    def priced(reply: Reply, tokens: int, cost: float) -> Reply:
        return Reply(
            text=reply.text, tool_calls=reply.tool_calls, usage=Usage(prompt_tokens=tokens, cost=cost)
        )

    answer, _, _ = run(
        library,
        [priced(SEARCH, 10, 0.001), priced(READ, 20, 0.002)],
        [priced(Reply(text=ANSWER), 100, 0.5)],
    )
    assert answer.navigation is not None
    assert (answer.usage.model_calls, answer.usage.prompt_tokens) == (3, 130)
    assert (answer.navigation.model_calls, answer.navigation.prompt_tokens) == (2, 30)
    assert answer.navigation.cost == pytest.approx(0.003)


def test_without_one_the_main_model_is_asked_in_every_round(library: MemoryLibrary) -> None:
    answer = answer_question("q", library=library, model=ScriptedModel([SEARCH, READ, ANSWER]))
    assert answer.navigation is None


def test_both_see_the_same_conversation(library: MemoryLibrary) -> None:
    _, navigator, model = run(library, [SEARCH, READ], [ANSWER])
    assert model.requests[0].messages[:4] == navigator.requests[-1].messages


def test_extractive_navigates_for_a_language_model(library: MemoryLibrary) -> None:
    model = ScriptedModel([ANSWER])
    question = "What is the activation energy of the cubic garnet?"
    answer = answer_question(question, library=library, model=model, navigator=ExtractiveModel())
    assert (answer.text, answer.model) == (ANSWER, "scripted")
    assert answer.citations[0].read
    assert {step.layer for step in answer.trajectory} == {0, 1, 2}


def test_the_rule_alone() -> None:
    def step(*sources: tuple[str, int]) -> Step:
        return Step(round=1, call=1, tool="t", layer=2, arguments={}, tokens=1, sources=sources)

    assert navigates([])
    assert navigates([step()])
    assert not navigates([step(), step(("a", 1))])
