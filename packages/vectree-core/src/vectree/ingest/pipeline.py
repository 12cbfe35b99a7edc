"""The whole ingest side (§3.2): a file in; pages, tree, metadata, figures and a report out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vectree.document import DocumentStatus, Figure, Metadata, Page, SectionTree
from vectree.ingest.bibliography import find_bibliography
from vectree.ingest.bibliography_source import (
    NOT_ASKED,
    BibliographySource,
    LookUp,
    apply_work,
    front_text,
)
from vectree.ingest.describe import describe
from vectree.ingest.headings import FoundHeadings, Gathered, conclude, gather
from vectree.ingest.model.metadata import describe_with_model
from vectree.ingest.model.page_starts import decide_page_starts
from vectree.ingest.model.reading import Structure, read_structure
from vectree.ingest.model.splitting import ModelFinder, replaced
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.model.summaries import Summarised, summarize_with_model
from vectree.ingest.page_text import RenderedPages, render_pages
from vectree.ingest.parse import ParsedDocument, Parser
from vectree.ingest.report import Stopwatch, build_report, text_status
from vectree.ingest.summarize import summarize_tree
from vectree.ingest.supplements import is_supplement
from vectree.llm.chat import ChatModel
from vectree.llm.throttle import CONCURRENCY
from vectree.tree.build import build_tree, document_order
from vectree.tree.split import split_oversize


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """How one document is read.

    Attributes:
        use_bookmarks: Whether the file's outline counts as a source of headings.
        password: For encrypted documents.
        structure: Who finds the headings, where there is a model.
        paper_exact: Follow the paper to the letter, for reproducing its rates: a model reads every page, its
            page claims are checked by the literal rule only, it decides every page start and summarises
            every section of 200 tokens.
        model: Asked where the structure mode says so, for summaries and for metadata; ``None`` for rules
            alone.
        replies: Folder where its replies are kept, so that nothing is paid twice.
        concurrency: Summaries of one document asked for at once.
        bibliography: Service that metadata are looked up at; ``None`` to open no connection.
    """

    use_bookmarks: bool = True
    password: str | None = field(default=None, repr=False)
    structure: Structure = Structure.AUTO
    paper_exact: bool = False
    model: ChatModel | None = None
    replies: Path | None = None
    concurrency: int = CONCURRENCY
    bibliography: BibliographySource | None = None


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

    Errors of the parser (``ParseError`` and its kinds) pass through; whatever can be parsed gets a tree. A
    model whose replies cannot be used leaves the results of the rules in place, with a warning; a service
    that cannot be reached raises ``ModelRequestError``, and what it replied before is kept.

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
    return ingest_parsed(document, path.name, settings=chosen, watch=watch)


def ingest_parsed(
    document: ParsedDocument, name: str, *, settings: IngestSettings, watch: Stopwatch
) -> Ingested:
    """Read a document that was parsed.

    Args:
        document: As parsed.
        name: Name of its source, for a title of last resort.
        settings: How to read it.
        watch: Times the stages.

    Returns:
        As `ingest`.
    """
    stages = None
    if settings.model is not None:
        stages = ModelStages(settings.model, replies=settings.replies, concurrency=settings.concurrency)
    return _Reading(document, name, settings, stages, watch).run()


class _Reading:
    """One document on its way through the stages."""

    def __init__(
        self,
        document: ParsedDocument,
        name: str,
        settings: IngestSettings,
        stages: ModelStages | None,
        watch: Stopwatch,
    ) -> None:
        self._document = document
        self._name = name
        self._settings = settings
        self._stages = stages
        self._watch = watch
        self._structure: dict[str, Any] | None = None
        self._warnings: tuple[str, ...] = ()

    def run(self) -> Ingested:
        watch = self._watch
        with watch.stage("headings"):
            gathered = gather(self._document, use_bookmarks=self._settings.use_bookmarks)
            found = conclude(gathered)
        with watch.stage("pages"):
            rendered = render_pages(self._document, found.headings, verifier=gathered.verifier)
        asked: frozenset[int] = frozenset()
        if self._asks_for_structure:
            with watch.stage("structure"):
                found, rendered, asked = self._read_structure(gathered, found, rendered)
        with watch.stage("tree"):
            tree, rendered = self._build_tree(gathered, rendered, asked)
        with watch.stage("summaries"):
            summarised = self._summarize(tree, rendered.pages)
        with watch.stage("metadata"):
            metadata, look_up = self._describe(summarised.tree, rendered.pages)
        return self._ingested(found, rendered.pages, summarised, metadata, look_up)

    @property
    def _asks_for_structure(self) -> bool:
        wanted = self._settings.structure is not Structure.LAYOUT or self._settings.paper_exact
        return self._stages is not None and wanted

    def _read_structure(
        self, gathered: Gathered, found: FoundHeadings, rendered: RenderedPages
    ) -> tuple[FoundHeadings, RenderedPages, frozenset[int]]:
        assert self._stages is not None
        exact = self._settings.paper_exact
        read = read_structure(
            self._stages,
            gathered,
            found,
            rendered.pages,
            structure=Structure.LLM if exact else self._settings.structure,
            exact=exact,
        )
        self._structure = read.report
        self._warnings = read.warnings
        if read.found.headings != found.headings:
            rendered = render_pages(self._document, read.found.headings, verifier=gathered.verifier)
        headings = decide_page_starts(self._stages, rendered.headings, rendered.pages, exact=exact)
        return read.found, replace(rendered, headings=headings), read.asked

    def _build_tree(
        self, gathered: Gathered, rendered: RenderedPages, asked: frozenset[int]
    ) -> tuple[SectionTree, RenderedPages]:
        tree = build_tree(rendered.headings, rendered.pages)
        finder = None
        if self._stages is not None and self._asks_for_structure:
            known = asked if self._settings.structure is Structure.AUTO else frozenset[int]()
            finder = ModelFinder(self._stages, gathered, rendered.pages, known)
        outcome = split_oversize(tree, rendered.pages, finder)
        if self._structure is not None:
            self._structure["split"] = [heading.printed for heading in outcome.added]
        if not outcome.added:
            return outcome.tree, rendered
        headings = document_order((*rendered.headings, *outcome.added))
        rendered = render_pages(self._document, headings, verifier=gathered.verifier)
        return replaced(outcome.tree, rendered.headings), rendered

    def _summarize(self, tree: SectionTree, pages: tuple[Page, ...]) -> Summarised:
        tree = summarize_tree(tree, pages)
        if self._stages is None:
            return Summarised(tree=tree)
        title = find_bibliography(self._document, self._name).title
        return summarize_with_model(self._stages, tree, pages, title, every=self._settings.paper_exact)

    def _describe(self, tree: SectionTree, pages: tuple[Page, ...]) -> tuple[Metadata, LookUp]:
        metadata = describe(self._document, find_bibliography(self._document, self._name), tree, pages)
        if self._stages is not None:
            metadata = describe_with_model(self._stages, self._document, metadata, tree, pages)
        source = self._settings.bibliography
        look_up = source.find(metadata, front_text(pages)) if source is not None else NOT_ASKED
        return apply_work(metadata, look_up), look_up

    def _ingested(
        self,
        found: FoundHeadings,
        pages: tuple[Page, ...],
        summarised: Summarised,
        metadata: Metadata,
        look_up: LookUp,
    ) -> Ingested:
        document, stages = self._document, self._stages
        status, text_warnings = text_status(pages)
        told = (*self._warnings, *stages.warnings()) if stages is not None else ()
        warnings = (*document.warnings, *text_warnings, *told)
        return Ingested(
            pages=pages,
            tree=summarised.tree,
            metadata=metadata,
            figures=document.figures,
            status=status,
            warnings=warnings,
            report=build_report(
                document=document,
                found=found,
                tree=summarised.tree,
                pages=pages,
                provenance=metadata.provenance,
                warnings=warnings,
                seconds=self._watch.seconds,
                structure=self._structure,
                unconfirmed=summarised.unconfirmed,
                cut=summarised.cut,
                bibliography=bibliography_report(look_up, metadata),
                model=model_report(stages) if stages is not None else None,
            ),
            supplement=is_supplement(document, self._name),
        )


def bibliography_report(look_up: LookUp, metadata: Metadata) -> dict[str, Any]:
    """What a look-up means for the report.

    Args:
        look_up: How it ended.
        metadata: With the fields it gave.

    Returns:
        Plain JSON.
    """
    return {
        "crossref": look_up.status.value,
        **({"detail": look_up.detail} if look_up.detail else {}),
        "conflicts": dict(metadata.conflicts),
    }


def model_report(stages: ModelStages) -> dict[str, Any]:
    """What a model cost, for the report.

    Args:
        stages: The conversation with it.

    Returns:
        Plain JSON: name, sums, and each stage.
    """
    usage, by_stage = stages.usage(), stages.report()
    return {
        "name": stages.name,
        "calls": sum(stage["calls"] for stage in by_stage.values()),
        "paid": sum(stage["paid"] for stage in by_stage.values()),
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost": usage.cost,
        "stages": by_stage,
    }
