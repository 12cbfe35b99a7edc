"""The report of one document: what was read, how headings were found, what it cost in time, what to know."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from vectree.document import DocumentStatus, Node, Page, PageRange, SectionTree, SummarySource, TextStatus
from vectree.ingest.headings import FoundHeadings
from vectree.ingest.parse import ParsedDocument
from vectree.tree.walk import walk

_WITHOUT_TEXT = frozenset({TextStatus.SCAN, TextStatus.FIGURE_ONLY})
_MAX_DROPPED = 200


class Stopwatch:
    """Seconds by stage, and a call at the start of each.

    Args:
        on_stage: Called with the name of a stage when it begins.
    """

    def __init__(self, on_stage: Callable[[str], None] | None = None) -> None:
        self._on_stage = on_stage
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a stage.

        Args:
            name: Its name; the time of stages with one name adds up.

        Yields:
            None: Nothing; the block inside is the stage.
        """
        if self._on_stage is not None:
            self._on_stage(name)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def text_status(pages: Sequence[Page]) -> tuple[DocumentStatus, tuple[str, ...]]:
    """Judge whether a document's text can be used; which pages lack text is the parser's to say.

    Args:
        pages: Every page.

    Returns:
        ``NEEDS_OCR`` if most pages that are not blank have no text layer, and a sentence on what to do.
    """
    missing = pages_with(pages, _WITHOUT_TEXT)
    filled = sum(page.status is not TextStatus.BLANK for page in pages)
    if not filled:
        return DocumentStatus.OK, ("Every page is blank.",)
    if 2 * len(missing) <= filled:
        return DocumentStatus.OK, ()
    advice = (
        f"{len(missing)} of {len(pages)} pages have no text layer ({page_list(missing)}), so this document "
        "cannot be searched by its text; its page images can be shown. Add a text layer with an OCR program, "
        "for example `ocrmypdf in.pdf out.pdf`, and add the new file."
    )
    return DocumentStatus.NEEDS_OCR, (advice,)


def pages_with(pages: Sequence[Page], statuses: frozenset[TextStatus]) -> list[int]:
    """Numbers of the pages that have one of the given statuses.

    Args:
        pages: Every page.
        statuses: Statuses to look for.

    Returns:
        Physical pages in order.
    """
    return [page.number for page in pages if page.status in statuses]


def page_list(numbers: Sequence[int]) -> str:
    """Write page numbers for a reader.

    Args:
        numbers: Physical pages in order.

    Returns:
        ``"page 3"`` or ``"pages 3-10, 12"``; long lists are cut.
    """
    ranges: list[PageRange] = []
    for number in numbers:
        if ranges and ranges[-1].last + 1 == number:
            ranges[-1] = PageRange(first=ranges[-1].first, last=number)
        else:
            ranges.append(PageRange(first=number, last=number))
    shown = ", ".join(str(each) for each in ranges[:12]) + (", …" if len(ranges) > 12 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"


def build_report(
    *,
    document: ParsedDocument,
    found: FoundHeadings,
    tree: SectionTree,
    pages: Sequence[Page],
    provenance: dict[str, str],
    warnings: Sequence[str],
    seconds: dict[str, float],
    structure: dict[str, Any] | None = None,
    unconfirmed: dict[str, tuple[str, ...]] | None = None,
    cut: Sequence[str] = (),
    bibliography: dict[str, Any] | None = None,
    model: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Put the report together as plain JSON values.

    Args:
        document: What the parser gave.
        found: The verified headings.
        tree: The finished tree.
        pages: Every page.
        provenance: Where each bibliographic field came from.
        warnings: Sentences for the user.
        seconds: Seconds by stage.
        structure: How a model took part in finding headings, with both rates before and after repair.
        unconfirmed: Node id → numbers of its summary that its section does not hold.
        cut: Ids of sections whose end no model read for their summary.
        bibliography: How the bibliographic service was asked.
        model: Calls, tokens and money by stage.

    Returns:
        The report; counts, rates between 0 and 1, seconds rounded to milliseconds.
    """
    nodes = list(walk(tree))
    matches = Counter(str(node.match) for node in nodes if not node.synthetic)
    statuses = Counter(str(page.status) for page in pages)
    summaries = Counter(str(node.summary_source) for node in nodes)
    return {
        "parser": document.parser,
        "pages": {
            "total": len(pages),
            "by_status": dict(sorted(statuses.items())),
            "without_text": pages_with(pages, _WITHOUT_TEXT),
            "garbled": pages_with(pages, frozenset({TextStatus.GARBLED})),
        },
        "figures": len(document.figures),
        "headings": {
            "claimed": found.claimed,
            "verified": len(found.headings),
            "paper_rate": found.paper_rate,
            "verified_rate": found.verified_rate,
            "paper_rate_before_repair": found.paper_rate_before,
            "verified_rate_before_repair": found.verified_rate_before,
            "repair_rounds": structure.get("repair_rounds", 0) if structure is not None else 0,
            "sources": dict(found.sources),
            "dropped": [
                {"title": heading.printed, "page": heading.page, "source": str(heading.source)}
                for heading in found.dropped[:_MAX_DROPPED]
            ],
            "dropped_count": len(found.dropped),
            **({"structure": structure} if structure is not None else {}),
        },
        "tree": {
            "nodes": len(nodes),
            "depth": _depth(tree),
            "synthetic": sum(node.synthetic for node in nodes),
            "verified_by": dict(sorted(matches.items())),
            "oversize": [_named(node) for node in nodes if node.oversize],
        },
        "summaries": {
            **{str(source): summaries.get(str(source), 0) for source in SummarySource},
            **({"unconfirmed_numbers": unconfirmed} if unconfirmed else {}),
            **({"not_read_to_the_end": list(cut)} if cut else {}),
        },
        "metadata": dict(provenance),
        **({"bibliography": bibliography} if bibliography is not None else {}),
        **({"model": model} if model is not None else {}),
        "usage": {"model_calls": model["calls"] if model is not None else 0},
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "warnings": list(warnings),
    }


def _named(node: Node) -> dict[str, Any]:
    return {"id": node.id, "title": node.printed, "pages": [node.pages.first, node.pages.last]}


def _depth(tree: SectionTree) -> int:
    level, depth = list(tree.nodes), 0
    while level:
        depth += 1
        level = [child for node in level for child in node.children]
    return depth
