"""The seven tools in one table, and the one way to run one of them.

The table drives the loop, both framework adapters and the MCP server, so names, schemas and words are the
same everywhere.
"""

from __future__ import annotations

import difflib
from collections.abc import Set
from dataclasses import replace
from typing import Any

from vectree.agent import arguments as args
from vectree.agent.find import get_paper_metadata, search_documents
from vectree.agent.layers import Layer
from vectree.agent.library import Library
from vectree.agent.navigate import get_document_tree, search_within_paper
from vectree.agent.payloads.shown import shown
from vectree.agent.read import get_page_content, get_page_image, list_images
from vectree.agent.results import ToolResult
from vectree.agent.tool import ToolDef, read_arguments
from vectree.errors import ToolError, UnknownDocument

TOOLS: tuple[ToolDef, ...] = (
    ToolDef(
        name="search_documents",
        layer=Layer.CORPUS,
        description=(
            "Find papers in the library. Returns metadata only: doc_id, title, authors, year, one "
            "sentence, and the sections that match best (node id and pages), so that you know which "
            'paper to open and where. Start here. Use "*" as query, with filters, to list or count '
            "papers; the first line gives the number of all matches. Filters (year_min, year_max, "
            "journal, author) narrow any search."
        ),
        arguments=args.SearchDocuments,
        handler=search_documents,
    ),
    ToolDef(
        name="get_paper_metadata",
        layer=Layer.CORPUS,
        description=(
            "Bibliographic data of one paper, its top-level sections and related documents "
            "such as supporting information."
        ),
        arguments=args.GetPaperMetadata,
        handler=get_paper_metadata,
    ),
    ToolDef(
        name="get_document_tree",
        layer=Layer.STRUCTURE,
        description=(
            "The section tree of one paper: every section's id, title, page range and summary. Read "
            "it before asking for pages. With node_id: that section's whole summary and its sub-"
            "sections only."
        ),
        arguments=args.GetDocumentTree,
        handler=get_document_tree,
    ),
    ToolDef(
        name="search_within_paper",
        layer=Layer.STRUCTURE,
        description=(
            "The sections of one paper that match a query, best first, with their pages and the "
            "likeliest pages of each. Use it on long papers, or when the tree's summaries do not "
            "settle where to read."
        ),
        arguments=args.SearchWithinPaper,
        handler=search_within_paper,
    ),
    ToolDef(
        name="get_page_content",
        layer=Layer.TEXT,
        description=(
            "The full text of chosen pages as markdown, at most ten pages a call. Choose pages from "
            "the tree or from search_within_paper. Only pages read this way can be cited. Figures "
            "appear as image references whose file names get_page_image takes."
        ),
        arguments=args.GetPageContent,
        handler=get_page_content,
    ),
    ToolDef(
        name="list_images",
        layer=Layer.TEXT,
        description="The figures of one paper: file name, page, size and caption.",
        arguments=args.ListImages,
        handler=list_images,
    ),
    ToolDef(
        name="get_page_image",
        layer=Layer.TEXT,
        description=(
            "One figure as an image, by its file name from list_images or from page text. Use it when"
            " the text does not hold what the figure shows, and for pages without a text layer."
        ),
        arguments=args.GetPageImage,
        handler=get_page_image,
    ),
)

_BY_NAME = {tool.name: tool for tool in TOOLS}


def find_tool(name: str) -> ToolDef | None:
    """Look up a tool.

    Args:
        name: As issued; surrounding white space is ignored.

    Returns:
        The tool, or ``None`` if there is none of that name.
    """
    return _BY_NAME.get(name.strip())


def run_tool(
    library: Library,
    name: str,
    arguments: str | dict[str, Any],
    *,
    withheld: Set[str] = frozenset(),
) -> ToolResult:
    """Run one tool call as a model issued it.

    Nothing a model can write makes this raise: unknown names, broken JSON, wrong arguments, unknown documents
    and missing pages come back as a result that is an error. A damaged corpus or a failing embedder is no
    mistake of the model and is raised as it is.

    Args:
        library: The corpus.
        name: Name of the tool, known or not.
        arguments: JSON text, perhaps broken, or a mapping.
        withheld: Names of tools that are treated as if there were none of that name.

    Returns:
        The observation.
    """
    given: dict[str, Any] = {"unreadable": arguments[:500]} if isinstance(arguments, str) else arguments
    try:
        tool = find_tool(name)
        if tool is None or tool.name in withheld:
            raise _unknown_tool(name, withheld)
        given = read_arguments(arguments)
        validated = tool.validate(given)
        given = validated.model_dump(exclude_none=True, exclude_unset=True)
        return replace(tool.handler(library, validated), arguments=given)
    except ToolError as error:
        return _failure(error, given, find_tool(name))


def _unknown_tool(name: str, withheld: Set[str]) -> ToolError:
    offered = [known for known in _BY_NAME if known not in withheld]
    near = difflib.get_close_matches(name[:100], offered, n=1)
    meant = f"Did you mean {near[0]}? " if near else ""
    return ToolError(f"There is no tool {shown(name)}.", hint=f"{meant}The tools are {', '.join(offered)}.")


def _failure(error: ToolError, given: dict[str, Any], tool: ToolDef | None) -> ToolResult:
    hint = error.hint
    if isinstance(error, UnknownDocument) and not hint:
        hint = "Use a doc_id exactly as search_documents gave it."
    elif tool is not None and not hint:
        hint = f"Call it as {tool.usage}."
    text = f"Error: {error.message} {hint}".strip()
    kind = type(error).__name__
    return ToolResult(text=text, data={"error": kind, "message": text}, error=True, arguments=given)
