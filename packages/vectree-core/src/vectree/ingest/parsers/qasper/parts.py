"""The papers of a QASPER file as documents: one synthetic page a paragraph, the supplied section structure.

Pages are those of `QasperPaper`, so that evidence found by page here and gold evidence mapped there are the
same numbers. The abstract is metadata. A heading stands on the page of the first paragraph below it; so do
parents that QASPER names only in the paths of their children, which thereby become sections.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vectree.document import Heading, HeadingSource, TextStatus
from vectree.ingest.parse import ParsedDocument, ParsedPage
from vectree.ingest.parsers.markdown.blocks import heading_line
from vectree.ingest.parsers.part import BrokenPart
from vectree.ingest.parsers.qasper.file import read_papers
from vectree.ingest.parsers.qasper.paper import QasperPaper, QasperSection
from vectree.normal import match_key, one_line

_MAX_KEY = 120
_DEEPEST_MARK = 6
_ARXIV = re.compile(r"(?:arxiv:)?(\d\d)(0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_MARK = re.compile(r"^( {0,3})(?=#)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class QasperPart:
    """One paper of a file; implements ``ingest.parsers.parts.Part``.

    Attributes:
        key: Its id, on one line.
        paper: The paper.
    """

    key: str
    paper: QasperPaper

    @property
    def sha256(self) -> str:
        """Hash of title, abstract, section names and paragraphs; questions do not change it."""
        paper = self.paper
        sections = [[list(section.path), list(section.paragraphs)] for section in paper.sections]
        text = json.dumps(["qasper", paper.title, paper.abstract, sections], ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def parser(self) -> QasperParser:
        """Makes a document of the paper."""
        return QasperParser(self.paper)


class QasperParser:
    """Lays one paper out; implements ``ingest.parse.Parser``.

    Args:
        paper: The paper.
    """

    name = "qasper"

    def __init__(self, paper: QasperPaper) -> None:
        self._paper = paper

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Give the paper as a document.

        Args:
            path: Not used; the paper was read with its file.
            figures: Not used; QASPER has none.
            password: Not used.

        Returns:
            One page a paragraph, the section titles as claims.
        """
        return qasper_document(self._paper)


def qasper_parts(path: Path) -> Iterator[QasperPart | BrokenPart]:
    """Take a QASPER file apart.

    Args:
        path: The file.

    Yields:
        QasperPart | BrokenPart: Its papers in order.
    """
    seen: set[str] = set()
    for given, paper in read_papers(path):
        key = one_line(given)[:_MAX_KEY]
        if key in seen:
            yield BrokenPart(key=key, reason="The file holds another paper of this id before it.")
        elif paper is None:
            yield BrokenPart(key=key, reason="It does not have the form of a QASPER paper.")
        elif not paper.pages:
            yield BrokenPart(key=key, reason="It has no text at all.")
        else:
            yield QasperPart(key=key, paper=paper)
        seen.add(key)


def qasper_document(paper: QasperPaper) -> ParsedDocument:
    """Lay a paper out in pages.

    Args:
        paper: A paper with at least one page.

    Returns:
        Its pages and headings.
    """
    above = _headings_above(paper)
    pages: list[ParsedPage] = []
    headings: list[Heading] = []
    for page in paper.pages:
        before, after = above.get(page.number, ([], []))
        parts = (
            [heading_line(1, one_line(paper.title))] if page.number == 1 and match_key(paper.title) else []
        )
        parts += [_marked(section) for section in before]
        parts += [_MARK.sub(r"\1\\", page.text.strip())]
        parts += [_marked(section) for section in after]
        pages.append(
            ParsedPage(
                number=page.number,
                width=0.0,
                height=0.0,
                raw=page.text,
                status=TextStatus.TEXT,
                markdown="\n\n".join(parts),
            )
        )
        headings += [_heading(section, page.number) for section in (*before, *after)]
    return ParsedDocument(
        pages=tuple(pages), headings=tuple(headings), info=_info(paper), parser=QasperParser.name
    )


def _headings_above(paper: QasperPaper) -> dict[int, tuple[list[QasperSection], list[QasperSection]]]:
    """Sections whose title stands on each page, above and below its paragraph."""
    titled = [bool(section.path) and bool(match_key(section.path[-1])) for section in paper.sections]
    found: dict[int, tuple[list[QasperSection], list[QasperSection]]] = {}
    following = 0
    for page in paper.pages:
        before = [
            section
            for at, section in enumerate(paper.sections)
            if following <= at <= page.section and titled[at]
        ]
        found[page.number] = (before, [])
        following = max(following, page.section + 1)
    rest = [section for at, section in enumerate(paper.sections) if at >= following and titled[at]]
    found[len(paper.pages)][1].extend(rest)
    return found


def _marked(section: QasperSection) -> str:
    return heading_line(min(len(section.path) + 1, _DEEPEST_MARK), one_line(section.path[-1]))


def _heading(section: QasperSection, page: int) -> Heading:
    return Heading(
        number="",
        title=one_line(section.path[-1]),
        page=page,
        level=len(section.path),
        source=HeadingSource.PARSER,
    )


def _info(paper: QasperPaper) -> dict[str, str]:
    arxiv = _ARXIV.fullmatch(paper.id)
    fields = {
        "title": one_line(paper.title),
        "abstract": one_line(paper.abstract),
        "date": f"20{arxiv[1]}-{arxiv[2]}" if arxiv else "",
    }
    return {name: value for name, value in fields.items() if value}
