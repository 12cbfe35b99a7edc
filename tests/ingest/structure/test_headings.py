from __future__ import annotations

from vectree.document import Heading, HeadingSource, Match
from vectree.ingest.headings import find_headings
from vectree.ingest.parse import ParsedDocument


def outline(document, **options) -> list[tuple[int, str, int]]:
    return [(h.level, h.printed, h.page) for h in find_headings(document, **options).headings]


def test_a_numbered_two_column_paper(book) -> None:
    page = book.page()
    page.line("A remarkable drift of ageing sensors", size=20.0).line("A. Author, B. Author", gap=8)
    page.heading("Abstract", gap=20).prose(3)
    top = page.y + 20
    page.columns(0, top=top).heading("1 Introduction", size=12).prose(3)
    page.columns(1, top=top).heading("2 Methods", size=12).heading("2.1 Samples", size=10, gap=2).prose(3)
    page = book.page()
    page.columns(0).prose().heading("2.2 Instruments").prose(3)
    page.columns(1).heading("3 Results", size=12).prose(2).heading("References", size=12)
    for number in range(1, 6):
        page.line(f"[{number}] A. Author, Some journal {number}, 12-19 (2019).", size=8.0)
    assert outline(book.parsed()) == [
        (1, "Abstract", 1),
        (1, "1 Introduction", 1),
        (1, "2 Methods", 1),
        (2, "2.1 Samples", 1),
        (2, "2.2 Instruments", 2),
        (1, "3 Results", 2),
        (1, "References", 2),
    ]


def test_roman_numerals_with_letters_and_appendix(book) -> None:
    page = book.page()
    for text in (
        "I. INTRODUCTION",
        "II. METHODS",
        "A. Samples",
        "B. Optics",
        "III. RESULTS",
        "A. Drift",
        "B. Noise",
    ):
        page.heading(text, bold=text.isupper(), italic=not text.isupper()).prose(2)
    page.heading("APPENDIX A: PROOFS").prose(2)
    assert outline(book.parsed()) == [
        (1, "I INTRODUCTION", 1),
        (1, "II METHODS", 1),
        (2, "A Samples", 1),
        (2, "B Optics", 1),
        (1, "III RESULTS", 1),
        (2, "A Drift", 1),
        (2, "B Noise", 1),
        (1, "A PROOFS", 1),
    ]


def test_an_unnumbered_journal_with_leads(book) -> None:
    page = book.page().heading("Results", size=13).prose(2)
    page.heading("Methods", size=13)
    for title in ("Cell culture.", "Flow cytometry.", "Statistics.", "Imaging."):
        page.lead(title)
    page.heading("References", size=13).line("1. Author, A. A title. J. 12, 3–9 (2019).", size=8.0)
    assert outline(book.parsed()) == [
        (1, "Results", 1),
        (1, "Methods", 1),
        (2, "Cell culture", 1),
        (2, "Flow cytometry", 1),
        (2, "Statistics", 1),
        (2, "Imaging", 1),
        (1, "References", 1),
    ]


def test_one_bold_word_is_no_system(book) -> None:
    page = book.page().heading("Results", size=13).prose(2)
    page.lead("Remarkably.").prose(3)
    assert outline(book.parsed()) == [(1, "Results", 1)]


def test_a_structured_abstract_is_divided(book) -> None:
    page = book.page().heading("Abstract", size=12)
    for part in ("Background: ", "Methods: ", "Results: ", "Conclusions: "):
        page.prose(
            text=part + "The samples were annealed at the stated temperature before each run of the day. "
        )
    page.heading("1 Introduction", size=12).prose(3).heading("2 Methods", size=12).prose(3)
    found = outline(book.parsed())
    assert found[:5] == [
        (1, "Abstract", 1),
        (2, "Background", 1),
        (2, "Methods", 1),
        (2, "Results", 1),
        (2, "Conclusions", 1),
    ]


def test_an_abstract_that_opens_its_paragraph_is_a_real_heading(book) -> None:
    page = book.page().line("A remarkable drift of sensors", size=18.0)
    page.prose(3, text="Abstract—The samples were annealed at the stated temperature before each run. ")
    page.heading("I. INTRODUCTION").prose(3).heading("II. METHODS").prose(3)
    first = find_headings(book.parsed()).headings[0]
    assert (first.title, first.source, first.match) == ("Abstract", HeadingSource.LAYOUT, Match.HEADING_LINE)


def test_an_abstract_without_a_heading_gets_one(book) -> None:
    page = book.page().line("A remarkable drift of sensors", size=18.0).line("A. Author and B. Author", gap=6)
    page.y += 20
    page.prose(3, size=9.0)
    page.heading("1 Introduction", size=12).prose(3).heading("2 Methods", size=12).prose(3)
    first = find_headings(book.parsed()).headings[0]
    assert (first.title, first.page, first.source) == ("Abstract", 1, HeadingSource.SYNTHETIC)


def test_front_matter_without_prose_gets_no_abstract(book) -> None:
    page = book.page().line("A remarkable drift of sensors", size=18.0)
    for _ in range(6):
        page.line("1 Department of Things, University of Somewhere, one@example.org", size=8.0)
    page.heading("1 Introduction", size=12).prose(3).heading("2 Methods", size=12).prose(3)
    assert [h.source for h in find_headings(book.parsed()).headings] == [HeadingSource.LAYOUT] * 2


def test_captions_tables_theorems_and_references_are_no_sections(book) -> None:
    page = book.page().heading("1 Introduction", size=12).prose(2)
    page.line("Table 1. Values of the first run", bold=True, gap=10)
    for y in (0, 12, 24):
        at = page.y + 12 + y
        for cell, x in (("Sensor", 72.0), ("Mean value", 200.0), ("Error", 330.0)):
            page.line(cell, bold=y == 0, x=x, y=at)
    page.y += 60
    page.line("Theorem 1.", bold=True, gap=10).prose(1)
    page.heading("2 Results", size=12).prose(2).heading("References", size=12)
    for number in range(1, 9):
        page.line(f"{number}. Author, A. Journal of things. 12, 3–9 (2019).", italic=number % 2 == 0)
    assert [title for _, title, _ in outline(book.parsed())] == ["1 Introduction", "2 Results", "References"]


def test_a_thesis_by_parts_chapters_and_contents(book) -> None:
    page = book.page()
    page.line("Uma tese sobre sensores", size=26.0)
    contents = book.page().heading("Sumário", size=18)
    for entry in ("1 Fundamentos", "1.1 Medidas", "1.2 Ruído", "2 Ensaios", "2.1 Montagem", "Bibliografia"):
        contents.line(f"{entry} .............. 3")
    for chapter, name, sections in ((1, "Fundamentos", ("Medidas", "Ruído")), (2, "Ensaios", ("Montagem",))):
        page = book.page()
        page.heading(f"Capítulo {chapter}", size=17, bold=False).heading(name, size=24, bold=False).prose(2)
        for number, section in enumerate(sections, start=1):
            page.heading(f"{chapter}.{number} {section}", size=14, bold=False).prose(2)
    book.page().heading("Bibliografia", size=24, bold=False).line("[1] Autor. Um livro. 2010.")
    assert outline(book.parsed()) == [
        (1, "1 Fundamentos", 3),
        (2, "1.1 Medidas", 3),
        (2, "1.2 Ruído", 3),
        (1, "2 Ensaios", 4),
        (2, "2.1 Montagem", 4),
        (1, "Bibliografia", 5),
    ]


def test_a_chinese_paper(book) -> None:
    text = "我们在每次运行之前将样品在规定温度下退火，并对信号进行平均。" * 6
    page = book.page()
    for title in ("摘要", "1 引言", "2 方法", "2.1 样品", "3 结果", "参考文献"):
        page.heading(title, size=12)
        for start in range(0, len(text), 40):
            page.line(text[start : start + 40])
    assert [title for _, title, _ in outline(book.parsed())] == [
        "摘要",
        "1 引言",
        "2 方法",
        "2.1 样品",
        "3 结果",
        "参考文献",
    ]


def test_c06_the_same_title_at_several_places(book) -> None:
    for study in ("Study 1", "Study 2"):
        page = book.page().heading(study, size=14).prose()
        page.heading("Methods", size=12).prose(2).heading("Results", size=12).prose(2)
    book.page().heading("Methods", size=14).prose(3)
    assert outline(book.parsed()) == [
        (1, "Study 1", 1),
        (2, "Methods", 1),
        (2, "Results", 1),
        (1, "Study 2", 2),
        (2, "Methods", 2),
        (2, "Results", 2),
        (1, "Methods", 3),
    ]


def test_c04_a_wrong_claim_is_repaired(book) -> None:
    contents = book.page()
    for entry in ("Introduction ........ 2", "Methods .......... 4", "Results ......... 7"):
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
    for claimed in (2, 1):
        book.bookmarks.clear()
        book.mark("Results", claimed)
        found = find_headings(book.parsed())
        assert [(h.title, h.page) for h in found.headings] == [("Results", 7)]
        assert found.dropped == ()


def test_bookmarks_and_layout_are_merged(book) -> None:
    page = book.page().heading("1 Introduction", size=13).prose(2).heading("2 Methods", size=13).prose(2)
    for title in ("2.1 Samples", "2.2 Optics"):
        page.heading(title, size=11).prose(2)
    book.mark("Introduction", 1).mark("Methods", 1).mark("Figure 1", 1).mark("No such section", 1)
    found = find_headings(book.parsed())
    assert [(h.level, h.printed, h.source) for h in found.headings] == [
        (1, "1 Introduction", HeadingSource.BOOKMARK),
        (1, "2 Methods", HeadingSource.BOOKMARK),
        (2, "2.1 Samples", HeadingSource.LAYOUT),
        (2, "2.2 Optics", HeadingSource.LAYOUT),
    ]
    assert [h.title for h in found.dropped] == ["No such section"]
    assert (found.claimed, found.verified_rate) == (5, 0.8)
    assert found.sources == {"bookmark": 2, "layout": 2}


def test_bookmarks_can_be_left_aside(book) -> None:
    book.page().heading("Anything unusual").prose(1)
    book.page().prose(4)
    book.mark("Anything unusual", 1)
    assert find_headings(book.parsed(), use_bookmarks=False).sources.get("bookmark") is None
    assert find_headings(book.parsed()).sources["bookmark"] == 1


def test_bookmarks_without_pages_are_placed_by_their_text(book) -> None:
    for title in ("First finding", "Second finding", "Third finding"):
        book.page().prose().heading(title, size=11, bold=False, italic=True).prose(2)
        book.mark(title, None)
    assert [(h.title, h.page) for h in find_headings(book.parsed()).headings] == [
        ("First finding", 1),
        ("Second finding", 2),
        ("Third finding", 3),
    ]


def test_the_papers_rate_is_taken_where_the_source_points_and_where_the_title_was_found(book) -> None:
    for title in ("First finding", "Second finding", "Third finding", "Fourth finding"):
        book.page().prose().heading(title, size=11, bold=False, italic=True).prose(2)
    for title, page in (("First finding", 1), ("Second finding", 2), ("Third finding", 1), ("Gone", 2)):
        book.mark(title, page)
    found = find_headings(book.parsed())
    assert [(h.title, h.page) for h in found.headings][:3] == [
        ("First finding", 1),
        ("Second finding", 2),
        ("Third finding", 3),
    ]
    assert [h.title for h in found.dropped] == ["Gone"]
    assert found.paper_rate_before == (found.claimed - 2) / found.claimed
    assert found.paper_rate == found.verified_rate == (found.claimed - 1) / found.claimed
    assert found.verified_rate_before == found.verified_rate  # no model was needed


def test_a_reference_that_ends_a_paragraph_is_no_label_of_the_heading_below(book) -> None:
    page = book.page().heading("1 Introduction", size=13).prose(2).heading("2 Results", size=13).prose(1)
    page.heading("2.1 Open setting", size=11).prose(2).line(
        "Further examples can be found in the last part of"
    ).line("Appendix C.")
    page.heading("2.2 Closed setting", size=11).prose(2).heading("3 Conclusion", size=13).prose(2)
    assert [printed for _, printed, _ in outline(book.parsed())] == [
        "1 Introduction", "2 Results", "2.1 Open setting", "2.2 Closed setting", "3 Conclusion",
    ]  # fmt: skip


def test_a_chapter_label_keeps_its_title_below(book) -> None:
    for number, title in (("1", "Origins"), ("2", "Consequences"), ("3", "Outlook")):
        book.page().heading(f"Chapter {number}", size=16).heading(title, size=20).prose(4)
    assert [printed for _, printed, _ in outline(book.parsed())] == [
        "1 Origins", "2 Consequences", "3 Outlook",
    ]  # fmt: skip


def test_samples_in_a_plain_typewriter_face_are_no_headings(book) -> None:
    for number, title in enumerate(("Introduction", "Prompts", "Conclusion"), 1):
        page = book.page().heading(f"{number} {title}", size=13).prose(2)
        for text in ("QUESTION and its answer", "EVIDENCE for the claim"):
            page.line(text, font="Inconsolatazi4-Regular", gap=8.0).prose(1)
    assert [printed for _, printed, _ in outline(book.parsed())] == [
        "1 Introduction", "2 Prompts", "3 Conclusion",
    ]  # fmt: skip


def test_a_document_without_headings_has_none(book) -> None:
    for _ in range(3):
        book.page().prose(5)
    found = find_headings(book.parsed())
    assert (found.headings, found.dropped, found.claimed, found.verified_rate) == ((), (), 0, None)


def test_blank_and_empty_documents_are_no_trouble(book) -> None:
    assert find_headings(ParsedDocument(pages=())).headings == ()
    book.page()
    book.page().heading("1 Introduction", size=13).prose(2)
    book.page()
    book.page().heading("2 Results", size=13).prose(2)
    assert outline(book.parsed()) == [(1, "1 Introduction", 2), (1, "2 Results", 4)]


def test_the_last_heading_may_stand_in_the_first_half(book) -> None:
    for title in ("Introduction", "Results"):
        book.page().heading(title, size=13).prose(3)
    for _ in range(8):
        book.page().prose(4)
    assert [page for *_, page in outline(book.parsed())] == [1, 2]


def test_headings_of_a_parser_are_verified_too(markdown) -> None:
    document = markdown(["# A title\n\n## Methods\n\nText.", "Continued.\n\n## Results\n\nMore."])
    claims = tuple(
        Heading(number="", title=title, page=page, level=2, source=HeadingSource.PARSER)
        for title, page in (("Methods", 1), ("Results", 1), ("Nowhere", 2))
    )
    document = ParsedDocument(pages=document.pages, headings=claims)
    found = find_headings(document)
    assert [(h.title, h.page, h.match) for h in found.headings] == [
        ("Methods", 1, Match.HEADING_LINE),
        ("Results", 2, Match.HEADING_LINE),
    ]
    assert [h.title for h in found.dropped] == ["Nowhere"]


def test_finding_headings_is_repeatable(book) -> None:
    page = book.page()
    for title in ("1 Introduction", "2 Methods", "2.1 Samples", "3 Results"):
        page.heading(title, size=12).prose(2)
    assert find_headings(book.parsed()) == find_headings(book.parsed())


def test_a_list_of_numbered_items_is_no_outline(book) -> None:
    page = book.page().heading("Methods", size=13).prose(2)
    for number in range(1, 7):
        page.line(f"{number}. Open the valve and wait for some minutes", gap=6)
    page.prose(2).heading("Results", size=13).prose(2)
    assert [title for _, title, _ in outline(book.parsed())] == ["Methods", "Results"]


def test_numbered_headings_in_body_type_are_found(book) -> None:
    page = book.page().heading("1 Introduction", size=13).prose(2)
    for title in ("1.1 Aims of the study", "1.2 Scope of the study"):
        page.line(title, gap=8).prose(2)
    page.heading("2 Results", size=13).prose(2)
    assert [(level, title) for level, title, _ in outline(book.parsed())] == [
        (1, "1 Introduction"),
        (2, "1.1 Aims of the study"),
        (2, "1.2 Scope of the study"),
        (1, "2 Results"),
    ]


def test_a_manuscript_with_leads_ended_by_dashes(book) -> None:
    page = book.page().heading("Methods", size=13)
    for title in ("Cell culture—", "Flow cytometry—", "Statistics—"):
        page.lead(title)
    assert [title for _, title, _ in outline(book.parsed())] == [
        "Methods",
        "Cell culture",
        "Flow cytometry",
        "Statistics",
    ]


def test_fields_of_a_list_are_no_leads(book) -> None:
    page = book.page().heading("Availability", size=13).prose(2)
    for title in ("Name:", "Licence:", "Publisher:", "Version:"):
        page.lead(title, text="A short value")
    assert [title for _, title, _ in outline(book.parsed())] == ["Availability"]


def test_a_lone_appendix_is_numbered_and_stands_beside_the_sections(book) -> None:
    page = book.page()
    for title in ("1 Introduction", "1.1 Aims", "2 Results"):
        page.heading(title, size=12).prose(2)
    page.heading("Appendix A: Proofs", size=12).prose(2)
    assert [(level, title) for level, title, _ in outline(book.parsed())][-1] == (1, "A Proofs")


def test_a_bare_label_is_its_own_title(book) -> None:
    page = book.page()
    for title in ("1 Introduction", "2 Results", "Appendix A"):
        page.heading(title, size=12).prose(2)
    assert outline(book.parsed())[-1] == (1, "Appendix A", 1)


def test_answers_of_a_form_are_no_sections(book) -> None:
    page = book.page().heading("1 Introduction", size=12).prose(2).heading("2 Results", size=12).prose(2)
    for question in range(4):
        page.prose(
            text=f"Question {question} asks whether the licence of the data was discussed in the paper. "
        )
        page.heading("Not applicable")
    assert [title for _, title, _ in outline(book.parsed())] == ["1 Introduction", "2 Results"]
