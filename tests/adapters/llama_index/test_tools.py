from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from llama_index.core.base.llms.types import ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.tools.calling import call_tool
from llama_index.core.tools.tool_spec.base import BaseToolSpec

from llama_index_vectree import VecTreeTool, VecTreeToolSpec
from vectree.agent.tools import TOOLS, run_tool
from vectree.errors import CorpusDamaged, UsageError
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS

BERG = "berg2021-a1b2"
ARGUMENTS: dict[str, dict[str, Any]] = {
    "search_documents": {"query": "conductivity", "top_k": 2},
    "get_paper_metadata": {"doc_id": BERG},
    "get_document_tree": {"doc_id": BERG},
    "search_within_paper": {"doc_id": BERG, "query": "activation energy"},
    "get_page_content": {"doc_id": BERG, "pages": "2-3"},
    "list_images": {"doc_id": BERG},
    "get_page_image": {"doc_id": BERG, "image": "fig-3-1.png"},
}


def test_it_is_a_tool_spec_by_llamaindex_s_own_check() -> None:
    assert BaseToolSpec.__name__ in [base.__name__ for base in VecTreeToolSpec.__mro__]


def test_the_seven_tools_in_the_order_of_the_table(library: MemoryLibrary) -> None:
    tools = VecTreeToolSpec(library).to_tool_list()
    assert [tool.metadata.name for tool in tools] == [tool.name for tool in TOOLS] == list(ARGUMENTS)
    assert all(isinstance(tool, FunctionTool) for tool in tools)


def test_only_some_layers_only_some_names_and_other_words(library: MemoryLibrary) -> None:
    spec = VecTreeToolSpec(library, layers=(0, 1))
    assert [t.metadata.name for t in spec.to_tool_list()] == list(ARGUMENTS)[:4]
    assert [t.metadata.name for t in spec.to_tool_list(["list_images"])] == ["list_images"]
    renamed = ToolMetadata(name="find", description="Find.", fn_schema=TOOLS[0].arguments)
    tool = spec.to_tool_list([("search_documents", "asearch_documents")], {"search_documents": renamed})[0]
    assert (tool.metadata.name, tool(query="garnet").is_error) == ("find", False)
    for wrong in ((), (3,)):
        with pytest.raises(UsageError, match="layers"):
            VecTreeToolSpec(library, layers=wrong)
    with pytest.raises(UsageError, match="search_documents"):
        spec.to_tool_list(["find"])


@pytest.mark.parametrize("definition", TOOLS, ids=lambda tool: tool.name)
def test_models_see_the_flat_schema_and_the_words_of_the_core(
    library: MemoryLibrary, definition: Any
) -> None:
    offered = VecTreeTool.of(library, definition.name).metadata.to_openai_tool()["function"]
    assert (offered["name"], offered["description"]) == (definition.name, definition.description)
    assert offered["parameters"]["properties"] == definition.parameters["properties"]
    assert not any(word in json.dumps(offered) for word in ("$ref", "$defs", "anyOf"))


@pytest.mark.parametrize("name", ARGUMENTS)
async def test_content_is_the_core_s_sync_and_async(library: MemoryLibrary, name: str) -> None:
    expected = run_tool(library, name, ARGUMENTS[name])
    tool = VecTreeTool.of(library, name)
    output = tool.call(**ARGUMENTS[name])
    assert output == await tool.acall(**ARGUMENTS[name]) == tool(**ARGUMENTS[name])
    assert (output.content, output.is_error, output.tool_name) == (expected.text, False, name)
    assert json.loads(json.dumps(output.raw_output)) == output.raw_output
    assert output.raw_output["data"] == expected.data
    assert output.raw_output["sources"] == [list(source) for source in expected.sources]
    assert ToolOutput.model_validate(output.model_dump()) == output


@pytest.mark.parametrize("name", ARGUMENTS)
def test_each_tool_is_a_method_of_the_spec(library: MemoryLibrary, name: str) -> None:
    method = getattr(VecTreeToolSpec(library), name)
    given = dict(ARGUMENTS[name])
    assert method(**given).text == run_tool(library, name, given).text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_page_content", {"doc_id": "nobody", "pages": "1"}),
        ("get_page_content", {"doc_id": BERG}),
        ("get_page_content", {"doc_id": BERG, "pages": "9"}),
        ("get_page_content", {"doc_id": BERG, "pages": "1", "chapter": 2}),
        ("search_documents", {"query": "x", "top_k": 0}),
        ("search_documents", {}),
        ("get_page_image", {"doc_id": BERG, "image": "../../etc/passwd"}),
    ],
)
async def test_C22_arguments_are_enforced_and_mistakes_come_back_in_the_core_s_words(
    library: MemoryLibrary, name: str, arguments: dict[str, Any]
) -> None:
    output = await VecTreeTool.of(library, name).acall(**arguments)
    assert output.is_error
    assert output.content == run_tool(library, name, arguments).text
    assert output.raw_output["error"] == output.content


def test_C22_arguments_that_were_no_json_are_answered_as_such(library: MemoryLibrary) -> None:
    output = VecTreeTool.of(library, "search_documents").call(unreadable='{"query": "gar')
    assert output.content == run_tool(library, "search_documents", '{"query": "gar').text
    assert "not valid JSON" in output.content


@pytest.mark.parametrize("pages", ["3", 3, [3], "[3]", "p. 3"])
def test_C20_pages_in_every_shape_a_model_writes(library: MemoryLibrary, pages: Any) -> None:
    output = VecTreeTool.of(library, "get_page_content").call(doc_id=BERG, pages=pages)
    assert output.raw_output["sources"] == [[BERG, 3]]


def test_C21_a_figure_is_an_image_block_behind_a_short_text(library: MemoryLibrary) -> None:
    output = VecTreeTool.of(library, "get_page_image").call(doc_id=BERG, image="fig-3-1.png")
    assert [type(block) for block in output.blocks] == [TextBlock, ImageBlock]
    assert output.blocks[1].image_mimetype == "image/png"
    assert output.blocks[1].resolve_image().read().startswith(b"\x89PNG")
    assert len(output.content) <= 200
    assert "base64" not in json.dumps(output.raw_output)


def test_figures_by_reference_leave_no_bytes(library: MemoryLibrary) -> None:
    tool = VecTreeTool.of(library, "get_page_image", images="reference")
    output = tool.call(doc_id=BERG, image="fig-3-1.png")
    assert [type(block) for block in output.blocks] == [TextBlock]
    assert output.raw_output["images"][0]["name"] == "fig-3-1.png"


def test_a_figure_that_cannot_be_shown_was_not_read() -> None:
    class Lossy(MemoryLibrary):
        asked = 0

        def figure_bytes(self, doc_id: str, name: str) -> bytes:
            self.asked += 1
            data = super().figure_bytes(doc_id, name)
            return data if self.asked == 1 else data[:40]

    output = VecTreeTool.of(Lossy(SAMPLE_PAPERS), "get_page_image").call(doc_id=BERG, image="fig-3-1.png")
    assert "[Not attached:" in output.content
    assert output.raw_output["sources"] == []


def test_arguments_by_position_and_through_llamaindex_s_own_caller(library: MemoryLibrary) -> None:
    tool = VecTreeTool.of(library, "list_images")
    assert tool(BERG).content == tool(doc_id=BERG).content == call_tool(tool, {"doc_id": BERG}).content
    with pytest.raises(UsageError, match="arguments"):
        tool(BERG, "more")


def test_damage_is_raised_because_no_model_can_mend_it() -> None:
    class Damaged(MemoryLibrary):
        def record(self, doc_id: str) -> Any:
            raise CorpusDamaged("record.json is cut short")

    with pytest.raises(CorpusDamaged):
        VecTreeTool.of(Damaged([]), "get_page_content").call(doc_id=BERG, pages="1")


def test_C34_eight_threads_see_what_one_sees(library: MemoryLibrary) -> None:
    tool = VecTreeTool.of(library, "search_within_paper")
    expected = tool(**ARGUMENTS["search_within_paper"]).content
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: tool(**ARGUMENTS["search_within_paper"]).content, range(200)))
    assert found == {expected}
