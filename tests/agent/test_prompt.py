from __future__ import annotations

import pytest

from vectree.agent.library import LibraryStats
from vectree.agent.prompt import system_prompt


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        (
            LibraryStats(documents=41, year_first=1999, year_last=2024, journals=17),
            "41 scientific papers (1999-2024, 17 journals)",
        ),
        (
            LibraryStats(documents=3, year_first=2020, year_last=2020, journals=1),
            "3 scientific papers (2020, 1 journal)",
        ),
        (LibraryStats(documents=0), "0 scientific papers (years unknown, journals unknown)"),
    ],
)
def test_the_numbers_of_the_corpus_are_filled_in(stats: LibraryStats, said: str) -> None:
    assert said in " ".join(system_prompt(stats).split())


def test_the_header_comment_is_not_sent() -> None:
    assert "<!--" not in system_prompt(LibraryStats(documents=1))
