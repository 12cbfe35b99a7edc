from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vectree.document import Box, Figure, Heading, HeadingSource, Match
from vectree.ingest.headings import find_headings
from vectree.ingest.page_text import render_pages
from vectree.ingest.rows import rows_of
from vectree.normal import match_key


def rendered(book):
    document = book.parsed()
    return render_pages(document, find_headings(document).headings)


def figure(page: int, *, y0: float = 300.0, y1: float = 400.0, caption: str | None = None) -> Figure:
    box = Box(x0=72.0, y0=y0, x1=400.0, y1=y1)
    return Figure(
        name=f"p{page:03d}-1.png", page=page, box=box, kind="image", width=9, height=9, caption=caption
    )


def test_headings_are_marked_and_their_offsets_point_at_them(book) -> None:
    page = book.page().heading("1 Introduction", size=13).prose(2)
    page.heading("1.1 Aims", size=11).prose(2)
    book.page().prose().heading("2 Results", size=13).prose()
    found = rendered(book)
    lines = [found.pages[h.page - 1].text[h.offset :].split("\n")[0] for h in found.headings]
    assert lines == ["# 1 Introduction", "## 1.1 Aims", "# 2 Results"]


def test_a_lead_becomes_a_heading_line_and_its_text_goes_on(book) -> None:
    page = book.page().heading("Methods", size=13)
    for title in ("Cell culture.", "Optics.", "Statistics."):
        page.lead(title, text="Cells were grown in the usual medium for three days before use.")
    text = rendered(book).pages[0].text
    assert "## Cell culture.\n\nCells were grown in the usual medium for three days before use." in text


def test_begins_page_means_nothing_but_furniture_and_figures_above(book) -> None:
    book.page().running("Journal of things 3").heading("1 Introduction", size=13).prose(3)
    page = book.page().running("Journal of things 4").line("label", y=90.0, in_figure=True)
    page.line("Figure 1. A caption of the figure.", size=8.0, gap=60)
    page.heading("2 Methods", size=13).prose(3)
    book.page().running("Journal of things 5").prose().heading("3 Results", size=13).prose(3)
    assert [h.begins_page for h in rendered(book).headings] == [True, True, False]


def test_words_broken_at_line_ends_are_joined(book) -> None:
    page = book.page()
    page.line("The instrument was calibrated with a commercial refer", hyphen=True).line("ence sample.")
    page.line("A GDP", hyphen=True, gap=20).line(
        "binding assay and a well-known method, the well", hyphen=True
    )
    page.line("known one, of the step-by", hyphen=True).line("step kind.")
    text = rendered(book).pages[0].text
    assert "reference sample." in text
    assert "GDP-binding assay" in text
    assert "the well-known one" in text


def test_paragraphs_are_kept_apart(book) -> None:
    page = book.page().prose(
        1, text="First paragraph, over more than one line, ends here with a full stop. " * 3
    )
    page.line("Second paragraph begins with an indent and goes on for a while in the usual way,", x=90.0)
    page.line("until it ends.")
    assert len(rendered(book).pages[0].text.split("\n\n")) == 2


def test_rows_of_a_table_stay_rows(book) -> None:
    page = book.page().prose()
    for number, row in enumerate((("Sensor", "Mean"), ("A", "1.2"), ("B", "3.4"))):
        for cell, x in zip(row, (72.0, 200.0), strict=True):
            page.line(cell, x=x, y=400.0 + 14 * number)
    assert "Sensor | Mean\nA | 1.2\nB | 3.4" in rendered(book).pages[0].text


def test_figures_stand_before_their_caption_and_furniture_is_left_out(book) -> None:
    page = book.page().running("Journal of things 12").prose()
    page.line("Figure 1. The drift [mV] over time.", size=8.0, gap=200).prose()
    book.figures.append(figure(1, caption="Figure 1. The drift [mV] over time."))
    text = rendered(book).pages[0].text
    assert "![Figure 1. The drift (mV) over time.](p001-1.png)\n\nFigure 1. The drift [mV]" in text
    assert "Journal of things" not in text


def test_a_figure_without_caption_stands_where_it_was(book) -> None:
    page = book.page().prose()
    page.y = 420.0
    page.line("After the figure the text goes on in the usual manner of such texts.")
    book.figures.append(figure(1))
    blocks = rendered(book).pages[0].text.split("\n\n")
    assert blocks[1] == "![](p001-1.png)"
    assert rendered(book).pages[0].figures == ("p001-1.png",)


def test_a_page_of_figures_only_refers_to_them(book) -> None:
    book.page()
    book.figures.append(figure(1))
    assert rendered(book).pages[0].text == "![](p001-1.png)"


def test_text_that_looks_like_a_heading_is_escaped(book) -> None:
    book.page().line("# The claim is that this is a comment of a program").prose()
    assert rendered(book).pages[0].text.startswith("\\# The claim")


def test_c03_raw_text_is_kept_as_it_was(book) -> None:
    page = book.page().heading("2 Scienti\ufb01c Work", size=14).prose()
    assert page.number == 1
    document = book.parsed()
    pages = render_pages(document, find_headings(document).headings).pages
    assert pages[0].raw == document.pages[0].raw
    assert "\ufb01" in pages[0].raw


def test_markdown_pages_stay_as_they_are(markdown) -> None:
    document = markdown(["# Title\n\n## Results\n\nText.", ""])
    heading = Heading(
        number="", title="Results", page=1, level=2, source=HeadingSource.PARSER, match=Match.HEADING_LINE
    )
    found = render_pages(document, [heading])
    assert found.pages[0].text == document.pages[0].markdown
    assert found.pages[0].text[found.headings[0].offset :].startswith("## Results")


def test_equal_titles_on_a_page_keep_their_own_places(book) -> None:
    page = book.page()
    for study in ("Study 1", "Study 2"):
        page.heading(study, size=14).prose().heading("Results", size=12).prose()
    offsets = [h.offset for h in rendered(book).headings]
    assert offsets == sorted(set(offsets))
    assert len(offsets) == 4


def test_a_synthetic_abstract_points_at_its_text(book) -> None:
    page = book.page().line("A remarkable drift of sensors", size=18.0).line("A. Author and B. Author", gap=6)
    page.y += 20
    page.prose(3, size=9.0)
    page.heading("1 Introduction", size=12).prose(3).heading("2 Methods", size=12).prose(3)
    found = rendered(book)
    assert found.headings[0].source is HeadingSource.SYNTHETIC
    assert found.pages[0].text[found.headings[0].offset :].startswith("In run two of series three")


_words = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12)
_lines = st.tuples(
    st.lists(_words, min_size=1, max_size=9).map(" ".join),
    st.sampled_from([8.0, 10.0, 10.0, 10.0, 14.0]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.0, 0.0, 8.0, -14.0]),
    st.sampled_from([72.0, 90.0, 300.0]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pages=st.lists(st.lists(_lines, max_size=12), min_size=1, max_size=3))
def test_no_page_loses_a_letter_but_furniture(book, pages) -> None:
    book.sheets.clear()
    for lines in pages:
        sheet = book.page()
        for text, size, bold, hyphen, gap, x in lines:
            sheet.line(text, size=size, bold=bold, hyphen=hyphen, gap=gap, x=x)
    document = book.parsed()
    found = find_headings(document)
    for laid, page in zip(rows_of(document), render_pages(document, found.headings).pages, strict=True):
        wanted = Counter(match_key(" ".join(row.text for row in laid.rows if not row.furniture)))
        assert not wanted - Counter(match_key(page.text))


@pytest.mark.parametrize("count", [400])
def test_a_page_of_tiny_pieces_is_written_in_time(book, count) -> None:
    page = book.page()
    for number in range(count * 20):
        page.line("x1", x=72.0 + number % 50, y=100.0 + number // 50)
    assert rendered(book).pages[0].text
