"""Rows and results of the table in the protocol's terms."""

from __future__ import annotations

import base64

import pytest

pytest.importorskip("mcp")

from mcp import types

from vectree.agent.tool import ToolDef
from vectree.agent.tools import TOOLS, run_tool
from vectree.errors import CorpusDamaged
from vectree.mcp.content import call_failure, call_result, tool_description
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import grey_png

LIBRARY = MemoryLibrary(
    [
        make_paper(
            "fig-1",
            title="Figures",
            pages=["One page."],
            figures=[("good.png", 1, grey_png()), ("bad.png", 1, grey_png()[:40])],
        )
    ]
)


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_every_tool_keeps_its_words_and_schema_and_says_that_it_only_reads(tool: ToolDef) -> None:
    described = tool_description(tool)
    assert (described.name, described.description) == (tool.name, tool.description)
    assert described.input_schema == tool.parameters
    assert described.title
    hints = described.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
        True,
        False,
        True,
        False,
    )


def test_a_figure_is_text_and_an_image_whose_type_comes_from_its_bytes() -> None:
    made = call_result(LIBRARY, run_tool(LIBRARY, "get_page_image", {"doc_id": "fig-1", "image": "good.png"}))
    text, image = made.content
    assert isinstance(text, types.TextContent)
    assert text.text.startswith("good.png, p.1 of fig-1")
    assert isinstance(image, types.ImageContent)
    assert image.mime_type == "image/png"
    assert base64.b64decode(image.data) == grey_png()
    assert not made.is_error


def test_a_figure_that_cannot_be_decoded_is_an_error_in_words() -> None:
    made = call_result(LIBRARY, run_tool(LIBRARY, "get_page_image", {"doc_id": "fig-1", "image": "bad.png"}))
    assert made.is_error or len(made.content) == 2
    assert isinstance(made.content[0], types.TextContent)


def test_no_structured_data_goes_beside_the_text() -> None:
    made = call_result(LIBRARY, run_tool(LIBRARY, "search_documents", {"query": "*"}))
    assert made.structured_content is None
    assert len(made.content) == 1


def test_a_failure_that_is_not_the_models_says_so() -> None:
    made = call_failure(CorpusDamaged("papers/x/tree.json is damaged.", hint="Add the paper again."))
    assert made.is_error
    assert "tree.json is damaged. Add the paper again." in made.content[0].text  # type: ignore[union-attr]
    assert "tell the user" in made.content[0].text  # type: ignore[union-attr]
