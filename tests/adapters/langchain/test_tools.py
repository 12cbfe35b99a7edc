from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from langchain_vectree import VecTreeTool, VecTreeToolkit
from vectree.agent.tools import TOOLS, run_tool
from vectree.errors import CorpusDamaged, UsageError
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import sample_library

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


def _suite(base: type, name: str) -> type:
    return type(
        f"Test{base.__name__}{name.title().replace('_', '')}",
        (base,),
        {
            "tool_constructor": property(lambda self: VecTreeTool.of(sample_library(), name)),
            "tool_invoke_params_example": property(lambda self: ARGUMENTS[name]),
        },
    )


# The standard suites of langchain-tests, for each of the seven tools.
for _name in ARGUMENTS:
    for _base in (ToolsUnitTests, ToolsIntegrationTests):
        _made = _suite(_base, _name)
        globals()[_made.__name__] = _made
del _made


def tool(library: MemoryLibrary, name: str, **settings: Any) -> VecTreeTool:
    return VecTreeTool.of(library, name, **settings)


def called(a_tool: BaseTool, **arguments: Any) -> ToolMessage:
    return a_tool.invoke({"type": "tool_call", "id": "c1", "name": a_tool.name, "args": arguments})


def test_the_seven_tools_in_order_with_layers_in_tags_and_metadata(library: MemoryLibrary) -> None:
    tools = VecTreeToolkit(corpus=library).get_tools()
    assert [t.name for t in tools] == [t.name for t in TOOLS]
    assert [(t.tags, t.metadata) for t in tools] == [
        (["vectree", f"layer:{d.layer}"], {"vectree_layer": int(d.layer)}) for d in TOOLS
    ]


def test_only_some_layers(library: MemoryLibrary) -> None:
    names = [t.name for t in VecTreeToolkit(corpus=library, layers=(0, 2)).get_tools()]
    assert names == [
        "search_documents",
        "get_paper_metadata",
        "get_page_content",
        "list_images",
        "get_page_image",
    ]
    with pytest.raises(UsageError, match="layers"):
        VecTreeToolkit(corpus=library, layers=(3,))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_models_see_the_flat_schema_of_the_core(library: MemoryLibrary, name: str) -> None:
    definition = next(d for d in TOOLS if d.name == name)
    function = convert_to_openai_tool(tool(library, name))["function"]
    assert function["description"] == definition.description
    assert function["parameters"]["properties"] == definition.parameters["properties"]
    assert not any(word in json.dumps(function) for word in ("$ref", "$defs", "anyOf"))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_content_is_the_core_s_and_the_artifact_is_plain_json(library: MemoryLibrary, name: str) -> None:
    message = called(tool(library, name), **ARGUMENTS[name])
    expected = run_tool(library, name, ARGUMENTS[name])
    assert message.text == expected.text
    assert message.status == "success"
    assert json.loads(json.dumps(message.artifact)) == message.artifact
    assert message.artifact["data"] == expected.data
    assert message.artifact["sources"] == [list(source) for source in expected.sources]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_page_content", {"doc_id": "nobody", "pages": "1"}),
        ("get_page_content", {"doc_id": BERG}),
        ("get_page_content", {"doc_id": BERG, "pages": "9"}),
        ("get_page_content", {"doc_id": BERG, "pages": "1", "chapter": 2}),
        ("search_documents", {"query": "x", "top_k": 0}),
        ("get_page_image", {"doc_id": BERG, "image": "../../etc/passwd"}),
    ],
)
def test_C22_mistakes_come_back_in_the_core_s_words(
    library: MemoryLibrary, name: str, arguments: dict[str, Any]
) -> None:
    message = called(tool(library, name), **arguments)
    assert message.status == "error"
    assert message.text == run_tool(library, name, arguments).text
    assert tool(library, name).invoke(arguments) == message.text  # outside a conversation too


@pytest.mark.parametrize("pages", ["3", 3, [3], "[3]", "p. 3"])
def test_C20_pages_in_every_shape_a_model_writes(library: MemoryLibrary, pages: Any) -> None:
    message = called(tool(library, "get_page_content"), doc_id=BERG, pages=pages)
    assert message.artifact["sources"] == [[BERG, 3]]


def test_a_text_is_the_first_argument_or_a_json_object(library: MemoryLibrary) -> None:
    trees = tool(library, "get_document_tree")
    assert trees.invoke(BERG) == trees.invoke(json.dumps({"doc_id": BERG})) == trees.invoke({"doc_id": BERG})


def test_C21_a_figure_is_a_standard_image_block_beside_a_short_text(library: MemoryLibrary) -> None:
    message = called(tool(library, "get_page_image"), doc_id=BERG, image="fig-3-1.png")
    assert [block["type"] for block in message.content] == ["text", "image"]
    assert message.content[1]["mime_type"] == "image/png"
    assert len(message.text) <= 200
    assert "base64" not in json.dumps(message.artifact)


def test_figures_by_reference_leave_no_bytes_in_the_message(library: MemoryLibrary) -> None:
    message = called(tool(library, "get_page_image", images="reference"), doc_id=BERG, image="fig-3-1.png")
    assert isinstance(message.content, str)
    assert message.artifact["images"][0]["name"] == "fig-3-1.png"


def test_damage_is_raised_because_no_model_can_mend_it(library: MemoryLibrary) -> None:
    class Damaged(MemoryLibrary):
        def record(self, doc_id: str) -> Any:
            raise CorpusDamaged("record.json is cut short")

    with pytest.raises(CorpusDamaged):
        called(tool(Damaged([]), "get_page_content"), doc_id=BERG, pages="1")


async def test_async_gives_the_same(library: MemoryLibrary) -> None:
    for name, arguments in ARGUMENTS.items():
        a_tool = tool(library, name)
        assert await a_tool.ainvoke(arguments) == a_tool.invoke(arguments)


def test_C34_eight_threads_see_what_one_sees(library: MemoryLibrary) -> None:
    a_tool = tool(library, "search_within_paper")
    expected = a_tool.invoke(ARGUMENTS["search_within_paper"])
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: a_tool.invoke(ARGUMENTS["search_within_paper"]), range(200)))
    assert set(results) == {expected}


def test_an_unknown_tool_is_refused_by_name(library: MemoryLibrary) -> None:
    with pytest.raises(UsageError, match="search_documents"):
        VecTreeTool.of(library, "find")
