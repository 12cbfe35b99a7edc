"""A library of small papers in memory, for tests of everything that stands on ``agent.library.Library``.

It needs no files, no embedder and no index: search is plain word overlap. Use it to test an application's
prompts, tools or agent without building a corpus.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from vectree.agent.library import NO_FILTERS, LibraryStats
from vectree.document import (
    Box,
    DocumentStatus,
    Figure,
    Metadata,
    Node,
    Page,
    PageRange,
    Record,
    SectionTree,
    SummarySource,
    TextStatus,
)
from vectree.errors import InvalidArguments, UnknownDocument, UnknownFigure
from vectree.evidence import Filters, SearchHit, SearchResult, SectionHit
from vectree.normal import name_key
from vectree.tree.walk import walk, walk_paths
from vectree.words import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Everything a library knows of one document.

    Attributes:
        record: As in the catalogue.
        tree: Its section tree.
        pages: Its pages in order.
        figures: Its figures in page order.
        files: Name of a figure to its bytes.
    """

    record: Record
    tree: SectionTree
    pages: tuple[Page, ...]
    figures: tuple[Figure, ...] = ()
    files: dict[str, bytes] = field(default_factory=lambda: dict[str, bytes]())


class MemoryLibrary:
    """A ``Library`` made of papers in memory.

    Args:
        papers: The papers.
    """

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._papers = {paper.record.doc_id: paper for paper in papers}

    def stats(self) -> LibraryStats:
        """Describe the library.

        Returns:
            Its numbers.
        """
        metadata = [paper.record.metadata for paper in self._papers.values()]
        years = [entry.year for entry in metadata if entry.year is not None]
        return LibraryStats(
            documents=len(metadata),
            year_first=min(years, default=None),
            year_last=max(years, default=None),
            journals=len({entry.journal for entry in metadata if entry.journal}),
        )

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Rank papers by the number of query words that occur in them; ``"*"`` lists.

        Args:
            query: What is looked for.
            top_k: Number of results.
            offset: Number of results to skip.
            filters: Restrictions.

        Returns:
            One page of results.

        Raises:
            InvalidArguments: If the query is empty.
        """
        if not query.strip():
            raise InvalidArguments("The query is empty.", hint='Say what to look for, or "*" to list.')
        kept = [paper for paper in self._papers.values() if _passes(paper.record.metadata, filters)]
        listing = query.strip() == "*"
        ranked = sorted(kept, key=lambda paper: (-_overlap(query, _everything(paper)), paper.record.doc_id))
        found = kept if listing else [paper for paper in ranked if _overlap(query, _everything(paper))]
        return SearchResult(
            query=query,
            hits=tuple(self._hit(paper, query) for paper in found[offset : offset + top_k]),
            total_matches=len(found),
            total_documents=len(self._papers),
        )

    def record(self, doc_id: str) -> Record:
        """Look up a document.

        Args:
            doc_id: The document.

        Returns:
            Its record.
        """
        return self._paper(doc_id).record

    def tree(self, doc_id: str) -> SectionTree:
        """Open a section tree.

        Args:
            doc_id: The document.

        Returns:
            The tree.
        """
        return self._paper(doc_id).tree

    def pages(self, doc_id: str, numbers: Sequence[int]) -> tuple[Page, ...]:
        """Read pages.

        Args:
            doc_id: The document.
            numbers: Physical pages.

        Returns:
            The pages, in the order asked for.

        Raises:
            InvalidArguments: If a page does not exist.
        """
        pages = self._paper(doc_id).pages
        for number in numbers:
            if not 1 <= number <= len(pages):
                raise InvalidArguments(f"{doc_id} has no page {number}; it has {len(pages)} pages.")
        return tuple(pages[number - 1] for number in dict.fromkeys(numbers))

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Rank sections by the number of query words on their pages.

        Args:
            doc_id: The document.
            query: What is looked for.
            top_k: Number of sections.

        Returns:
            Sections, best first.

        Raises:
            InvalidArguments: If the query is empty.
        """
        if not query.strip():
            raise InvalidArguments("The query is empty.")
        paper = self._paper(doc_id)
        hits: list[SectionHit] = []
        for path in walk_paths(paper.tree):
            node = path[-1]
            by_page = {page: _overlap(query, paper.pages[page - 1].text) for page in node.pages}
            likely = sorted(
                (page for page in by_page if by_page[page]), key=lambda page: (-by_page[page], page)
            )
            score = float(max(by_page.values()) + _overlap(query, node.printed))
            if score:
                hits.append(
                    SectionHit(
                        node_id=node.id,
                        title=node.printed,
                        path=" > ".join(part.printed for part in path),
                        pages=node.covering,
                        similarity=None,
                        bm25=score,
                        likely_pages=tuple(likely[:3]),
                    )
                )
        return tuple(sorted(hits, key=lambda hit: (-hit.bm25, hit.node_id))[:top_k])

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List figures.

        Args:
            doc_id: The document.

        Returns:
            Figures in page order.
        """
        return self._paper(doc_id).figures

    def figure_bytes(self, doc_id: str, name: str) -> bytes:
        """Read a figure.

        Args:
            doc_id: The document.
            name: Its recorded name.

        Returns:
            The encoded image.

        Raises:
            UnknownFigure: If there is no such figure.
        """
        files = self._paper(doc_id).files
        if name not in files:
            raise UnknownFigure(f"Unknown image in {doc_id}.")
        return files[name]

    def _paper(self, doc_id: str) -> Paper:
        if doc_id not in self._papers:
            raise UnknownDocument("There is no such document.")
        return self._papers[doc_id]

    def _hit(self, paper: Paper, query: str) -> SearchHit:
        record = paper.record
        return SearchHit(
            doc_id=record.doc_id,
            title=record.metadata.title,
            authors=record.metadata.authors,
            journal=record.metadata.journal,
            year=record.metadata.year,
            total_pages=record.total_pages,
            description=record.metadata.description,
            related_documents=record.related,
            rrf=0.0,
            similarity=None,
            bm25=float(_overlap(query, _everything(paper))),
            best_entry="document",
            sections=() if query.strip() == "*" else self.within(record.doc_id, query, top_k=3),
        )


def make_paper(
    doc_id: str,
    *,
    title: str,
    pages: Sequence[str],
    sections: Sequence[tuple[str, int, int]] = (),
    authors: Sequence[str] = ("Ada Lovelace", "Charles Babbage"),
    year: int | None = 2024,
    journal: str | None = None,
    description: str = "",
    related: Sequence[str] = (),
    figures: Sequence[tuple[str, int, bytes]] = (),
    labels: Sequence[str] = (),
    status: Sequence[TextStatus] = (),
) -> Paper:
    """Make a paper from its pages.

    Args:
        doc_id: The document.
        title: Its title.
        pages: The text of each page.
        sections: Title, first and last page of each top-level section; ``"2.1 Results"`` keeps its number in
            the title. Without any, the whole document is one section.
        authors: Names.
        year: Year of publication.
        journal: Journal.
        description: One sentence.
        related: Related documents.
        figures: Name, page and bytes of each figure.
        labels: Printed page labels; empty for none.
        status: Text status of each page; empty for text everywhere.

    Returns:
        The paper.
    """
    spans = list(sections) or [(title, 1, len(pages))]
    nodes = tuple(
        Node(
            id=f"{number:04d}",
            number="",
            title=name,
            pages=PageRange(first=first, last=last),
            summary=pages[first - 1][:160],
            summary_source=SummarySource.TEXT,
        )
        for number, (name, first, last) in enumerate(spans, start=1)
    )
    names = {page: tuple(name for name, on, _ in figures if on == page) for _, page, _ in figures}
    return Paper(
        record=Record(
            doc_id=doc_id,
            sha256=hashlib.sha256("\f".join(pages).encode()).hexdigest(),
            sources=(f"{doc_id}.pdf",),
            total_pages=len(pages),
            status=DocumentStatus.OK,
            metadata=Metadata(
                title=title, authors=tuple(authors), year=year, journal=journal, description=description
            ),
            related=tuple(related),
        ),
        tree=SectionTree(total_pages=len(pages), nodes=nodes),
        pages=tuple(
            Page(
                number=number,
                raw=text,
                text=text,
                status=status[number - 1] if status else TextStatus.TEXT,
                label=labels[number - 1] if labels else None,
                figures=names.get(number, ()),
            )
            for number, text in enumerate(pages, start=1)
        ),
        figures=tuple(_figure(name, page, data) for name, page, data in figures),
        files={name: data for name, _, data in figures},
    )


def _figure(name: str, page: int, data: bytes) -> Figure:
    """A figure; its size is read from the file if it is a PNG."""
    png = data.startswith(b"\x89PNG") and len(data) >= 24
    width, height = struct.unpack(">II", data[16:24]) if png else (1, 1)
    box = Box(x0=72, y0=72, x1=272, y1=222)
    return Figure(name=name, page=page, box=box, kind="image", width=width, height=height)


def _overlap(query: str, text: str) -> int:
    return len(set(content_words(query)) & set(content_words(text)))


def _everything(paper: Paper) -> str:
    metadata = paper.record.metadata
    titles = " ".join(node.printed for node in walk(paper.tree))
    return " ".join([metadata.title, metadata.description, titles, *(page.text for page in paper.pages)])


def _passes(metadata: Metadata, filters: Filters) -> bool:
    year = metadata.year
    if filters.year_min is not None and (year is None or year < filters.year_min):
        return False
    if filters.year_max is not None and (year is None or year > filters.year_max):
        return False
    if filters.journal and name_key(filters.journal) not in name_key(metadata.journal or ""):
        return False
    return not filters.author or any(name_key(filters.author) in name_key(name) for name in metadata.authors)
