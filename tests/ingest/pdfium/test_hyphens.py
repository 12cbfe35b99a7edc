from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from vectree.ingest.parsers.pdfium.fragment import Fragment
from vectree.ingest.parsers.pdfium.hyphens import count_words, keeps_hyphen, mend_hyphens

Line = Callable[..., Fragment]
WORDS = Counter({"yeast": 3, "based": 2, "fine-tuned": 4, "background": 2, "back": 5, "ground": 1, "soft": 1})


@pytest.mark.parametrize(
    ("left", "right", "kept"),
    [
        ("yeast", "based", True),
        ("fine", "tuned", True),
        ("back", "ground", False),
        ("conforma", "tional", False),
        ("GDP", "binding", True),
        ("CO2", "rich", True),
        ("step-by", "step", True),
        ("β", "sheet", True),
        ("Program", "Guided", True),
        ("soft", "ware", False),
    ],
)
def test_a_hyphen_is_kept_where_the_word_has_one(left: str, right: str, kept: bool) -> None:
    assert keeps_hyphen(left, right, WORDS) is kept


def test_a_capital_on_another_page_is_no_reason_to_keep_a_hyphen() -> None:
    assert not keeps_hyphen("demon", "The", WORDS, adjacent=False)


def test_halves_of_broken_words_are_not_counted_as_words() -> None:
    words = count_words(["we demon-\nstrate that demonstrate is a word", "fine-tuned"])
    assert words["demonstrate"] == 1
    assert words["demon"] == 0
    assert words["fine-tuned"] == 1


def test_both_kinds_of_hyphen_leave_the_words_whole(line: Line) -> None:
    pages = [
        [
            line("the yeast", y0=100, hyphen=True),
            line("based biosen", y0=112, hyphen=True),
            line("sor and the receptor-", y0=124),
            line("ligand pair", y0=136),
        ]
    ]
    mend_hyphens(pages, ["yeast is based on a receptor and its ligand"])
    assert [(line.text, line.hyphen) for line in pages[0]] == [
        ("the yeast-", True),
        ("based biosen", True),
        ("sor and the receptor-", True),
        ("ligand pair", False),
    ]


def test_a_word_broken_at_the_end_of_a_page_is_continued_past_the_running_head(line: Line) -> None:
    head = line("Journal of Things", y0=30, furniture=True)
    pages = [[line("the quick transfor", y0=700, hyphen=True)], [head, line("mation of things", y0=80)]]
    mend_hyphens(pages, ["transformation"])
    assert (pages[0][0].text, pages[0][0].hyphen) == ("the quick transfor", True)


def test_a_dash_after_a_number_is_no_broken_word(line: Line) -> None:
    pages = [[line("from 12 -", y0=100), line("to 15", y0=112)]]
    mend_hyphens(pages, [""])
    assert pages[0][0].hyphen is False
