from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from vectree.document import TextStatus
from vectree.errors import ParseError
from vectree.ingest.parse import Bookmark, ParsedDocument, ParsedPage
from vectree.ingest.parsers.rescue import RescuingParser

TEXT, SCAN, GARBLED = TextStatus.TEXT, TextStatus.SCAN, TextStatus.GARBLED


def document(*statuses: TextStatus, parser: str = "first", pages: int | None = None) -> ParsedDocument:
    return ParsedDocument(
        pages=tuple(
            ParsedPage(number=n, width=1, height=1, raw="", status=status)
            for n, status in enumerate(statuses, 1)
        )[:pages],
        bookmarks=(Bookmark(title="A", page=1, level=1),) if parser == "first" else (),
        info={"title": "T"} if parser == "first" else {},
        parser=parser,
    )


@dataclass
class Fixed:
    result: ParsedDocument | Exception
    leaves: str = ""
    calls: list[str] = field(default_factory=list)

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        self.calls.append(path.name)
        if self.leaves:
            (figures / self.leaves).write_text(self.leaves)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def read(tmp_path: Path, first: ParsedDocument, second: Fixed, *, installed: bool = True) -> ParsedDocument:
    (tmp_path / "figures").mkdir()
    parser = RescuingParser(
        Fixed(first, leaves="first.png"), rescuer=lambda _: second, available=lambda: installed
    )
    return parser.parse(tmp_path / "a.pdf", figures=tmp_path / "figures")


def figures(tmp_path: Path) -> list[str]:
    assert [path.name for path in tmp_path.iterdir()] == ["figures"]
    return [path.name for path in (tmp_path / "figures").iterdir()]


def test_a_document_with_text_is_read_once(tmp_path: Path) -> None:
    second = Fixed(document(parser="second"))
    assert read(tmp_path, document(TEXT, TEXT, TEXT, TEXT, SCAN), second).parser == "first"
    assert second.calls == []


def test_many_scanned_or_garbled_pages_are_read_again_with_the_figures_of_that_reading(
    tmp_path: Path,
) -> None:
    second = Fixed(document(TEXT, TEXT, TEXT, TEXT, parser="second"), leaves="second.jpg")
    found = read(tmp_path, document(TEXT, TEXT, SCAN, GARBLED), second)
    assert (found.parser, found.bookmarks[0].title, found.info) == ("second", "A", {"title": "T"})
    assert "2 pages are scanned or garbled" in found.warnings[-1]
    assert figures(tmp_path) == ["second.jpg"]


def test_without_marker_the_pages_stay_and_a_warning_says_what_would_help(tmp_path: Path) -> None:
    found = read(tmp_path, document(SCAN, SCAN), Fixed(document()), installed=False)
    assert found.parser == "first"
    assert 'pip install "vectree-core[marker]"' in found.warnings[0]
    assert figures(tmp_path) == ["first.png"]


def test_a_reading_that_fails_or_loses_pages_is_not_used(tmp_path: Path) -> None:
    found = read(tmp_path, document(SCAN, SCAN), Fixed(ParseError("no weights"), leaves="half.jpg"))
    assert found.parser == "first"
    assert "no weights" in found.warnings[0]
    assert figures(tmp_path) == ["first.png"]


def test_c01_a_reading_with_another_number_of_pages_is_not_used(tmp_path: Path) -> None:
    found = read(tmp_path, document(SCAN, SCAN), Fixed(document(TEXT, parser="second")))
    assert (found.parser, len(found.pages)) == ("first", 2)
    assert "another number of pages" in found.warnings[0]
