"""Numbers of cited sentences, looked up on the pages cited."""

from __future__ import annotations

import pytest

from vectree.agent.loop import answer_question
from vectree.agent.number_check import unfound_numbers
from vectree.evidence import UnfoundNumber
from vectree.llm.scripted import ScriptedModel, call
from vectree.testing.library import MemoryLibrary

BERG = "berg2021-a1b2"
READ = frozenset({(BERG, 2), (BERG, 3), ("okoro2023-c3d4", 2)})


@pytest.fixture
def check(library: MemoryLibrary):
    def unfound(text: str) -> tuple[UnfoundNumber, ...]:
        return unfound_numbers(text, read=READ, page=lambda doc_id, page: library.pages(doc_id, [page])[0])

    return unfound


def test_a_number_of_the_cited_page_is_found(check) -> None:
    assert check(f"It reaches 0.62 mS/cm at 25 °C (B, 2021, {BERG}, p.3).") == ()


def test_a_number_that_the_cited_page_does_not_hold_is_listed_with_sentence_and_pages(check) -> None:
    sentence = f"It reaches 0.63 mS/cm at 25 °C (B, 2021, {BERG}, p.3)."
    assert check(f"Garnets conduct. {sentence}") == (
        UnfoundNumber(number="0.63", sentence=sentence, pages=((BERG, 3),)),
    )


def test_a_number_of_another_page_that_was_read_is_not_taken(check) -> None:
    (missing,) = check(f"Pellets were sintered at 1150 °C (B, 2021, {BERG}, p.3).")
    assert missing.number == "1150"


def test_the_pages_of_one_sentence_count_together(check) -> None:
    assert check(f"0.62 against 4.1 mS/cm (B, 2021, {BERG}, p.3; O, 2023, okoro2023-c3d4, p.2).") == ()


def test_a_citation_that_follows_the_sentence_belongs_to_it(check) -> None:
    (missing,) = check(f"It takes 7 h. (B, 2021, {BERG}, p.2)")
    assert missing.number == "7"


@pytest.mark.parametrize(
    "text",
    [
        "It reaches 99 mS/cm.",  # carries no citation, and is listed as such
        f"It reaches 99 mS/cm (B, 2021, {BERG}, p.1).",  # the page was not read
        "It reaches 99 mS/cm (N, 2021, nobody, p.1).",
        f"As page 3 and pp. 7-9 show, it is 0.28 eV (B, 2021, {BERG}, p.3).",
        f"1. The 2021 study gives (1) 0.28 eV, the 3rd value (B, 2021, {BERG}, p.3).",
        f"Li7La3Zr2O12 and IL-6 differ (B, 2021, {BERG}, p.3).",
    ],
)
def test_what_is_not_claimed_about_a_page_that_was_read_is_not_looked_up(check, text: str) -> None:
    assert check(text) == ()


def test_a_run_reports_what_it_did_not_find(library: MemoryLibrary) -> None:
    text = f"It is 0.29 eV (B, 2021, {BERG}, p.3)."
    model = ScriptedModel([call("get_page_content", doc_id=BERG, pages="3"), text])
    answer = answer_question("q", library=library, model=model)
    assert [(n.number, n.pages) for n in answer.unfound] == [("0.29", ((BERG, 3),))]
    assert answer.uncited == ()


def test_a_paper_that_was_removed_meanwhile_cannot_be_looked_up() -> None:
    empty = MemoryLibrary([])
    text = f"It reaches 0.63 mS/cm at 25 °C (B, 2021, {BERG}, p.3)."
    assert unfound_numbers(text, read=READ, page=lambda doc_id, page: empty.pages(doc_id, [page])[0]) == ()
