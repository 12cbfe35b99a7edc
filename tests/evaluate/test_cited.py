"""Sentences with what they cite."""

from __future__ import annotations

from vectree.evaluate.cited import cited_sentences, without_citations

READ = frozenset({("lee2021-3f", 4), ("kim2020-aa", 2)})
ANSWER = (
    "## Result\n\nThe yield is 12 % (Lee et al., 2021, lee2021-3f, p.4). "
    "It fell later. (Kim et al., 2020, kim2020-aa, p.2)\n\n"
    "Two facts follow:\n\n- Copper is red (Lee et al., 2021, lee2021-3f, p.9).\n- Zinc is not (see Fig. 2)."
)


def test_each_sentence_gets_the_pages_it_cites_that_were_read() -> None:
    found = [(sentence.text, sentence.units) for sentence in cited_sentences(ANSWER, READ)]
    assert found == [
        ("The yield is 12 % .", (("lee2021-3f", 4),)),
        ("It fell later.", (("kim2020-aa", 2),)),
        ("- Copper is red .", ()),
        ("- Zinc is not (see Fig. 2).", ()),
    ]


def test_an_answer_without_citations_keeps_its_other_brackets() -> None:
    assert without_citations("Zinc (Zn) melts (Lee et al., 2021, lee2021-3f, p.4).") == "Zinc (Zn) melts."
    assert without_citations("") == ""


def test_an_empty_answer_has_no_sentences() -> None:
    assert cited_sentences("", READ) == ()
