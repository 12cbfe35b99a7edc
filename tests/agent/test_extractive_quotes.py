from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.extractive.question import understand
from vectree.agent.extractive.quotes import choose_quotes, coverage, rank_quotes
from vectree.agent.payloads.page_text import QuotedPage

PAGE = (
    "# Garnets\n\nWe study garnets in cells of all kinds. The activation energy of the garnet is 0.28 eV. "
    "It was sintered for six hours in air.\n\n"
    "![The activation energy of the garnet](fig.png)\n\n"
    "| activation | energy | garnet | value | here |\n|---|---|---|---|---|\n\n"
    "## References\n\nA. Smith, Activation energy of the garnet revisited, J. Ceram. 4, 1-9 (2010)."
)


def page(text: str, number: int = 1) -> QuotedPage:
    return QuotedPage(doc_id="a-1", key="Berg, 2021", number=number, text=text)


def test_the_sentence_that_answers_comes_first_verbatim_with_its_page() -> None:
    best = rank_quotes("What is the activation energy of the garnet?", [page(PAGE, 7)], wants_number=False)[0]
    assert (best.text, best.page, best.doc_id) == (
        "The activation energy of the garnet is 0.28 eV.",
        7,
        "a-1",
    )


def test_a_sentence_that_points_back_is_quoted_with_the_one_before() -> None:
    text = "The garnet was heated for a day. It lost no lithium at all.\n\nIt lost its colour later on."
    ranked = rank_quotes("Was lithium lost?", [page(text)], wants_number=False)
    assert ranked[0].text == "The garnet was heated for a day. It lost no lithium at all."
    assert {quote.text for quote in ranked} >= {"It lost its colour later on."}


def test_a_sentence_is_quoted_with_the_one_that_goes_on_from_it() -> None:
    text = "Two phases of lithium formed on heating. These were cubic and tetragonal ones. The rest was air."
    ranked = rank_quotes("Which lithium phases formed?", [page(text)], wants_number=False)
    assert ranked[0].text == "Two phases of lithium formed on heating. These were cubic and tetragonal ones."


def test_headings_tables_captions_and_reference_lists_are_not_quoted() -> None:
    quotes = rank_quotes("activation energy garnet cells sintered", [page(PAGE)], wants_number=False)
    assert all(not any(word in quote.text for word in ("|", "![", "#", "revisited")) for quote in quotes)


def test_numbers_are_preferred_where_one_is_asked_for() -> None:
    text = "The creep life of the alloy is very long indeed.\n\nThe creep life of the alloy is 340 h there."
    assert (
        "340"
        in rank_quotes(understand("How long is the creep life?").statement, [page(text)], wants_number=True)[
            0
        ].text
    )


def test_rare_words_weigh_more_than_common_ones() -> None:
    text = " ".join(f"The cell of batch number {n} was tested in air." for n in "abcdefgh")
    text += " The cell with rhenium was never in air."
    assert "rhenium" in rank_quotes("the cell with rhenium in air", [page(text)], wants_number=False)[0].text


def test_sentences_that_repeat_one_another_are_quoted_once() -> None:
    text = "Rhenium slows the climb of dislocations here.\n\nRhenium slows the climb of dislocations there."
    ranked = rank_quotes("Does rhenium slow the climb?", [page(text)], wants_number=False)
    assert len(choose_quotes(ranked, 4)) == 1


def test_one_word_in_common_is_not_enough_for_a_longer_question() -> None:
    text = "The effect on cost was large here.\n\n## Hardness of steel\n\nThe effect was large for it too."
    ranked = rank_quotes("What is the effect of aging on hardness?", [page(text)], wants_number=False)
    assert [quote.text for quote in ranked] == ["The effect was large for it too."]


def test_nothing_matches() -> None:
    assert rank_quotes("zebra", [page(PAGE)], wants_number=False) == []
    assert choose_quotes([], 4) == []
    assert coverage("the of", [], [page(PAGE)]) == 0.0


def test_coverage_is_the_weighted_share_of_the_question() -> None:
    ranked = rank_quotes("activation energy", [page(PAGE)], wants_number=False)
    assert coverage("activation energy", ranked[:1], [page(PAGE)]) == 1.0
    assert 0 < coverage("activation energy zebra", ranked[:1], [page(PAGE)]) < 1.0


@settings(deadline=None)
@given(st.text(max_size=400), st.text(max_size=60))
def test_any_page_and_question_can_be_ranked(text: str, question: str) -> None:
    for quote in rank_quotes(question, [page(text)], wants_number=True):
        assert quote.weight > 0
        assert coverage(question, [quote], [page(text)]) <= 1.0 + 1e-9
