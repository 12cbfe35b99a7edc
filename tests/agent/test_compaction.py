"""Old page texts are taken out of a long conversation, and nothing else changes."""

from __future__ import annotations

import pytest

from vectree.agent.compaction import PAGE_TOKENS, Compaction, compact
from vectree.agent.loop import LoopSettings, answer_question
from vectree.evidence import Answer
from vectree.llm.chat import ChatRequest, Image, Message, Role, ToolCall
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.tokens import count_tokens


def _read(call_id: str, text: str, tool: str = "get_page_content") -> list[Message]:
    issued = ToolCall(id=call_id, name=tool, arguments='{"doc_id": "p", "pages": "1"}')
    picture = Image(data=b"x", media_type="image/png")
    return [
        Message(role=Role.ASSISTANT, tool_calls=(issued,)),
        Message(role=Role.TOOL, text=text, tool_call_id=call_id, images=(picture,)),
    ]


LONG = "word " * 400
CONVERSATION = [
    Message(role=Role.SYSTEM, text="system"),
    Message(role=Role.USER, text="question"),
    *_read("1", LONG, "get_document_tree"),
    *_read("2", LONG),
    *_read("3", LONG),
    *_read("4", LONG),
]


def test_nothing_happens_while_page_texts_have_room() -> None:
    room = 3 * count_tokens(LONG)
    assert compact(CONVERSATION, Compaction(page_tokens=room)) == (tuple(CONVERSATION), 0)


def test_all_page_texts_but_the_newest_are_taken_out_at_once() -> None:
    shorter, saved = compact(CONVERSATION, Compaction(page_tokens=3 * count_tokens(LONG) - 1))
    texts = [message.text for message in shorter if message.role is Role.TOOL]
    assert [text == LONG for text in texts] == [True, False, False, True]
    assert all("get_page_content" in text and '"pages": "1"' in text for text in texts[1:3])
    assert [bool(message.images) for message in shorter if message.role is Role.TOOL] == [
        True,
        False,
        False,
        True,
    ]
    before, after = (sum(count_tokens(m.text) for m in messages) for messages in (CONVERSATION, shorter))
    assert saved == before - after > 0


def test_every_call_keeps_its_answer_and_a_second_time_changes_nothing() -> None:
    shorter, _ = compact(CONVERSATION, Compaction(page_tokens=0))
    assert [m.tool_call_id for m in shorter] == [m.tool_call_id for m in CONVERSATION]
    assert compact(shorter, Compaction(page_tokens=0)) == (shorter, 0)


def test_a_text_shorter_than_the_note_stays() -> None:
    short = [*CONVERSATION[:2], *_read("1", "tiny"), *_read("2", LONG)]
    assert compact(short, Compaction(page_tokens=0))[0][3].text == "tiny"


@pytest.fixture
def long_paper() -> MemoryLibrary:
    pages = [f"Page {page} says {page}. " + "Filler words stand here. " * 60 for page in range(1, 13)]
    return MemoryLibrary([make_paper("p", title="P", pages=pages)])


def run(library: MemoryLibrary, compaction: Compaction | None) -> tuple[Answer, ScriptedModel]:
    reads = [call("get_page_content", doc_id="p", pages=str(page)) for page in range(1, 13)]
    model = ScriptedModel([*reads, "Done (L, 2024, p, p.1)."])
    settings = LoopSettings(compaction=compaction)
    return answer_question("q", library=library, model=model, settings=settings), model


def sent(model: FunctionModel) -> int:
    return sum(count_tokens(message.text) for request in model.requests for message in request.messages)


def test_what_was_read_stays_read_and_the_trajectory_is_the_same(long_paper: MemoryLibrary) -> None:
    plain, _ = run(long_paper, None)
    compacted, _ = run(long_paper, Compaction(page_tokens=1_500))
    assert compacted.trajectory == plain.trajectory
    assert compacted.evidence == plain.evidence
    assert compacted.citations[0].read


def test_the_tokens_saved_are_those_that_were_not_sent(long_paper: MemoryLibrary) -> None:
    plain, unchanged = run(long_paper, None)
    compacted, model = run(long_paper, Compaction(page_tokens=1_500))
    note = count_tokens(model.requests[0].messages[0].text) - count_tokens(
        unchanged.requests[0].messages[0].text
    )
    assert plain.saved_tokens == 0
    assert compacted.saved_tokens == sent(unchanged) + note * len(model.requests) - sent(model) > 0


def test_the_prefix_is_broken_only_when_texts_are_taken_out(long_paper: MemoryLibrary) -> None:
    _, model = run(long_paper, Compaction(page_tokens=1_500))
    broken = [
        later.messages[: len(earlier.messages)] != earlier.messages
        for earlier, later in zip(model.requests, model.requests[1:], strict=False)
    ]
    assert 1 <= sum(broken) <= 6


def test_the_model_is_told_to_note_what_it_reads_and_only_then(long_paper: MemoryLibrary) -> None:
    prompts = [run(long_paper, chosen)[1].requests[0].messages[0].text for chosen in (None, Compaction())]
    assert ["note what matters" in " ".join(prompt.split()) for prompt in prompts] == [False, True]


def test_it_is_off_by_default() -> None:
    assert LoopSettings().compaction is None
    assert Compaction().page_tokens == PAGE_TOKENS


def test_parallel_calls_of_the_newest_round_all_stay(long_paper: MemoryLibrary) -> None:
    both = calls(
        ("get_page_content", {"doc_id": "p", "pages": "1-5"}),
        ("get_page_content", {"doc_id": "p", "pages": "6-9"}),
    )
    seen: list[ChatRequest] = []
    replies = iter([both, "Done."])

    def reply(request: ChatRequest):
        seen.append(request)
        return next(replies)

    settings = LoopSettings(compaction=Compaction(page_tokens=10))
    answer_question("q", library=long_paper, model=FunctionModel(reply), settings=settings)
    assert all("Filler words" in m.text for m in seen[-1].messages if m.role is Role.TOOL)
