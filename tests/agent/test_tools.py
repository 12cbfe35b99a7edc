from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.payloads.metadata import MAX_TOKENS
from vectree.agent.results import ToolResult
from vectree.agent.tools import TOOLS, find_tool, run_tool
from vectree.document import DocumentStatus, TextStatus
from vectree.errors import CorpusDamaged
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import grey_png, sample_library
from vectree.tokens import count_tokens

BERG = "berg2021-a1b2"
GOOD_CALLS = [
    ("search_documents", {"query": "conductivity"}),
    ("get_paper_metadata", {"doc_id": BERG}),
    ("get_document_tree", {"doc_id": BERG}),
    ("get_document_tree", {"doc_id": BERG, "node_id": "0004"}),
    ("search_within_paper", {"doc_id": BERG, "query": "activation energy"}),
    ("get_page_content", {"doc_id": BERG, "pages": "3"}),
    ("list_images", {"doc_id": BERG}),
    ("get_page_image", {"doc_id": BERG, "image": "fig-3-1.png"}),
]


def test_names_and_descriptions_suit_every_service() -> None:
    for tool in TOOLS:
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", tool.name)
        assert 20 < len(tool.description) <= 1024


@pytest.mark.parametrize(("name", "arguments"), GOOD_CALLS)
def test_every_tool_answers_with_text_and_plain_json(
    library: MemoryLibrary, name: str, arguments: dict[str, Any]
) -> None:
    result = run_tool(library, name, json.dumps(arguments))
    assert not result.error
    assert result.text
    assert json.loads(json.dumps(result.data)) == result.data
    assert result.arguments == arguments
    assert result == run_tool(library, name, arguments)


def test_layer_2_names_its_sources_and_the_others_have_none(library: MemoryLibrary) -> None:
    for name, arguments in GOOD_CALLS:
        sources = run_tool(library, name, arguments).sources
        assert sources == (((BERG, 3),) if name in ("get_page_content", "get_page_image") else ())


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("get_page_content", '{"doc_id": "berg2021-a1b2", "pag', "not valid JSON"),
        ("get_page_content", "null", "one JSON object"),
        ("get_page_content", "[1]", "one JSON object"),
        ("get_page_content", '"text"', "not valid JSON"),
        ("get_page_content", "", "doc_id is required"),
        ("get_page_content", '{"doc_id": "berg2021-a1b2"}', "pages is required"),
        ("get_page_content", '{"doc_id": "nobody", "pages": 1}', "search_documents"),
        ("get_page_content", "[" * 99_000, "not valid JSON"),
        ("get_page_content", "x" * 200_000, "200000 characters"),
        ("get_page_content", '{"doc_id": "berg2021-a1b2", "pages": 9}', "4 pages"),
        ("get_document_tree", '{"doc_id": "berg2021-a1b2", "node_id": "99"}', "no node"),
        ("search_documents", '{"query": "x", "limit": 5}', 'no argument "limit"'),
        ("search_documents", '{"query": "x", "top_k": "many"}', "whole number"),
        ("search_documents", '{"query": "x", "year_min": 2020, "year_max": 2010}', "later than"),
        ("get_pages", "{}", "get_page_content"),
        ("", "{}", "search_documents"),
    ],
)
def test_C22_a_mistake_comes_back_as_text_that_says_what_to_do(
    library: MemoryLibrary, name: str, arguments: str, said: str
) -> None:
    result = run_tool(library, name, arguments)
    assert result.error
    assert said in result.text
    assert count_tokens(result.text) < 200
    assert result.sources == ()
    json.dumps(result.arguments).encode()
    tool = find_tool(name)
    if tool and "JSON" in said:
        assert tool.usage in result.text


def test_twice_encoded_arguments_are_read(library: MemoryLibrary) -> None:
    assert not run_tool(library, "list_images", json.dumps(json.dumps({"doc_id": BERG}))).error


@given(
    st.sampled_from([tool.name for tool in TOOLS] + ["nonsense"]),
    st.one_of(
        st.text(max_size=80),
        st.dictionaries(
            st.sampled_from(["doc_id", "query", "pages", "image", "node_id", "top_k", "year_min", "zz"]),
            st.one_of(
                st.none(),
                st.booleans(),
                st.integers(),
                st.floats(allow_nan=True),
                st.text(max_size=20),
                st.just(BERG),
                st.lists(st.integers(), max_size=4),
            ),
        ),
    ),
)
@settings(max_examples=100, deadline=None)
def test_nothing_a_model_writes_makes_a_tool_raise(name: str, arguments: str | dict[str, Any]) -> None:
    result = run_tool(sample_library(), name, arguments)
    assert result.text.encode("utf-8")


def test_a_damaged_corpus_is_no_mistake_of_the_model() -> None:
    class Damaged(MemoryLibrary):
        def pages(self, doc_id: str, numbers: Any) -> Any:
            raise CorpusDamaged("pages.jsonl is cut short.")

    with pytest.raises(CorpusDamaged):
        run_tool(
            Damaged([make_paper("a", title="A", pages=["x"])]),
            "get_page_content",
            {"doc_id": "a", "pages": 1},
        )


def test_node_ids_may_lose_their_leading_zeros(library: MemoryLibrary) -> None:
    short = run_tool(library, "get_document_tree", {"doc_id": BERG, "node_id": 4})
    assert short.text == run_tool(library, "get_document_tree", {"doc_id": BERG, "node_id": "0004"}).text
    assert not short.error


# Pages ------------------------------------------------------------------------------------------


def test_printed_labels_find_their_page(awkward: MemoryLibrary) -> None:
    result = run_tool(awkward, "get_page_content", {"doc_id": "awk-1", "pages": "1003"})
    assert result.sources == (("awk-1", 3),)
    assert "printed" in result.text


def test_an_ambiguous_label_is_no_page() -> None:
    library = MemoryLibrary([make_paper("a", title="A", pages=["x", "y"], labels=["S7", "S7"])])
    assert run_tool(library, "get_page_content", {"doc_id": "a", "pages": "S7"}).error


def test_a_page_without_text_says_so_and_is_not_counted_as_read(awkward: MemoryLibrary) -> None:
    result = run_tool(awkward, "get_page_content", {"doc_id": "awk-1", "pages": "6-9"})
    assert result.sources == (("awk-1", 6), ("awk-1", 9))
    assert "page 7 (scan, no text; printed 1007) look at it with get_page_image: page-7.png" in result.text
    assert "page 8 (blank, no text; printed 1008)" in result.text
    assert "page 9 (garbled text" in result.text


def test_pages_come_in_the_order_asked_for(awkward: MemoryLibrary) -> None:
    result = run_tool(awkward, "get_page_content", {"doc_id": "awk-1", "pages": "9,3"})
    assert [page["page"] for page in result.data["pages"]] == [9, 3]


# Figures ----------------------------------------------------------------------------------------

TRICKS = [
    "../../../../etc/passwd",
    "/etc/passwd",
    "..\\..\\x.png",
    "%2e%2e/x",
    "a/../../x",
    "fig-3-1.png\x00.txt",
    "./fig-3-1.png",
    "FIG-3-1.PNG",
    "nothing.png",
]


@pytest.mark.parametrize("image", TRICKS)
def test_C37_every_trick_gives_the_same_unknown_image(image: str) -> None:
    asked: list[str] = []

    class Watched(MemoryLibrary):
        def figure_bytes(self, doc_id: str, name: str) -> bytes:
            asked.append(name)
            return super().figure_bytes(doc_id, name)

    library = Watched([make_paper("a", title="A", pages=["x"], figures=[("fig-3-1.png", 1, grey_png())])])
    result = run_tool(library, "get_page_image", {"doc_id": "a", "image": image})
    assert result.error
    assert result.text == "Error: Unknown image in a. Recorded images: fig-3-1.png."
    assert asked == []


def test_C37_a_document_is_looked_up_and_never_a_path(library: MemoryLibrary) -> None:
    assert run_tool(library, "get_document_tree", {"doc_id": "../other"}).error


def test_C21_an_image_is_never_text(awkward: MemoryLibrary) -> None:
    result = run_tool(awkward, "get_page_image", {"doc_id": "awk-1", "image": "fig-2-1.png"})
    assert len(result.text) <= 200
    assert not re.search(r"[A-Za-z0-9+/=]{100}", json.dumps(result.data))
    (image,) = result.images
    assert (image.doc_id, image.page, image.media_type, image.width, image.height) == (
        "awk-1",
        2,
        "image/png",
        300,
        200,
    )


def test_a_figure_that_is_no_image_is_refused() -> None:
    library = MemoryLibrary(
        [make_paper("a", title="A", pages=["x"], figures=[("f.png", 1, b"%PDF-1.7 no image")])]
    )
    result = run_tool(library, "get_page_image", {"doc_id": "a", "image": "f.png"})
    assert result.error
    assert "not an image" in result.text


def test_long_figure_lists_are_bounded() -> None:
    figures = [(f"fig-{number}.png", 1, grey_png()) for number in range(1500)]
    library = MemoryLibrary([make_paper("a", title="A", pages=["x"], figures=figures)])
    result = run_tool(library, "list_images", {"doc_id": "a"})
    assert result.text.startswith("1500 images")
    assert "1100 more" in result.text
    assert count_tokens(result.text) < 4_000


def test_no_figures_is_a_fact(library: MemoryLibrary) -> None:
    result = run_tool(library, "list_images", {"doc_id": "raman2019-e5f6"})
    assert not result.error
    assert result.text.startswith("0 images")


# Corpus -----------------------------------------------------------------------------------------


def test_C23_an_empty_result_is_a_fact(library: MemoryLibrary) -> None:
    result = run_tool(library, "search_documents", {"query": "zebra", "year_min": 2000})
    assert not result.error
    assert result.text.startswith("0 of 4 papers match (year_min=2000).")
    assert "synonyms" in result.text


def test_an_empty_library_says_so() -> None:
    assert "empty" in run_tool(MemoryLibrary([]), "search_documents", {"query": "x"}).text


def test_C25_a_listing_counts_all_matches_and_pages_through_them() -> None:
    papers = [
        make_paper(
            f"d{n:03d}",
            title=f"T {n}",
            pages=["x"],
            year=2020 + n % 3,
            authors=("Lee" if n % 10 == 1 else "Roy",),
        )
        for n in range(120)
    ]
    library = MemoryLibrary(papers)
    asked = {"query": "*", "year_min": 2021, "year_max": 2021, "author": "Lee", "top_k": 3}
    expected = [
        p.record.doc_id
        for p in papers
        if p.record.metadata.year == 2021 and "Lee" in p.record.metadata.authors
    ]
    seen: list[str] = []
    for offset in range(0, len(expected), 3):
        result = run_tool(library, "search_documents", {**asked, "offset": offset})
        assert result.text.startswith(f"{len(expected)} of 120 papers match")
        seen += [hit["doc_id"] for hit in result.data["results"]]
    assert seen == expected


def test_C34_eight_threads_get_what_one_gets(library: MemoryLibrary) -> None:
    calls = [GOOD_CALLS[number % len(GOOD_CALLS)] for number in range(400)]
    serial = [run_tool(library, name, arguments) for name, arguments in calls]
    with ThreadPoolExecutor(8) as pool:
        parallel: list[ToolResult] = list(pool.map(lambda call: run_tool(library, *call), calls))
    assert parallel == serial


def test_metadata_names_three_authors_and_the_first_sections(library: MemoryLibrary) -> None:
    text = run_tool(library, "get_paper_metadata", {"doc_id": BERG}).text
    assert "Maria van den Berg, Jun Li, Ana Moreno and 1 more" in text
    assert f"sections: {library.tree(BERG).nodes[0].printed} p." in text


def test_C36_metadata_of_a_long_paper_stays_at_a_hundred_tokens_and_counts_the_rest() -> None:
    sections = [(f"{n} A section with a rather long title", 1, 1) for n in range(60)]
    paper = make_paper("a", title="Long " * 60, pages=["x"], authors=["Ann Bee"] * 900, sections=sections)
    text = run_tool(MemoryLibrary([paper]), "get_paper_metadata", {"doc_id": "a"}).text
    assert count_tokens(text) <= MAX_TOKENS
    assert re.search(r"and \d+ more$", text)
    assert "and 897 more" in text


def test_a_document_that_needs_ocr_says_so() -> None:
    paper = make_paper("a", title="A", pages=[""], status=[TextStatus.SCAN])
    scanned = replace(paper, record=replace(paper.record, status=DocumentStatus.NEEDS_OCR))
    text = run_tool(MemoryLibrary([scanned]), "get_paper_metadata", {"doc_id": "a"}).text
    assert "get_page_image" in text
