from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from vectree.agent.loop import LoopSettings, answer_question
from vectree.agent.policy import LoopPolicy
from vectree.document import Page
from vectree.errors import CorpusDamaged, ModelRequestError, NoAnswer
from vectree.evidence import Answer, Step
from vectree.llm.chat import ChatRequest, Reply, Role, Usage
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS

BERG = "berg2021-a1b2"
READ_3 = ("get_page_content", {"doc_id": BERG, "pages": "3"})
ANSWER = f"It is 0.28 eV (van den Berg et al., 2021, {BERG}, p.3)."


def ask(
    library: MemoryLibrary, replies: Sequence[Reply | str], **options: Any
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(replies)
    return answer_question("What is it?", library=library, model=model, **options), model


def observations(model: FunctionModel) -> list[str]:
    """Every tool message the model was ever sent, in order."""
    return [m.text for m in model.requests[-1].messages if m.role is Role.TOOL]


def test_a_run_from_search_to_a_checked_answer(library: MemoryLibrary) -> None:
    answer, model = ask(
        library,
        [
            call("search_documents", query="activation energy"),
            call("get_document_tree", doc_id=BERG),
            calls(READ_3),
            ANSWER,
        ],
    )
    assert model.left == 0
    assert answer.text == ANSWER
    assert [c.read for c in answer.citations] == [True]
    assert answer.uncited == ()
    assert [(e.doc_id, e.page, e.node_id) for e in answer.evidence] == [(BERG, 3, "0004")]
    assert [(s.round, s.call, s.tool, s.layer) for s in answer.trajectory] == [
        (1, 1, "search_documents", 0),
        (2, 2, "get_document_tree", 1),
        (3, 3, "get_page_content", 2),
    ]
    assert all(step.tokens > 0 for step in answer.trajectory)
    assert (answer.stopped, answer.model, answer.question) == ("final", "scripted", "What is it?")
    assert answer.titles == {BERG: "A garnet electrolyte for solid batteries"}


def test_messages_are_only_appended(library: MemoryLibrary) -> None:
    _, model = ask(library, [call("search_documents", query="x"), calls(READ_3), "", ANSWER])
    for earlier, later in zip(model.requests, model.requests[1:], strict=False):
        assert later.messages[: len(earlier.messages)] == earlier.messages
    assert [m.role for m in model.requests[0].messages] == [Role.SYSTEM, Role.USER]
    assert len(model.requests[0].tools) == 7


def test_C22_a_bad_call_and_a_good_one_in_the_same_turn(library: MemoryLibrary) -> None:
    answer, model = ask(
        library,
        [
            calls(
                ("get_page_content", '{"doc_id": "berg2021-a1b2", "pa'),
                ("get_pages", "{}"),
                ("get_page_content", "null"),
                ("get_page_content", "[]"),
                ("get_page_content", {"doc_id": "nobody", "pages": "1"}),
                ("get_page_content", {"doc_id": BERG}),
                READ_3,
            ),
            ANSWER,
        ],
    )
    issued = [c.id for m in model.requests[-1].messages for c in m.tool_calls]
    answered = [m.tool_call_id for m in model.requests[-1].messages if m.role is Role.TOOL]
    assert answered == issued
    assert [bool(step.error) for step in answer.trajectory] == [True] * 6 + [False]
    assert [step.call for step in answer.trajectory] == list(range(1, 8))
    assert answer.trajectory[1].layer is None
    assert answer.evidence[0].page == 3


def test_C23_the_same_empty_search_for_ever_raises_no_answer_with_the_whole_trajectory(
    library: MemoryLibrary,
) -> None:
    model = FunctionModel(lambda _: call("search_documents", query="zebra"))
    with pytest.raises(NoAnswer) as caught:
        answer_question("q", library=library, model=model)
    assert len(model.requests) == 30
    assert [step.call for step in caught.value.trajectory] == list(range(1, 31))
    assert "30 tool calls" in str(caught.value)
    texts = observations(model)
    assert all(text.startswith("0 of 4 papers match") for text in texts)
    assert ["Reminder" in text for text in texts] == [False] * 9 + [True] * 20


def test_C23_the_twin_that_said_something_in_round_four_is_taken_at_its_word(library: MemoryLibrary) -> None:
    def reply(request: ChatRequest) -> Reply:
        searched = call("search_documents", query="zebra")
        said = "Perhaps 42." if len(request.messages) == 8 else ""
        return Reply(text=said, tool_calls=searched.tool_calls)

    answer = answer_question("q", library=library, model=FunctionModel(reply))
    assert (answer.text, answer.stopped, len(answer.trajectory)) == ("Perhaps 42.", "round limit", 30)


def test_C24_an_answer_without_any_page_read_is_all_unchecked(library: MemoryLibrary) -> None:
    answer, _ = ask(library, [ANSWER])
    assert answer.evidence == ()
    assert answer.no_evidence
    assert [c.status.value for c in answer.citations] == ["unread"]
    assert answer.uncited == (ANSWER,)


def test_C39_a_model_that_obeys_a_page_gets_nothing_from_outside(library: MemoryLibrary) -> None:
    def obey(request: ChatRequest) -> Reply | str:
        seen = [m.text for m in request.messages if m.role is Role.TOOL]
        if not seen:
            return calls(READ_3)
        if len(seen) == 1:
            return call("get_page_image", doc_id=BERG, image="../../secret")
        return "\n".join(seen)

    answer = answer_question("q", library=library, model=FunctionModel(obey))
    assert answer.trajectory[1].error
    assert "You answer questions from a library" not in answer.text


def test_images_go_beside_the_text_and_count_as_read(library: MemoryLibrary) -> None:
    look = call("get_page_image", doc_id=BERG, image="fig-3-1.png")
    answer, model = ask(library, [look, ANSWER])
    (image,) = model.requests[-1].messages[-1].images
    assert (image.media_type, image.name) == ("image/png", "fig-3-1.png")
    assert answer.citations[0].read


def test_C21_a_model_without_eyes_gets_a_note_and_has_read_nothing(library: MemoryLibrary) -> None:
    look = call("get_page_image", doc_id=BERG, image="fig-3-1.png")
    answer, model = ask(library, [look, ANSWER], settings=LoopSettings(images=False))
    message = model.requests[-1].messages[-1]
    assert message.images == ()
    assert "takes no images" in message.text
    assert answer.evidence == ()


def test_an_empty_reply_is_nudged_once(library: MemoryLibrary) -> None:
    answer, model = ask(library, ["", ANSWER])
    assert answer.text == ANSWER
    assert model.requests[-1].messages[-1].role is Role.USER
    assert answer.trajectory == ()
    with pytest.raises(NoAnswer, match="empty reply"):
        ask(library, ["", " "])


def test_a_second_empty_reply_ends_with_the_last_text(library: MemoryLibrary) -> None:
    thinking = Reply(text="So far this.", tool_calls=calls(READ_3).tool_calls)
    answer, _ = ask(library, [thinking, "", ""])
    assert (answer.text, answer.stopped) == ("So far this.", "empty reply")


def test_usage_is_summed_and_an_unknown_price_stays_unknown(library: MemoryLibrary) -> None:
    def reply(text: str, cost: float | None) -> Reply:
        used = Usage(prompt_tokens=10, completion_tokens=2, cached_tokens=4, cost=cost)
        return Reply(text=text, tool_calls=() if text else calls(READ_3).tool_calls, usage=used)

    known, _ = ask(library, [reply("", 0.25), reply(ANSWER, 0.5)])
    assert (known.usage.prompt_tokens, known.usage.completion_tokens, known.usage.cached_tokens) == (20, 4, 8)
    assert (known.usage.model_calls, known.usage.cost) == (2, 0.75)
    for costs in ((None, 0.5), (0.5, None)):
        unknown, _ = ask(library, [reply("", costs[0]), reply(ANSWER, costs[1])])
        assert unknown.usage.cost is None


def test_a_failing_model_ends_the_run_and_the_steps_are_kept(library: MemoryLibrary) -> None:
    def reply(request: ChatRequest) -> Reply:
        if len(request.messages) > 2:
            raise ModelRequestError("The service answered 503.", status=503)
        return calls(READ_3)

    with pytest.raises(ModelRequestError) as caught:
        answer_question("q", library=library, model=FunctionModel(reply))
    assert [step.tool for step in caught.value.trajectory] == ["get_page_content"]


def test_a_damaged_corpus_ends_the_run_and_the_steps_are_kept() -> None:
    class Damaged(MemoryLibrary):
        def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
            raise CorpusDamaged("pages.jsonl is cut short.")

    with pytest.raises(CorpusDamaged) as caught:
        ask(Damaged(SAMPLE_PAPERS), [call("search_documents", query="x"), calls(READ_3), ANSWER])
    assert [step.tool for step in caught.value.trajectory] == ["search_documents"]


def test_steps_are_reported_as_they_happen(library: MemoryLibrary) -> None:
    seen: list[Step] = []
    answer, _ = ask(
        library, [call("search_documents", query="x"), calls(READ_3), ANSWER], on_step=seen.append
    )
    assert tuple(seen) == answer.trajectory


def test_cancelling_between_calls_ends_the_run(library: MemoryLibrary) -> None:
    seen: list[Step] = []
    thinking = Reply(text="So far this.", tool_calls=calls(READ_3, READ_3, READ_3).tool_calls)
    answer, _ = ask(library, [thinking, ANSWER], on_step=seen.append, cancelled=lambda: len(seen) == 2)
    assert (answer.text, answer.stopped, len(answer.trajectory)) == ("So far this.", "cancelled", 2)


def test_cancelling_before_any_text_is_no_answer(library: MemoryLibrary) -> None:
    with pytest.raises(NoAnswer, match="cancelled"):
        ask(library, [ANSWER], cancelled=lambda: True)


def test_the_settings_reach_the_model(library: MemoryLibrary) -> None:
    _, model = ask(library, [ANSWER], settings=LoopSettings(temperature=1.0, max_tokens=500))
    assert (model.requests[0].temperature, model.requests[0].max_tokens) == (1.0, 500)


def test_a_shorter_policy_is_kept_to(library: MemoryLibrary) -> None:
    settings = LoopSettings(policy=LoopPolicy(max_rounds=2, reminder_from=1))
    model = FunctionModel(lambda _: Reply(text="t", tool_calls=calls(READ_3).tool_calls))
    answer = answer_question("q", library=library, model=model, settings=settings)
    assert len(answer.trajectory) == 2
    assert "Reminder" in observations(model)[0]


def test_an_unknown_tool_name_of_any_length_is_recorded_short(library: MemoryLibrary) -> None:
    answer, _ = ask(library, [calls(("x" * 10_000, "{}")), ANSWER])
    assert len(answer.trajectory[0].tool) == 200
