"""A tool's row and a tool's result in the protocol's terms."""

from __future__ import annotations

import base64

from mcp import types

from vectree.agent.images import load_image
from vectree.agent.library import Library
from vectree.agent.results import ToolResult
from vectree.agent.tool import ToolDef
from vectree.errors import ToolError, VecTreeError

_TITLES = {
    "search_documents": "Search papers",
    "get_paper_metadata": "Show a paper's metadata",
    "get_document_tree": "Open a paper's section tree",
    "search_within_paper": "Search within a paper",
    "get_page_content": "Read pages",
    "list_images": "List figures",
    "get_page_image": "Show a figure",
}
"""What people see where a client asks them for permission."""


def tool_description(tool: ToolDef) -> types.Tool:
    """Describe a tool: name, words and schema as every model sees them, and what it can do to the world.

    Args:
        tool: A row of the table.

    Returns:
        The tool; it reads the corpus, changes nothing and reaches nothing else.
    """
    return types.Tool(
        name=tool.name,
        title=_TITLES.get(tool.name),
        description=tool.description,
        input_schema=tool.parameters,
        annotations=types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


def call_result(library: Library, result: ToolResult) -> types.CallToolResult:
    """Turn a result into content: its text, then its images.

    The data is left out. Clients hand structured content to the model beside the text, and the payloads are
    small on purpose (Table 1).

    Args:
        library: Where images are loaded from.
        result: What the tool returned.

    Returns:
        The content; what the model can correct is marked as an error.
    """
    content: list[types.ContentBlock] = []
    text, failed = result.text, result.error
    for reference in result.images:
        try:
            image = load_image(library, reference)
        except ToolError as error:
            text, failed = f"{text}\nNot attached: {error}", True
            continue
        encoded = base64.b64encode(image.data).decode("ascii")
        content.append(types.ImageContent(data=encoded, mime_type=image.media_type))
    return types.CallToolResult(content=[types.TextContent(text=text), *content], is_error=failed)


def call_failure(error: VecTreeError) -> types.CallToolResult:
    """Tell a model about a failure that is not its own, such as a damaged corpus.

    Args:
        error: What happened.

    Returns:
        An error in a line, so that the model does not try the same again.
    """
    return types.CallToolResult(
        content=[types.TextContent(text=f"Error: {error} This is no mistake of yours; tell the user.")],
        is_error=True,
    )
