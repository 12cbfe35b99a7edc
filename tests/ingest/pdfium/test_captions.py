from __future__ import annotations

from collections.abc import Callable

import pytest

from vectree.ingest.parsers.pdfium.captions import find_captions, points_elsewhere
from vectree.ingest.parsers.pdfium.fragment import Fragment

Line = Callable[..., Fragment]


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3. The setup",
        "Fig. 2 | Structure of the domain",
        "FIGURE 1.1 – Code C",
        "Figure S4: More counts",
        "Extended Data Fig. 1 Counts",
        "Scheme 2. Synthesis",
        "Abbildung 4.1: Lösung",
        "Fig. 1A Overview",
        "Supplementary Figure 3. More",
    ],
)
def test_a_line_that_names_a_figure_starts_a_caption(line: Line, text: str) -> None:
    (caption,) = find_captions([line(text)])
    assert caption.text == text
    assert not caption.is_table


@pytest.mark.parametrize(
    "text", ["Table 1. Samples", "TABLE 2", "Tab. 3: Werte", "Algorithm 1 Search", "Box 2. Terms"]
)
def test_a_line_that_names_a_thing_made_of_text_starts_one_too(line: Line, text: str) -> None:
    (caption,) = find_captions([line(text)])
    assert caption.is_table


@pytest.mark.parametrize(
    "text",
    [
        "FIG1p-GFP",
        "Figures 1 to 3",
        "Table of contents",
        "Figure of merit 3",
        "Figurine 3",
        "Tables S1 to S4",
    ],
)
def test_other_lines_start_none(line: Line, text: str) -> None:
    assert find_captions([line(text)]) == []


def test_a_sentence_within_a_paragraph_starts_none(line: Line) -> None:
    lines = [
        line("The counts rise with temperature, as", y0=100, prose=True),
        line("Figure 3. It shows all of them at once", y0=112, prose=True),
    ]
    assert find_captions(lines) == []


def test_a_caption_goes_on_to_the_gap_below_it(line: Line) -> None:
    lines = [
        line("Figure 3. Counts by tempera", y0=100, size=8, hyphen=True),
        line("ture, in kelvin.", y0=110, size=8),
        line("Running text that follows after a gap", y0=140, size=8),
    ]
    (caption,) = find_captions(lines)
    assert (caption.text, caption.start, caption.stop) == (
        "Figure 3. Counts by temperature, in kelvin.",
        0,
        2,
    )
    assert caption.label == "figure 3"


def test_a_running_head_starts_none(line: Line) -> None:
    assert find_captions([line("Figure 3", furniture=True)]) == []


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("Fig. 1 (See legend on previous page.)", True),
        ("Fig. 2 Caption on next page", True),
        ("Fig. 3 Counts", False),
    ],
)
def test_a_caption_may_point_to_another_page(text: str, elsewhere: bool) -> None:
    assert points_elsewhere(text) is elsewhere
