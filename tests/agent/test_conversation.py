"""Follow-ups know the papers discussed before; everything kept is bounded."""

from __future__ import annotations

import pytest

from vectree.agent.conversation import MAX_PAPERS, MAX_TURNS, Conversation
from vectree.agent.extractive import ExtractiveModel
from vectree.agent.follow_up import is_follow_up
from vectree.errors import ModelRequestError, NoAnswer
from vectree.llm.chat import ChatRequest, Reply, Role
from vectree.llm.scripted import FunctionModel, ScriptedModel, call
from vectree.testing.library import MemoryLibrary, make_paper

BERG, OKORO = "berg2021-a1b2", "okoro2023-c3d4"
READ = call("get_page_content", doc_id=BERG, pages="3")
ANSWER = f"It is 0.28 eV (van den Berg et al., 2021, {BERG}, p.3)."


def test_a_language_model_sees_earlier_questions_answers_and_papers(library: MemoryLibrary) -> None:
    model = ScriptedModel([READ, ANSWER, "Nothing more."])
    conversation = Conversation(library, model)
    conversation.ask("What is the activation energy?")
    conversation.ask("And why?")
    system, *talk = model.requests[-1].messages
    assert [(m.role, m.text) for m in talk] == [
        (Role.USER, "What is the activation energy?"),
        (Role.ASSISTANT, ANSWER),
        (Role.USER, "And why?"),
    ]
    assert f"- {BERG}: A garnet electrolyte" in system.text
    assert BERG not in model.requests[0].messages[0].text


def test_page_texts_are_not_kept(library: MemoryLibrary) -> None:
    model = ScriptedModel([READ, ANSWER, "Nothing more."])
    conversation = Conversation(library, model)
    conversation.ask("What is the activation energy?")
    conversation.ask("And why?")
    assert not any(m.role is Role.TOOL for m in model.requests[-1].messages)


def test_a_page_read_for_an_earlier_question_counts_as_read(library: MemoryLibrary) -> None:
    conversation = Conversation(library, ScriptedModel([READ, ANSWER, ANSWER]))
    conversation.ask("What is the activation energy?")
    again = conversation.ask("Say that again.")
    assert [c.read for c in again.citations] == [True]
    assert again.evidence == ()
    assert not again.no_evidence
    assert again.uncited == ()


def test_the_papers_read_are_known_the_last_one_used_first(library: MemoryLibrary) -> None:
    other = call("get_page_content", doc_id=OKORO, pages="2")
    conversation = Conversation(library, ScriptedModel([READ, "a", other, "b", READ, "c"]))
    assert conversation.papers == ()
    for question in ("1", "2", "3"):
        conversation.ask(question)
    assert conversation.papers == (BERG, OKORO)
    conversation.forget()
    assert conversation.papers == ()


def test_turns_and_papers_are_bounded() -> None:
    papers = [make_paper(f"p{n}", title=f"Paper {n}", pages=["text"]) for n in range(MAX_PAPERS + 5)]

    def reply(request: ChatRequest) -> Reply | str:
        number = request.messages[-1].text if request.messages[-1].role is Role.USER else ""
        return call("get_page_content", doc_id=f"p{number}", pages="1") if number else "x" * 10_000

    model = FunctionModel(reply)
    conversation = Conversation(MemoryLibrary(papers), model)
    for number in range(MAX_PAPERS + 5):
        conversation.ask(str(number))
    assert len(conversation.papers) == MAX_PAPERS
    talk = model.requests[-1].messages
    assert sum(m.role is Role.USER for m in talk) == MAX_TURNS + 1
    assert max(len(m.text) for m in talk if m.role is Role.ASSISTANT) <= 4_000


def test_a_run_that_fails_leaves_the_conversation_usable_and_what_it_read_known(
    library: MemoryLibrary,
) -> None:
    replies = iter([READ, None, "Fine."])

    def reply(_: ChatRequest) -> Reply | str:
        if (given := next(replies)) is None:
            raise ModelRequestError("down")
        return given

    model = FunctionModel(reply)
    conversation = Conversation(library, model)
    with pytest.raises(ModelRequestError):
        conversation.ask("What is it?")
    assert conversation.papers == (BERG,)
    assert conversation.ask("And now?").text == "Fine."
    assert [m.role for m in model.requests[-1].messages] == [Role.SYSTEM, Role.USER]


def test_a_run_can_be_cancelled_and_the_next_one_goes_on(library: MemoryLibrary) -> None:
    conversation = Conversation(library, ScriptedModel(["Fine."]))
    with pytest.raises(NoAnswer):
        conversation.ask("What is it?", cancelled=lambda: True)
    assert conversation.ask("What is it?").text == "Fine."


def test_extractive_looks_for_a_follow_up_in_the_papers_of_the_last_answer(library: MemoryLibrary) -> None:
    conversation = Conversation(library, ExtractiveModel())
    first = conversation.ask("What is the activation energy of the cubic garnet?")
    assert {c.doc_id for c in first.citations} == {BERG}
    assert conversation.scope_of("And up to which temperature does it keep its conductivity?") == (BERG,)
    second = conversation.ask("And up to which temperature does it keep its conductivity?")
    assert {item.doc_id for item in second.evidence} == {BERG}
    assert conversation.scope_of("Which sulfide conducts best at room temperature?") == ()
    third = conversation.ask("Which sulfide conducts best at room temperature?")
    assert OKORO in {item.doc_id for item in third.evidence}


def test_a_language_model_is_never_limited(library: MemoryLibrary) -> None:
    conversation = Conversation(library, ScriptedModel([READ, ANSWER]))
    conversation.ask("What is it?")
    assert conversation.scope_of("And why?") == ()


@pytest.mark.parametrize(
    ("question", "follows"),
    [
        ("And at which pressure?", True),
        ("What about density?", True),
        ("Which temperature does it need?", True),
        ("What do the authors conclude?", True),
        ("Does this paper say why?", True),
        ("Why is that?", True),
        ("Which garnets show that conductivity falls?", False),
        ("Compare the two.", True),
        ("Which garnet conducts best at 25 °C?", False),
        ("Compare the ionic conductivity of garnets and sulfides.", False),
        ("And in the whole library?", False),
        ("Do other papers agree with it?", False),
        ("", False),
    ],
)
def test_what_points_back(question: str, follows: bool) -> None:
    assert is_follow_up(question) is follows
