"""Algorithm 1, line by line."""

from __future__ import annotations

import pytest

from vectree.agent.loop import answer_question
from vectree.agent.policy import MAX_ROUNDS
from vectree.agent.tools import TOOLS
from vectree.errors import NoAnswer
from vectree.evidence import Answer
from vectree.llm.chat import ChatRequest, Reply, Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.sample_papers import sample_library

BERG = "berg2021-a1b2"
SEARCH = ("search_documents", {"query": "garnet"})


def run(*replies: Reply | str) -> tuple[ScriptedModel, Answer]:
    model = ScriptedModel(replies)
    return model, answer_question("What is known?", library=sample_library(), model=model)


def test_line_2_the_first_state_is_the_system_prompt_and_the_question() -> None:
    model, _ = run("Done.")
    system, user = model.requests[0].messages
    assert (system.role, user.role, user.text) == (Role.SYSTEM, Role.USER, "What is known?")


def test_line_3_the_count_starts_at_zero_and_a_run_may_need_no_call() -> None:
    _, answer = run("Done.")
    assert answer.trajectory == ()


def test_line_4_the_loop_runs_at_most_30_rounds() -> None:
    assert MAX_ROUNDS == 30
    model = FunctionModel(lambda _: Reply(text="thinking", tool_calls=calls(SEARCH).tool_calls))
    answer = answer_question("q", library=sample_library(), model=model)
    assert len(model.requests) == 30
    assert answer.stopped == "round limit"


def test_line_4_the_calls_of_the_last_round_are_executed() -> None:
    model = FunctionModel(lambda _: Reply(text="thinking", tool_calls=calls(SEARCH, SEARCH).tool_calls))
    answer = answer_question("q", library=sample_library(), model=model)
    assert [step.round for step in answer.trajectory][-2:] == [30, 30]
    assert len(answer.trajectory) == 60


def test_lines_6_to_8_a_reply_without_calls_is_the_answer_even_in_round_30() -> None:
    def reply(request: ChatRequest) -> Reply | str:
        rounds = sum(message.role is Role.ASSISTANT for message in request.messages)
        return "Final." if rounds == 29 else calls(SEARCH)

    answer = answer_question("q", library=sample_library(), model=FunctionModel(reply))
    assert (answer.text, answer.stopped) == ("Final.", "final")


def test_line_9_every_issued_call_counts_repeated_malformed_unknown_or_failed() -> None:
    _, answer = run(
        calls(SEARCH, SEARCH),
        calls(
            ("search_documents", "{broken"), ("no_such_tool", {}), ("get_document_tree", {"doc_id": "nobody"})
        ),
        "Done.",
    )
    assert [step.call for step in answer.trajectory] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("name", "arguments", "layer", "said"),
    [
        ("search_documents", {"query": "garnet"}, 0, BERG),
        ("get_paper_metadata", {"doc_id": BERG}, 0, "Journal of Power Studies"),
        ("get_document_tree", {"doc_id": BERG}, 1, "3 Results p.3"),
        ("search_within_paper", {"doc_id": BERG, "query": "activation energy"}, 1, "0004 p.3"),
        ("get_page_content", {"doc_id": BERG, "pages": "3"}, 2, "0.28 eV"),
        ("list_images", {"doc_id": BERG}, 2, "fig-3-1.png"),
        ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}, 2, "fig-3-1.png"),
    ],
)
def test_lines_10_to_24_each_tool_answers_from_its_layer(
    name: str, arguments: dict[str, str], layer: int, said: str
) -> None:
    model, answer = run(call(name, **arguments), "Done.")
    observation = model.requests[-1].messages[-1]
    assert said in observation.text
    assert [step.layer for step in answer.trajectory] == [layer]
    assert bool(observation.images) == (name == "get_page_image")


def test_lines_10_to_24_name_all_tools_there_are() -> None:
    assert len(TOOLS) == 7


def test_line_25_the_note_is_appended_from_the_tenth_call_on_serial() -> None:
    model, _ = run(*[calls(SEARCH)] * 12, "Done.")
    notes = ["[Reminder:" in m.text for m in model.requests[-1].messages if m.role is Role.TOOL]
    assert notes == [False] * 9 + [True] * 3


def test_line_25_the_note_is_appended_from_the_tenth_call_on_parallel() -> None:
    model, _ = run(calls(*[SEARCH] * 12), "Done.")
    notes = ["[Reminder:" in m.text for m in model.requests[-1].messages if m.role is Role.TOOL]
    assert notes == [False] * 9 + [True] * 3


def test_line_26_the_state_grows_by_the_action_and_its_observations() -> None:
    model, _ = run(calls(SEARCH, SEARCH), "Done.")
    before, after = model.requests[0].messages, model.requests[1].messages
    assert after[: len(before)] == before
    assert [m.role for m in after[len(before) :]] == [Role.ASSISTANT, Role.TOOL, Role.TOOL]
    assert [m.tool_call_id for m in after[-2:]] == [c.id for c in after[-3].tool_calls]


def test_line_28_the_most_recent_nonempty_text_is_returned() -> None:
    said = iter(["first", "", "second", *[""] * 27])
    model = FunctionModel(lambda _: Reply(text=next(said), tool_calls=calls(SEARCH).tool_calls))
    assert answer_question("q", library=sample_library(), model=model).text == "second"


def test_line_28_otherwise_an_error_is_raised() -> None:
    with pytest.raises(NoAnswer):
        answer_question("q", library=sample_library(), model=FunctionModel(lambda _: calls(SEARCH)))
