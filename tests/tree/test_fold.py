from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.document import Heading, HeadingSource
from vectree.tree.fold import MAX_DEPTH, fold_depths


def depths(*lines: str) -> list[int]:
    """Each line is ``number|title@level``; the level is 1 if left out."""
    headings = []
    for line in lines:
        text, _, level = line.partition("@")
        number, _, title = text.partition("|")
        headings.append(
            Heading(number=number, title=title, page=1, level=int(level or 1), source=HeadingSource.LAYOUT)
        )
    return fold_depths(headings)


def test_dotted_numbers_nest_whatever_level_the_source_claims():
    assert depths("1|Introduction", "2|Methods", "2.1|Cells", "2.1.1|Media", "2.2|Mice", "3|Results") == [
        1,
        1,
        2,
        3,
        2,
        1,
    ]


def test_skipped_level_hangs_below_the_nearest_prefix():
    assert depths("2|Methods", "2.1.3|Media", "2.1.4|Plates", "2.2|Mice") == [1, 2, 2, 2]


def test_number_without_its_parent_is_not_put_under_another_section():
    assert depths("2|Methods", "3.1|Cells@2", "3.2|Mice@2") == [1, 1, 1]


def test_roman_numerals_with_letters_that_start_over():
    lines = ("I|Intro", "II|Setup", "A|Traps", "B|Gates", "III|Results", "A|Noise", "B|Cooling", "IV|End")
    assert depths(*lines) == [1, 1, 2, 2, 1, 2, 2, 1]


def test_appendix_letters_stay_beside_numbered_sections():
    assert depths("1|Intro", "2|End", "|References", "A|Proofs", "A.1|Lemma", "B|Data") == [1, 1, 1, 1, 2, 1]


def test_unnumbered_headings_nest_by_level():
    lines = ("|Study 1", "|Methods@2", "|Results@2", "|Study 2", "|Methods@2", "|Results@2", "|Methods")
    assert depths(*lines) == [1, 2, 2, 1, 2, 2, 1]


def test_unnumbered_heading_does_not_close_a_section_that_goes_on():
    assert depths("2|Methods", "2.1|Cells", "|Run-in", "2.2|Mice", "3|Results") == [1, 2, 2, 2, 1]


def test_unnumbered_heading_after_the_last_subsection_closes_it():
    assert depths("2|Methods", "2.1|Cells", "|References", "|Appendix") == [1, 2, 1, 1]


def test_chapters_inside_parts_keep_the_levels_of_the_source():
    lines = ("I|Theory", "1|Waves@2", "1.1|Light@3", "2|Heat@2", "II|Practice", "3|Tools@2")
    assert depths(*lines) == [1, 2, 3, 2, 1, 2]


def test_level_jump_is_closed():
    assert depths("|Results", "|Deep@5", "|Less deep@3") == [1, 2, 2]


def test_hostile_nesting_is_bounded():
    assert max(depths(*(f"|Section@{level}" for level in range(1, 3_000)))) == MAX_DEPTH


NUMBERS = st.one_of(
    st.just(""),
    st.lists(st.integers(1, 4), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts))),
    st.sampled_from(["I", "II", "III", "IV", "A", "B", "C", "A.1", "A.2", "S1", "Box", "1)", "((", "第2章"]),
)


@given(st.lists(st.tuples(NUMBERS, st.integers(-2, 9)), max_size=40))
def test_depths_always_make_a_tree(items):
    found = fold_depths(
        [
            Heading(number=number, title="T", page=1, level=level, source=HeadingSource.LAYOUT)
            for number, level in items
        ]
    )
    assert len(found) == len(items)
    assert all(1 <= depth <= MAX_DEPTH for depth in found)
    assert all(after <= before + 1 for before, after in zip([0, *found], found, strict=False))


@given(st.lists(st.integers(0, 3), max_size=12))
def test_complete_numbering_gives_its_own_depth(grow):
    """Numbers made by walking a tree come back as the depths of that walk."""
    counters: list[int] = []
    numbers: list[str] = []
    for step in grow:
        depth = min(step, len(counters))
        counters = [*counters[: depth + 1], 0] if depth == len(counters) else counters[: depth + 1]
        counters[depth] += 1
        numbers.append(".".join(map(str, counters)))
    headings = [Heading(number=n, title="T", page=1, level=1, source=HeadingSource.LAYOUT) for n in numbers]
    assert fold_depths(headings) == [number.count(".") + 1 for number in numbers]


@pytest.mark.parametrize("number", ["1." * 500, "9" * 500, "\x00", "⅓.²"])
def test_odd_numbers_do_no_harm(number):
    assert depths(f"{number}|Odd", "2|Next")[0] == 1
