"""The whole ingest side without a model: a file in, pages, tree, metadata, figures, report out (§3.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vectree.document import DocumentStatus, Figure, Metadata, Page, SectionTree
from vectree.ingest.bibliography import find_bibliography
from vectree.ingest.describe import describe
from vectree.ingest.headings import find_headings
from vectree.ingest.page_text import render_pages
from vectree.ingest.parse import Parser
from vectree.ingest.report import Stopwatch, build_report, text_status
from vectree.ingest.summarize import summarize_tree
from vectree.ingest.supplements import is_supplement
from vectree.tree.build import build_tree
from vectree.tree.split import split_oversize


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """How one document is read.

    Attributes:
        use_bookmarks: Whether the file's outline counts as a source of headings.
        password: For encrypted documents.
    """

    use_bookmarks: bool = True
    password: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """A document ready for the store.

    Attributes:
        pages: Every physical page, blank ones too, in order.
        tree: The enriched section tree.
        metadata: Bibliographic metadata with the origin of every field.
        figures: Figures; their files lie in the folder that was given.
        status: Whether its text can be used.
        warnings: Sentences for the user.
        report: What happened, as plain JSON values.
        supplement: Whether it is the supplement of another document.
    """

    pages: tuple[Page, ...]
    tree: SectionTree
    metadata: Metadata
    figures: tuple[Figure, ...]
    status: DocumentStatus
    warnings: tuple[str, ...]
    report: dict[str, Any]
    supplement: bool


def ingest(
    path: Path,
    *,
    parser: Parser,
    figures: Path,
    settings: IngestSettings | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> Ingested:
    """Read one document.

    Errors of the parser (``ParseError`` and its kinds) pass through; whatever can be parsed gets a tree.

    Args:
        path: The source file.
        parser: Reads it.
        figures: An existing empty folder that receives figure files.
        settings: How to read it.
        on_stage: Called with the name of each stage when it begins.

    Returns:
        The document with everything the store keeps.
    """
    chosen = settings or IngestSettings()
    watch = Stopwatch(on_stage)
    with watch.stage("parse"):
        document = parser.parse(path, figures=figures, password=chosen.password)
    with watch.stage("headings"):
        found = find_headings(document, use_bookmarks=chosen.use_bookmarks)
    with watch.stage("pages"):
        rendered = render_pages(document, found.headings)
    with watch.stage("tree"):
        tree = split_oversize(build_tree(rendered.headings, rendered.pages), rendered.pages).tree
    with watch.stage("summaries"):
        tree = summarize_tree(tree, rendered.pages)
    with watch.stage("metadata"):
        bibliography = find_bibliography(document, path.name)
        metadata = describe(document, bibliography, tree, rendered.pages)
        supplement = is_supplement(document, path.name)
    status, text_warnings = text_status(rendered.pages)
    warnings = (*document.warnings, *text_warnings)
    return Ingested(
        pages=rendered.pages,
        tree=tree,
        metadata=metadata,
        figures=document.figures,
        status=status,
        warnings=warnings,
        report=build_report(
            document=document,
            found=found,
            tree=tree,
            pages=rendered.pages,
            provenance=metadata.provenance,
            warnings=warnings,
            seconds=watch.seconds,
        ),
        supplement=supplement,
    )
