from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vectree.ingest.layout.body import Style
from vectree.ingest.levels import assign_levels
from vectree.ingest.numbering import split_number
from vectree.ingest.ranks import Ranked


def style(
    size: float, *, bold: bool = True, italic: bool = False, caps: bool = False, font: str = "F"
) -> Style:
    return Style(size=size, bold=bold, italic=italic, caps=caps, font=font)


LARGE, MEDIUM, SMALL = style(14), style(12), style(10)


def ranked(text: str, look: Style | None = None, **more) -> Ranked:
    number, title = split_number(text)
    return Ranked(title=title or text, number=number, style=look or LARGE, **more)


def levels(*texts: str) -> list[int]:
    return assign_levels([ranked(text) for text in texts])


def test_dotted_numbers_give_the_depth() -> None:
    assert levels("1 A one", "1.1 B one", "1.1.1 C", "1.2 D", "2 E") == [1, 2, 3, 2, 1]


def test_a_skipped_level_is_closed() -> None:
    assert levels("1 A one", "1.1.1 C one", "1.1.2 C two", "2 E") == [1, 2, 2, 1]


def test_letters_between_roman_numerals_stand_below_them() -> None:
    assert levels("I. Intro", "A. Aim", "B. Plan", "II. Data", "A. Set", "B. Use") == [1, 2, 2, 1, 2, 2]


def test_appendix_letters_stand_beside_the_sections() -> None:
    assert levels("1 Intro", "2 Data", "A Proofs", "A.1 Lemma one", "B Tables") == [1, 1, 1, 2, 1]


def test_parts_stand_above_chapters() -> None:
    assert levels("Part I Basics", "1 First", "1.1 Item", "Part II More", "2 Second") == [1, 2, 3, 1, 2]


def test_looks_rank_unnumbered_headings() -> None:
    found = assign_levels(
        [ranked("Methods", LARGE), ranked("Cells", MEDIUM), ranked("Media", SMALL), ranked("Results", LARGE)]
    )
    assert found == [1, 2, 3, 1]


def test_a_heading_right_below_another_is_deeper_even_if_larger() -> None:
    above, below = style(9), style(9.5, font="G")
    headings = [
        ranked("Methods", LARGE),
        ranked("Software location", above),
        ranked("Archive", below, below=True),
        ranked("Code repository", below),
        ranked("Languages", above),
    ]
    assert assign_levels(headings) == [1, 2, 3, 3, 2]


def test_leads_divide_the_section_they_stand_in() -> None:
    italic = style(10, bold=False, italic=True)
    headings = [
        ranked("Methods", LARGE),
        ranked("Cell culture", SMALL, run_in=True),
        ranked("Media", italic, run_in=True),
        ranked("Imaging", SMALL, run_in=True),
        ranked("Results", LARGE),
    ]
    assert assign_levels(headings) == [1, 2, 3, 2, 1]


def test_given_levels_rule_and_numbers_are_shifted_to_fit() -> None:
    headings = [
        ranked("Part one", given=1),
        ranked("1 Intro", given=2),
        ranked("2 Data", given=2),
        ranked("2.1 Set"),
    ]
    assert assign_levels(headings) == [1, 2, 2, 3]


def test_closing_titles_belong_to_no_section() -> None:
    headings = [ranked("1 Intro", LARGE), ranked("1.1 Aim", MEDIUM), ranked("References", MEDIUM)]
    assert assign_levels(headings) == [1, 2, 1]


def test_closing_titles_may_stand_under_a_closing_section() -> None:
    headings = [
        ranked("Results", LARGE),
        ranked("Declarations", LARGE),
        ranked("Funding", SMALL, below=True),
        ranked("Grants", SMALL),
        ranked("Competing interests", SMALL),
        ranked("References", LARGE),
    ]
    assert assign_levels(headings) == [1, 1, 2, 2, 2, 1]


@given(
    st.lists(
        st.builds(
            Ranked,
            title=st.sampled_from(["Methods", "Abstract", "References", "Anything else"]),
            number=st.sampled_from(
                [None, *(split_number(f"{n} X")[0] for n in ("1", "2.1", "I", "A", "B.2.1"))]
            ),
            style=st.sampled_from([LARGE, MEDIUM, SMALL, None]),
            run_in=st.booleans(),
            given=st.sampled_from([None, 1, 2, 5]),
            below=st.booleans(),
        ),
        max_size=25,
    )
)
def test_levels_start_at_one_and_never_skip(headings) -> None:
    found = assign_levels(headings)
    assert len(found) == len(headings)
    assert all(level <= before + 1 for before, level in zip([0, *found], found, strict=False))
    assert all(level >= 1 for level in found)
