from __future__ import annotations

import re

import pytest

from vectree.agent.extractive import ExtractiveModel
from vectree.agent.loop import answer_question
from vectree.agent.tools import TOOLS
from vectree.agent.trajectory import layer_order
from vectree.document import PageRange, TextStatus
from vectree.errors import ModelRequestError
from vectree.evidence import Answer, CitationStatus, SectionHit
from vectree.llm.chat import ChatModel, ChatRequest, Message, Role, ToolSpec
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.words import content_words


def ask(library: MemoryLibrary, question: str) -> Answer:
    return answer_question(question, library=library, model=ExtractiveModel())


def tools(answer: Answer) -> list[str]:
    return [step.tool for step in answer.trajectory]


def test_it_is_a_chat_model() -> None:
    model = ExtractiveModel()
    assert isinstance(model, ChatModel)
    assert (model.name, model.context_window) == ("extractive", None)


def test_it_walks_search_tree_pages_and_quotes_with_a_checked_citation(library: MemoryLibrary) -> None:
    answer = ask(library, "What is the activation energy of the garnet?")
    assert tools(answer) == [
        "search_documents",
        "get_document_tree",
        "search_within_paper",
        "get_page_content",
    ]
    assert (
        "“The activation energy is 0.28 eV.” (van den Berg et al., 2021, berg2021-a1b2, p.3)" in answer.text
    )
    assert "extractive" in answer.text
    assert [citation.status for citation in answer.citations] == [CitationStatus.READ]
    assert answer.uncited == ()
    assert layer_order(answer.trajectory) == 1.0


@pytest.mark.parametrize(
    "question",
    [
        "What is the activation energy of the garnet?",
        "How many specimens were broken in the creep tests?",
        "Compare the conductivity of garnet and sulfide electrolytes.",
        "Does rhenium slow the climb of dislocations?",
    ],
)
def test_every_quoted_sentence_stands_on_the_page_it_cites(library: MemoryLibrary, question: str) -> None:
    answer = ask(library, question)
    quoted = re.findall(r"^- “(.+)” \([^()]*, (\S+), p\.(\d+)\)$", answer.text, re.MULTILINE)
    assert quoted
    for sentence, doc_id, page in quoted:
        (source,) = library.pages(doc_id, [int(page)])
        assert sentence in source.text
    assert all(citation.read for citation in answer.citations)


def test_a_comparison_goes_paper_by_paper(library: MemoryLibrary) -> None:
    answer = ask(library, "Compare the conductivity of garnet and sulfide electrolytes above 80 °C.")
    assert {citation.doc_id for citation in answer.citations} == {"berg2021-a1b2", "okoro2023-c3d4"}
    assert answer.text.index("van den Berg") < answer.text.index("Okoro")
    assert max(step.round for step in answer.trajectory) <= 12


def test_the_supplement_of_a_paper_is_not_compared_with_it(library: MemoryLibrary) -> None:
    answer = ask(library, "Compare milling of the sulfide glass across studies.")
    opened = {step.arguments["doc_id"] for step in answer.trajectory if step.tool == "get_document_tree"}
    assert not {"okoro2023-c3d4", "okoro2023-si-9e9e"} <= opened


def test_no_paper_reads_more_than_five_pages(library: MemoryLibrary) -> None:
    pages = [f"Zirconia appears on page number {n} of this work." for n in range(1, 31)]
    long = make_paper(
        "long-1", title="Zirconia", pages=pages, sections=[(f"Part {n}", n, n) for n in range(1, 31)]
    )
    answer = ask(MemoryLibrary([long]), "Where does zirconia appear?")
    assert len(answer.evidence) <= 5


class Measured(MemoryLibrary):
    """A library whose search within a paper says how near pages come to the best one."""

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        pages = PageRange(first=1, last=4)
        return (
            SectionHit(
                node_id="0001",
                title="Results",
                path="Results",
                pages=pages,
                similarity=None,
                bm25=1.0,
                likely_pages=(3, 2, 4, 1),
                likely_shares=(1.0, 0.72, 0.55, 0.4),
            ),
        )


def measured(third: str) -> Measured:
    texts = ["Nothing is said here.", "Nothing is said there.", third, "Rhenium is dear."]
    return Measured([make_paper("a-1", title="Creep and rhenium", pages=texts)])


def pages_of_calls(answer: Answer) -> list[str]:
    return [step.arguments["pages"] for step in answer.trajectory if step.tool == "get_page_content"]


def test_only_pages_near_the_best_are_read_if_they_cover_the_question() -> None:
    covered = measured("Rhenium slows the creep of the alloy by half.")
    assert pages_of_calls(ask(covered, "Does rhenium slow creep of the alloy?")) == ["3,2"]


def test_the_next_best_pages_are_read_if_the_nearest_do_not_cover_the_question() -> None:
    silent = measured("The alloy was cast and then machined to shape.")
    assert pages_of_calls(ask(silent, "Does rhenium slow creep of the alloy?")) == ["3,2", "4"]


def test_a_search_without_results_is_tried_once_more_and_then_said(library: MemoryLibrary) -> None:
    answer = ask(library, "What is known on zebra migration?")
    assert tools(answer) == ["search_documents", "search_documents"]
    assert answer.text.startswith("The library has nothing on this")


def test_pages_without_a_matching_sentence_are_said() -> None:
    paper = make_paper("a-1", title="Zebras at night", pages=["Nothing of the kind is printed here today."])
    answer = ask(MemoryLibrary([paper]), "Zebras?")
    assert answer.text.startswith("No sentence on this was found in the closest papers.")
    assert "page 1" in answer.text


def test_a_question_without_words_is_said(library: MemoryLibrary) -> None:
    answer = ask(library, "?!")
    assert answer.trajectory == ()
    assert answer.text == "The question holds no word to search for."


def test_library_questions_count_and_list(library: MemoryLibrary) -> None:
    assert ask(library, "How many papers are in the library?").text.startswith("The library holds 4 papers:")
    answer = ask(library, "List the papers by Okoro from 2023")
    assert answer.text.startswith("The library holds 4 papers; 2 by Okoro from 2023 on:")
    assert "(Okoro et al., 2023, okoro2023-c3d4)" in answer.text
    assert "berg" not in answer.text
    none = ask(library, "Which papers were published before 1950?")
    assert none.text == "The library holds 4 papers; 0 up to 1949."


def test_the_same_question_gets_the_same_answer(library: MemoryLibrary) -> None:
    question = "Which electrolyte keeps its conductivity above 80 °C?"
    assert ask(library, question) == ask(library, question)


def test_it_costs_nothing(library: MemoryLibrary) -> None:
    assert ask(library, "What is a garnet?").usage.cost == 0.0


def test_a_follow_up_is_answered_on_its_own(library: MemoryLibrary) -> None:
    first = (
        Message(role=Role.USER, text="What is a garnet?"),
        Message(role=Role.ASSISTANT, text="A mineral."),
    )
    request = ChatRequest(messages=(*first, Message(role=Role.USER, text="And rhenium?")), tools=_specs())
    (issued,) = ExtractiveModel().complete(request).tool_calls
    assert "rhenium" in issued.arguments


def test_without_tools_it_can_do_nothing() -> None:
    with pytest.raises(ModelRequestError, match="tools"):
        ExtractiveModel().complete(ChatRequest(messages=(Message(role=Role.USER, text="Summarize."),)))


def test_scanned_pages_are_not_quoted() -> None:
    paper = make_paper("a-1", title="Garnets", pages=["", ""], status=[TextStatus.SCAN] * 2)
    assert "nothing can be quoted" in ask(MemoryLibrary([paper]), "What of garnets?").text


def _specs() -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in TOOLS)


def test_the_questions_words_are_what_is_searched_for(library: MemoryLibrary) -> None:
    answer = ask(library, "What is known on zebra migration?")
    second = answer.trajectory[1].arguments["query"]
    assert second.split() == content_words("What is known on zebra migration?")
