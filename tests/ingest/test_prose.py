from __future__ import annotations

import pytest

from vectree.ingest.prose import is_prose, plain_text, prose_sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "We measured the conductivity of 24 membranes at 80 °C.",
        "Figure 3 shows that the conductivity rises with temperature.",
        "mRNA levels were measured in all of the treated cells.",
        "Die Leitfähigkeit steigt mit der Temperatur stark an.",
        "这项研究测量了二十四种膜的电导率。",
    ],
)
def test_statement_is_prose(sentence):
    assert is_prose(sentence) is not sentence.startswith("mRNA")


@pytest.mark.parametrize(
    "sentence",
    [
        "Figure 3. Conductivity of the membranes at several temperatures.",
        "Table 2 Baseline characteristics of the patients in both groups.",
        "(a, b) Representative traces for the wild-type channels recorded at −60 mV.",
        "Note: Base=baseline, Post=post-intervention, differ=the difference between them.",
        "Smith, A. B., Jones, C. D. & Brown, E. F. Glass at low temperature.",
        "J Trauma 2002, 53(2):142-64 was the journal of this article.",
        "© 2017 The Authors. Published by Elsevier under the CC BY license.",
        "4 Department of Neuroscience, Center for Psychiatry, KU Leuven, Belgium.",
        "5Developmental Psychology, University of Groningen, the Netherlands is here.",
        "Correspondence and requests for materials should be addressed to A.B.",
        "x = 3 y + 4 z − 5 w .",
        "Too short.",
        "and this one goes on from somewhere else entirely.",
        "This one has no end",
    ],
)
def test_what_is_no_statement_is_no_prose(sentence):
    assert not is_prose(sentence)


@pytest.mark.parametrize(
    "markdown",
    [
        "## 2.1 Cell culture\n\nCells grew.",
        "2.1 Cell culture. Cells grew.",
        "**2.1 Cell Culture** Cells grew.",
        "## 2.1 Cell\nculture\nCells grew.",
    ],
)
def test_title_is_cut_off_the_start_of_the_text(markdown):
    assert plain_text(markdown, "2.1 Cell culture") == "Cells grew."


def test_text_that_only_begins_like_the_title_is_left_alone():
    assert plain_text("Cell cultures grew.", "Cell culture lines") == "Cell cultures grew."
    assert plain_text("Cells grew.", "") == "Cells grew."
    assert plain_text("## Results", "Results") == ""


def test_captions_and_tables_are_left_out_as_whole_paragraphs():
    markdown = (
        "## Results\n\nThe conductivity of the membranes rose with temperature.\n\n"
        "Figure 2. Conductivity. The dashed line shows the model that was fitted to it.\n\n"
        "| a | b |\n| 1 | 2 |\n\nIt fell again above eighty degrees in every sample."
    )
    assert [sentence.text for sentence in prose_sentences(markdown, "Results")] == [
        "The conductivity of the membranes rose with temperature.",
        "It fell again above eighty degrees in every sample.",
    ]


def test_sentence_that_a_figure_interrupts_is_whole():
    markdown = (
        "The conductivity of the membranes\n\nFig. 2. A caption.\n\nrose with temperature in all of them."
    )
    assert [sentence.text for sentence in prose_sentences(markdown)] == [
        "The conductivity of the membranes rose with temperature in all of them."
    ]


def test_figure_gives_its_caption_unless_the_text_has_it_too():
    assert plain_text("Text. ![A caption](p001-1.png) More.") == "Text. A caption More."
    assert plain_text("![A caption](p001-1.png)\n\nA caption\n\nMore.") == "A caption\n\nMore."


def test_labels_of_a_plot_are_left_out_of_plain_text():
    assert plain_text("It rose.\n\n0 50 | 100 150 | 200\n\n| 1 | 2 |") == "It rose.\n\n| 1 | 2 |"


@pytest.mark.parametrize(
    "note",
    [
        "1The program code and the data are publicly available at the address that is given here.",
        "2 Certain commercial equipment and instruments are identified in this paper to foster understanding.",
        "* The word gash is a convenient one used occasionally by lead miners to express a fissure.",
        "†Both of these authors contributed to the work in equal measure and are named in turn.",
    ],
)
def test_footnotes_are_no_prose_and_interrupt_no_paragraph(note: str) -> None:
    text = (
        f"The samples were dried for two days and then\n\n{note}\n\nmeasured in humid gas at ninety degrees."
    )
    assert [each.text for each in prose_sentences(text)] == [
        "The samples were dried for two days and then measured in humid gas at ninety degrees."
    ]


def test_a_paragraph_that_opens_with_a_count_is_prose() -> None:
    text = "18 samples were measured and all of them agreed within five percent."
    assert [each.text for each in prose_sentences(text)] == [text]
