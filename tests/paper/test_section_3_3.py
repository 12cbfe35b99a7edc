"""§3.3, sentence by sentence, with Table 1 and the rules of the system prompt (Appendix F)."""

from __future__ import annotations

import pytest

from vectree.agent.library import LibraryStats
from vectree.agent.loop import answer_question
from vectree.agent.page_spec import MAX_PAGES_PER_CALL
from vectree.agent.payloads.search_results import MAX_TOKENS_PER_RESULT
from vectree.agent.policy import MAX_ROUNDS, REMINDER_FROM, LoopPolicy
from vectree.agent.prompt import system_prompt
from vectree.agent.tools import TOOLS, run_tool
from vectree.llm.chat import Reply
from vectree.llm.scripted import FunctionModel, ScriptedModel, call, calls
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import sample_library
from vectree.tokens import count_tokens

PROMPT = " ".join(
    system_prompt(LibraryStats(documents=61, year_first=2012, year_last=2024, journals=9)).split()
)


def test_the_system_prompt_has_about_400_tokens() -> None:
    assert 350 <= count_tokens(PROMPT) <= 520


@pytest.mark.parametrize(
    "rule",
    [
        "61 scientific papers (2012-2024, 9 journals)",
        "how many papers, which ones, by author, year or topic",
        "answer from the numbers above if they suffice",
        'search_documents("*") with filters',
        "search_documents, choose papers, get_document_tree, read the summaries, get_page_content",
        "answer with citations",
        "If nothing is found, search again with synonyms, broader terms or author names",
        "A follow-up on papers already discussed: use their doc_ids directly",
        "search only if you need further papers",
        "related_documents (supporting information)",
        "Read section summaries before you ask for pages",
        "no more than 5 pages before you pause and synthesize",
        "Stop retrieving as soon as you can answer",
        "Use year_min, year_max, journal and author",
        "(Author et al., Year, doc_id, p.X)",
        "compare them explicitly and cite each one",
        "give just that, without extra analysis",
        "View a figure or table with get_page_image",
        "work what you see into the answer",
    ],
)
def test_the_prompt_carries_every_rule(rule: str) -> None:
    assert rule in PROMPT


def test_the_prompt_asks_to_search_first_to_read_summaries_before_pages_and_to_cite_pages() -> None:
    order = [
        PROMPT.index(word)
        for word in ("search_documents, choose", "get_document_tree, read", "get_page_content")
    ]
    assert order == sorted(order)


def test_the_loop_permits_up_to_30_iterations() -> None:
    assert LoopPolicy().max_rounds == MAX_ROUNDS == 30


def test_every_issued_call_is_counted_including_repeated_malformed_and_failed_ones() -> None:
    replies = [
        calls(("search_documents", {"query": "garnet"}), ("search_documents", {"query": "garnet"})),
        calls(("get_page_content", "{"), ("get_page_content", {"doc_id": "nobody", "pages": 1})),
        "Done.",
    ]
    answer = answer_question("q", library=sample_library(), model=ScriptedModel(replies))
    assert answer.trajectory[-1].call == 4


def test_a_reminder_is_appended_from_the_tenth_call_onward() -> None:
    assert LoopPolicy().reminder_from == REMINDER_FROM == 10
    assert not LoopPolicy().reminder(9)
    assert "stop retrieving" in LoopPolicy().reminder(10)


def test_page_requests_are_capped_at_ten_pages_per_call() -> None:
    assert MAX_PAGES_PER_CALL == 10
    library = MemoryLibrary([make_paper("a", title="A", pages=[f"page {n}" for n in range(1, 31)])])
    result = run_tool(library, "get_page_content", {"doc_id": "a", "pages": "1-30"})
    assert [page for _, page in result.sources] == list(range(1, 11))
    assert "11-30" in result.text


def test_image_requests_return_figures_as_vision_inputs() -> None:
    model = FunctionModel(
        lambda request: (
            "Done."
            if len(request.messages) > 2
            else call("get_page_image", doc_id="berg2021-a1b2", image="fig-3-1.png")
        )
    )
    answer_question("q", library=sample_library(), model=model)
    assert model.requests[-1].messages[-1].images[0].media_type == "image/png"


def test_the_tools_and_their_layers() -> None:
    assert [(int(tool.layer), tool.name) for tool in TOOLS] == [
        (0, "search_documents"),
        (0, "get_paper_metadata"),
        (1, "get_document_tree"),
        (1, "search_within_paper"),
        (2, "get_page_content"),
        (2, "list_images"),
        (2, "get_page_image"),
    ]


def test_table_1_a_search_result_stays_within_100_tokens_where_the_paper_estimates_50() -> None:
    result = run_tool(sample_library(), "search_documents", {"query": "electrolyte conductivity"})
    shown = result.text.split("\n", 1)[1]
    assert count_tokens(shown) / len(result.data["results"]) <= MAX_TOKENS_PER_RESULT == 100


def test_table_1_a_tree_has_titles_summaries_and_ranges_and_no_more_than_500_tokens() -> None:
    text = run_tool(sample_library(), "get_document_tree", {"doc_id": "berg2021-a1b2"}).text
    assert count_tokens(text) <= 500
    assert "0003 2 Methods p.2: " in text


def test_table_1_page_text_is_the_full_markdown_of_the_page() -> None:
    library = sample_library()
    (page,) = library.pages("berg2021-a1b2", [3])
    assert page.text in run_tool(library, "get_page_content", {"doc_id": "berg2021-a1b2", "pages": 3}).text


def test_table_1_list_images_gives_file_names() -> None:
    assert "fig-3-1.png" in run_tool(sample_library(), "list_images", {"doc_id": "berg2021-a1b2"}).text


def test_payloads_are_measured_without_prompt_history_and_reminder() -> None:
    model = FunctionModel(
        lambda _: Reply(text="t", tool_calls=call("search_documents", query="garnet").tool_calls)
    )
    answer = answer_question("q", library=sample_library(), model=model)
    assert len({step.tokens for step in answer.trajectory}) == 1
