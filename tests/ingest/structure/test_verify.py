from __future__ import annotations

import pytest

from vectree.document import Heading, HeadingSource, Match, TextStatus
from vectree.ingest.layout.body import measure_body
from vectree.ingest.parse import ParsedDocument, ParsedPage, Run
from vectree.ingest.rows import rows_of
from vectree.ingest.verify import Verifier, paper_rule


def verifier(document) -> Verifier:
    rows = rows_of(document)
    return Verifier(rows, measure_body(rows))


def claim(title: str, page: int) -> Heading:
    return Heading(number="", title=title, page=page, level=1, source=HeadingSource.MODEL)


@pytest.fixture
def wrapped(book):
    """Field case C03: a title broken by a ligature, a hyphen and a line end."""
    for _ in range(3):
        book.page().prose(4)
    page = book.page().prose()
    page.heading("2 Scienti\ufb01c Work", size=14, hyphen=True)
    page.line("\ufb02ow Design", size=14, bold=True)
    page.prose(3)
    return book.parsed()


@pytest.mark.parametrize("title", ["Scientific Workflow Design", "**Scientific\u00a0Workflow** Design"])
def test_c03_a_broken_title_is_found_at_its_place(wrapped, title) -> None:
    verdict = verifier(wrapped).check(title, 4)
    assert (verdict.match, verdict.page) == (Match.HEADING_LINE, 4)
    assert (verdict.site.first, verdict.site.last - verdict.site.first) == (verdict.site.first, 1)


def test_c03_its_negative_twin_is_not(wrapped) -> None:
    assert verifier(wrapped).check("Scientific Workflow Results", 4).match is Match.NONE


def test_c03_letters_that_are_gone_leave_the_title_unverified(book) -> None:
    book.page().heading("2 Scienti\x00c Work", size=14).prose(3)
    assert verifier(book.parsed()).check("Scientific Work", 1).match is Match.NONE


def test_c03_the_paper_rule_fails_where_the_letters_differ(wrapped) -> None:
    assert not paper_rule(claim("Scientific Workflow Design", 4), wrapped.pages)


@pytest.fixture
def repeated(book):
    """Field case C04: the title as running head, contents entry and word of a sentence before its section."""
    contents = book.page()
    for entry in (
        "Introduction ........ 2",
        "Methods .......... 4",
        "Results ......... 7",
        "Summary ...... 12",
    ):
        contents.line(entry)
    for number in range(2, 13):
        page = book.page()
        if number % 2 == 0:
            page.running("Results")
        if number == 3:
            page.prose(text="The results of the first run agree with the results of others. ")
        if number == 7:
            page.prose(2).heading("Results", size=13)
        page.prose(4)
    return book.parsed()


def test_c04_furniture_and_contents_entries_are_no_match(repeated) -> None:
    found = verifier(repeated)
    assert found.check("Results", 1).match is Match.NONE
    assert found.check("Results", 11).match is Match.NONE


def test_c04_a_sentence_is_a_substring_only(repeated) -> None:
    verdict = verifier(repeated).check("Results", 2)
    assert (verdict.match, verdict.page) == (Match.SUBSTRING, 3)


def test_c04_the_heading_line_is_found_from_a_neighbouring_page(repeated) -> None:
    for page in (6, 7, 8):
        verdict = verifier(repeated).check("Results", page)
        assert (verdict.match, verdict.page) == (Match.HEADING_LINE, 7)


def test_c04_the_paper_rule_accepts_the_wrong_pages(repeated) -> None:
    assert paper_rule(claim("Results", 1), repeated.pages)
    assert paper_rule(claim("Results", 11), repeated.pages)


def test_the_claimed_page_wins_over_its_neighbours(book) -> None:
    for _ in range(3):
        book.page().prose().heading("Methods", size=13).prose(2)
    assert [verifier(book.parsed()).check("Methods", page).page for page in (1, 2, 3)] == [1, 2, 3]


def test_the_last_words_of_a_paragraph_are_no_heading(book) -> None:
    page = book.page()
    page.line("This long line of running text ends in the middle of a sentence, and the next has only")
    page.line("Results")
    page.prose(3)
    assert verifier(book.parsed()).check("Results", 1).match is Match.SUBSTRING


def test_a_cell_of_a_table_is_no_heading(book) -> None:
    page = book.page().prose(3)
    for cell, x in (("Results", 72.0), ("Controls", 200.0), ("Patients", 330.0)):
        page.line(cell, bold=True, x=x, y=300.0)
    assert verifier(book.parsed()).check("Results", 1).match is Match.SUBSTRING


def test_words_that_open_a_paragraph_in_their_own_look_are_a_heading(book) -> None:
    book.page().prose().lead("Cell culture.").prose(2)
    verdict = verifier(book.parsed()).check("Cell culture", 1)
    assert verdict.match is Match.HEADING_LINE
    assert verdict.site.run_in


def test_words_that_open_a_paragraph_in_plain_type_are_not(book) -> None:
    book.page().prose().line("Cell culture. Cells were grown as described before.").prose(2)
    assert verifier(book.parsed()).check("Cell culture", 1).match is Match.SUBSTRING


def test_a_label_on_its_own_line_belongs_to_the_heading(book) -> None:
    page = book.page()
    page.heading("Chapitre 3", size=17).heading("Assembleur", size=24).prose(3)
    site = verifier(book.parsed()).check("Assembleur", 1).site
    assert (site.first, site.last) == (0, 1)


def test_a_number_set_apart_belongs_to_the_heading(book) -> None:
    page = book.page().prose()
    at = page.y + 12
    page.line("4.2", bold=True, size=12, y=at).line("Error analysis", bold=True, size=12, x=110.0, y=at)
    page.y = at + 14
    page.prose(2)
    site = verifier(book.parsed()).check("Error analysis", 1).site
    assert site.last - site.first == 1


def test_headings_of_markdown_pages_are_found(markdown) -> None:
    document = markdown(["# Study\n\nText of results.\n\n## **Results** ##\n\nMore."])
    verdict = verifier(document).check("Results", 1)
    assert verdict.match is Match.HEADING_LINE


def test_hostile_rows_cost_little(book) -> None:
    page = book.page()
    for _ in range(20_000):
        page.line("a", run=Run(text="a", size=10.0, bold=True, italic=False, font="X"))
    assert verifier(book.parsed()).check("a" * 290, 1).site is not None or True


def test_a_title_that_stands_on_every_line_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    markdown = "\n".join(["# Same"] * 400)
    page = ParsedPage(
        number=1, width=0.0, height=0.0, raw=markdown, status=TextStatus.TEXT, markdown=markdown
    )
    looking = verifier(ParsedDocument(pages=(page,)))
    grown: list[str] = []
    grow = Verifier._grow
    monkeypatch.setattr(
        Verifier,
        "_grow",
        lambda self, title, *places, **named: grown.append(title) or grow(self, title, *places, **named),
    )
    for _ in range(5):
        assert len(looking.sites("Same")) == 400
    assert len(grown) == 400
