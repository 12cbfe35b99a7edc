"""A document with the tree that PageIndex made of it: nothing is asked of a model, nothing is paid twice.

The tree is kept as it is, with its summaries. Its titles are verified like any others; a section whose title
stands nowhere near its page, or is one of those PageIndex makes up, is marked as synthetic, since the authors
did not write it. Ranges are computed anew, because the meaning of its ends has changed between versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vectree.document import (
    Heading,
    HeadingSource,
    Match,
    Metadata,
    Node,
    Page,
    SectionTree,
    SummarySource,
    TextStatus,
)
from vectree.ingest.bibliography import FILE_NAME, find_bibliography
from vectree.ingest.describe import describe
from vectree.ingest.headings import FoundHeadings
from vectree.ingest.layout.body import measure_body
from vectree.ingest.numbering import split_numbers
from vectree.ingest.page_text import RenderedPages, render_pages
from vectree.ingest.pageindex.reading import PageIndexTree
from vectree.ingest.parse import ParsedDocument, ParsedPage, Parser
from vectree.ingest.parsers.markdown.blocks import heading_line
from vectree.ingest.pipeline import Ingested, IngestSettings
from vectree.ingest.report import Stopwatch, build_report, text_status
from vectree.ingest.rows import rows_of
from vectree.ingest.summarize import summarize_tree
from vectree.ingest.supplements import is_supplement
from vectree.ingest.verify import Site, Verifier, paper_rule
from vectree.normal import match_key
from vectree.tree.build import FRONT_MATTER
from vectree.tree.flat import assemble, from_heading
from vectree.tree.slices import section_texts
from vectree.tree.walk import map_nodes

PAGEINDEX = "pageindex"
"""Where a description came from that PageIndex wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """An entry of the tree with its place."""

    heading: Heading
    depth: int
    synthetic: bool
    summary: str
    site: Site | None


class StoredPagesParser:
    """Gives the page texts of a PageIndex store as a document; implements ``ingest.parse.Parser``.

    Args:
        tree: A document with pages.
    """

    name = "pageindex"

    def __init__(self, tree: PageIndexTree) -> None:
        self._tree = tree

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Give the pages.

        Args:
            path: Not used; the pages were read with the tree.
            figures: Not used; a store holds none.
            password: Not used.

        Returns:
            One page for each that the store has.
        """
        pages = tuple(
            ParsedPage(
                number=number,
                width=0.0,
                height=0.0,
                raw=text,
                status=TextStatus.TEXT if any(map(str.isalnum, text)) else TextStatus.BLANK,
                markdown=text,
            )
            for number, text in enumerate(self._tree.pages, 1)
        )
        return ParsedDocument(pages=pages, info={"title": self._tree.title}, parser=self.name)


def ingest_tree(
    path: Path,
    *,
    tree: PageIndexTree,
    parser: Parser,
    figures: Path,
    settings: IngestSettings | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> Ingested:
    """Read a document whose sections PageIndex has found.

    Args:
        path: The document's source.
        tree: What PageIndex made of it.
        parser: Reads the source.
        figures: An existing empty folder that receives figure files.
        settings: Of these, only the password counts.
        on_stage: Called with the name of each stage when it begins.

    Returns:
        The document, its sections those of the tree.
    """
    watch = Stopwatch(on_stage)
    with watch.stage("parse"):
        password = settings.password if settings is not None else None
        document = parser.parse(path, figures=figures, password=password)
    with watch.stage("headings"):
        sections = _place(document, tree)
        document = _with_marks(document, sections)
    with watch.stage("pages"):
        real = [section.heading for section in sections if not section.synthetic]
        rendered = render_pages(document, real)
    with watch.stage("tree"):
        built = _build(sections, rendered)
    with watch.stage("summaries"):
        built = _summarize(built, sections, rendered.pages)
    with watch.stage("metadata"):
        metadata = _metadata(document, tree, path.name, built, rendered.pages)
    status, text_warnings = text_status(rendered.pages)
    warnings = (*document.warnings, *text_warnings, *_warnings(sections))
    return Ingested(
        pages=rendered.pages,
        tree=built,
        metadata=metadata,
        figures=document.figures,
        status=status,
        warnings=warnings,
        report=build_report(
            document=document,
            found=_found(document, sections),
            tree=built,
            pages=rendered.pages,
            provenance=metadata.provenance,
            warnings=warnings,
            seconds=watch.seconds,
        ),
        supplement=is_supplement(document, path.name),
    )


def _place(document: ParsedDocument, tree: PageIndexTree) -> list[_Section]:
    """Verify every entry; pages never go back, since sections stand in document order."""
    rows = rows_of(document)
    verifier = Verifier(rows, measure_body(rows))
    titles = split_numbers([entry.title for entry in tree.entries])
    taken: set[Site] = set()
    sections: list[_Section] = []
    floor = 1
    for entry, (number, title) in zip(tree.entries, titles, strict=True):
        claimed = min(max(entry.page or floor, floor), len(document.pages))
        verdict = verifier.check(title, claimed, taken)
        site = verdict.site if verdict.site is not None and verdict.page >= floor else None
        match = verdict.match if verdict.page >= floor else Match.NONE
        if entry.invented and match is not Match.HEADING_LINE:
            match = Match.NONE
        page = verdict.page if match is not Match.NONE else claimed
        taken |= {site} if site is not None else set()
        floor = page
        synthetic = match is Match.NONE
        heading = Heading(
            number=number.text if number is not None else "",
            title=title,
            page=page,
            level=entry.depth,
            source=HeadingSource.SYNTHETIC if synthetic else HeadingSource.PARSER,
            match=match,
        )
        sections.append(
            _Section(
                heading=heading, depth=entry.depth, synthetic=synthetic, summary=entry.summary, site=site
            )
        )
    return sections


def _with_marks(document: ParsedDocument, sections: Sequence[_Section]) -> ParsedDocument:
    """Mark verified headings in pages that came as plain text."""
    rows = rows_of(document)
    marks: dict[int, dict[int, str]] = {}
    for section in sections:
        site = section.site
        if site is None or site.first != site.last or site.run_in:
            continue
        row = rows[site.page - 1].rows[site.first]
        if document.pages[site.page - 1].markdown is not None and not row.marked:
            level = min(section.depth, 6)
            marks.setdefault(site.page, {})[row.offset] = heading_line(level, section.heading.printed)
    pages = tuple(_marked(page, marks.get(page.number, {})) for page in document.pages)
    return replace(document, pages=pages)


def _marked(page: ParsedPage, marks: dict[int, str]) -> ParsedPage:
    text = page.markdown or ""
    for offset in sorted(marks, reverse=True):
        end = text.find("\n", offset)
        text = text[:offset] + marks[offset] + (text[end:] if end >= 0 else "")
    return replace(page, markdown=text) if marks else page


def _build(sections: Sequence[_Section], rendered: RenderedPages) -> SectionTree:
    placed = iter(rendered.headings)
    headings = [section.heading if section.synthetic else next(placed) for section in sections]
    headings = [
        _with_start(headings, at, rendered.pages) if section.synthetic else headings[at]
        for at, section in enumerate(sections)
    ]
    flat = [from_heading(heading, section.depth) for heading, section in zip(headings, sections, strict=True)]
    if headings[0].page > 1:
        front = Heading(
            number="", title=FRONT_MATTER, page=1, level=1, source=HeadingSource.SYNTHETIC, begins_page=True
        )
        flat.insert(0, from_heading(front, 1))
    return assemble(flat, len(rendered.pages))


def _with_start(headings: Sequence[Heading], at: int, pages: Sequence[Page]) -> Heading:
    """Where a section begins that no line shows: with its page, unless another section stands on it already.

    Then it begins where the next one does, so that it takes no text from those whose place is known.
    """
    heading = headings[at]
    if all(other.page < heading.page for other in headings[:at]):
        return replace(heading, offset=0, begins_page=True)
    after = (other.offset for other in headings[at + 1 :] if other.page == heading.page)
    start = next((offset for offset in after if offset is not None), len(pages[heading.page - 1].text))
    return replace(heading, offset=start)


def _summarize(tree: SectionTree, sections: Sequence[_Section], pages: Sequence[Page]) -> SectionTree:
    """Keep the summaries the tree has; sections without one get theirs by rules."""
    tree = summarize_tree(tree, pages)
    texts = section_texts(tree, pages)
    # A front matter that was put before the first section has no entry; ids are in document order.
    ids = sorted(texts, key=int)[-len(sections) :]
    given = {node_id: section.summary for node_id, section in zip(ids, sections, strict=True)}

    def summarized(node: Node) -> Node:
        summary = given.get(node.id, "")
        if not summary:
            return node
        copied = match_key(summary) in match_key(texts[node.id])
        source = SummarySource.TEXT if copied else SummarySource.MODEL
        return replace(node, summary=summary, summary_source=source)

    return map_nodes(tree, summarized)


def _metadata(
    document: ParsedDocument, tree: PageIndexTree, name: str, built: SectionTree, pages: Sequence[Page]
) -> Metadata:
    metadata = describe(document, find_bibliography(document, tree.name or name), built, pages)
    provenance = dict(metadata.provenance)
    title, description = metadata.title, metadata.description
    if tree.title and provenance.get("title") == FILE_NAME:
        title, provenance["title"] = tree.title, PAGEINDEX
    if tree.description:
        description, provenance["description"] = tree.description, PAGEINDEX
    return replace(metadata, title=title, description=description, provenance=provenance)


def _found(document: ParsedDocument, sections: Sequence[_Section]) -> FoundHeadings:
    claims = [section.heading for section in sections]
    literal = [paper_rule(heading, document.pages) for heading in claims]
    verified = [section.heading for section in sections if not section.synthetic]
    return FoundHeadings(
        headings=tuple(verified),
        claimed=len(claims),
        paper_rate=sum(literal) / len(literal),
        verified_rate=len(verified) / len(claims),
        paper_rate_before=sum(literal) / len(literal),
        verified_rate_before=len(verified) / len(claims),
        sources=dict(Counter(heading.source.value for heading in claims)),
    )


def _warnings(sections: Sequence[_Section]) -> tuple[str, ...]:
    lost = [section.heading.printed for section in sections if section.synthetic]
    if not lost:
        return ()
    shown = ", ".join(repr(title) for title in lost[:5]) + (", …" if len(lost) > 5 else "")
    return (f"{len(lost)} of {len(sections)} sections have titles that no page shows ({shown}).",)
