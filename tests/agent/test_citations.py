"""C24: citations to pages nobody read, to unknown documents, to pages that do not exist."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.citations import check_citations, uncited_sentences
from vectree.evidence import Citation, CitationStatus

READ = frozenset({("a-1", 3), ("a-1", 4), ("b.2", 7)})
TOTALS = {"a-1": 9, "b.2": 12}


def checked(text: str) -> list[tuple[str, int, str]]:
    return [(c.doc_id, c.page, c.status.value) for c in check(text)]


def check(text: str) -> tuple[Citation, ...]:
    return check_citations(text, read=READ, total_pages=TOTALS.get)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(Smith et al., 2024, a-1, p.3)", [("a-1", 3, "read")]),
        ("(Smith et al., 2024, a-1, p. 3)", [("a-1", 3, "read")]),
        ("(Smith et al., 2024, a-1, page 3)", [("a-1", 3, "read")]),
        ("(Smith et al., 2024, a-1, p3)", [("a-1", 3, "read")]),
        ("[Smith et al., 2024, a-1, p.3]", [("a-1", 3, "read")]),
        ("(Smith, 2024, `a-1`, p.3)", [("a-1", 3, "read")]),
        ("(see Smith et al., 2024, a-1, p.3)", [("a-1", 3, "read")]),
        ("(as shown (Smith et al., 2024, a-1, p.3))", [("a-1", 3, "read")]),
        ("(Smith et al., 2024, a-1, pp.3-5)", [("a-1", 3, "read"), ("a-1", 4, "read"), ("a-1", 5, "unread")]),
        ("(Smith et al., 2024, a-1, pp. 3–4)", [("a-1", 3, "read"), ("a-1", 4, "read")]),
        ("(Smith et al., 2024, a-1, p.3, p.4)", [("a-1", 3, "read"), ("a-1", 4, "read")]),
        (
            "(Smith et al., 2024, a-1, p.3, 4 and 5)",
            [("a-1", 3, "read"), ("a-1", 4, "read"), ("a-1", 5, "unread")],
        ),
        ("(Smith et al., 2024, a-1, p.3; p.4)", [("a-1", 3, "read"), ("a-1", 4, "read")]),
        ("(S, 2024, a-1, p.3; L et al., 2023, b.2, p.7)", [("a-1", 3, "read"), ("b.2", 7, "read")]),
        ("(S, 2024, a-1, p.3, L et al., 2023, b.2, p.7)", [("a-1", 3, "read"), ("b.2", 7, "read")]),
        ("(S, 2024, a-1, p.9)", [("a-1", 9, "unread")]),
        ("(S, 2024, a-1, p.0)", [("a-1", 0, "no_such_page")]),
        ("(S, 2024, a-1, p.10)", [("a-1", 10, "no_such_page")]),
        ("(S, 2024, a-1, p.X)", [("a-1", 0, "no_such_page")]),
        ("(S, 2024, a-9, p.1)", [("a-9", 1, "unknown_document")]),
        ("(S, 2024, p.3)", [("2024", 3, "unknown_document")]),
        ("(ANOVA, p = 0.03), (t-test, p < .05), (n.s., p 0.2), (Fig. 2, p.3), (p.4)", []),
        ("(S, 2024, a-1)", []),
        ("no brackets, a-1, p.3", []),
    ],
)
def test_C24_each_citation_is_found_and_checked(text: str, found: list[tuple[str, int, str]]) -> None:
    assert checked(text) == found


def test_C24_papers_of_the_same_author_and_year_stay_apart() -> None:
    assert checked("(S, 2024, a-1, p.3) (S, 2024, b.2, p.3)") == [("a-1", 3, "read"), ("b.2", 3, "unread")]


def test_a_repeated_citation_is_one() -> None:
    assert len(check("A (S, 2024, a-1, p.3). B (S, 2024, a-1, p.3).")) == 1


def test_an_absurd_range_is_bounded_and_its_end_is_checked() -> None:
    found = check("(S, 2024, a-1, p.1-999999999)")
    assert len(found) < 60
    assert found[-1].status is CitationStatus.NO_SUCH_PAGE


def test_sentences_without_a_checked_citation_are_listed() -> None:
    text = (
        "# Answer\n\nGarnets hold (S, 2024, a-1, p.3). Sulfides do not (S, 2024, a-1, p.9). "
        "Nobody knows why. It is known. (L, 2023, b.2, p.7)\n\nThe papers say:\n"
        "- “It holds. It does.” (S, 2024, a-1, p.4)\n- An item of its own\n1. Fig. 3 of Smith et al. shows "
        "it (S, 2024, a-1, p.3)."
    )
    assert uncited_sentences(text, read=READ) == (
        "Sulfides do not (S, 2024, a-1, p.9).",
        "Nobody knows why.",
        "An item of its own",
    )


def test_C24_without_any_page_read_every_sentence_is_listed() -> None:
    text = "One (S, 2024, a-1, p.3). Two (L, 2023, b.2, p.7)."
    assert len(uncited_sentences(text, read=frozenset())) == 2


def test_a_citation_inside_a_quotation_does_not_vouch_for_the_sentence() -> None:
    text = "He says “it is so (S, 2024, a-1, p.3)”."
    assert uncited_sentences(text, read=READ) == (text,)


def test_text_after_a_quotation_is_a_sentence_of_its_own() -> None:
    text = "“It holds.” (S, 2024, a-1, p.3) It also shines."
    assert uncited_sentences(text, read=READ) == ("It also shines.",)


def test_hostile_text_takes_no_time() -> None:
    began = time.process_time()
    for text in (
        "(" * 20_000,
        "(a, p." * 5_000,
        "“" * 20_000,
        "(" + "a" * 1_900 + ", " * 30 + ")",
        "a.-" * 9_000,
    ):
        check(text)
        uncited_sentences(text, read=READ)
    assert time.process_time() - began < 3


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_checked(text: str) -> None:
    check(text)
    uncited_sentences(text, read=READ)


def test_only_the_mark_of_a_list_item_is_taken_off_a_sentence() -> None:
    text = "- From 18000 - 28000 cm it holds; see 2. above and * there"
    assert uncited_sentences(text, read=READ) == ("From 18000 - 28000 cm it holds; see 2. above and * there",)
