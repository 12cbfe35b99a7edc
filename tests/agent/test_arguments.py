from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from vectree.agent.arguments import (
    MAX_SCHEMA_LENGTH,
    GetDocumentTree,
    GetPageContent,
    SearchDocuments,
    SearchWithinPaper,
)
from vectree.agent.tools import TOOLS

EXPECTED = {
    "search_documents": ["query", "top_k", "offset", "year_min", "year_max", "journal", "author"],
    "get_paper_metadata": ["doc_id"],
    "get_document_tree": ["doc_id", "node_id"],
    "search_within_paper": ["doc_id", "query", "top_k"],
    "get_page_content": ["doc_id", "pages"],
    "list_images": ["doc_id"],
    "get_page_image": ["doc_id", "image"],
}


def test_the_arguments_are_exactly_the_documented_ones() -> None:
    assert {tool.name: list(tool.arguments.model_fields) for tool in TOOLS} == EXPECTED


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_flat_and_described(tool: Any) -> None:
    schema = tool.parameters
    text = json.dumps(schema)
    assert not any(word in text for word in ("$ref", "$defs", "anyOf", "null", '"title"'))
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    for prop in schema["properties"].values():
        assert prop["type"] in ("string", "integer")
        assert prop["description"]


def test_numbers_may_come_as_text() -> None:
    given = SearchDocuments.model_validate({"query": "x", "top_k": "5", "year_min": "2019", "offset": "10"})
    assert (given.top_k, given.year_min, given.offset) == (5, 2019, 10)


def test_null_and_blank_are_omitted() -> None:
    given = SearchDocuments.model_validate(
        {"query": "x", "top_k": None, "year_min": None, "year_max": "null", "author": " ", "journal": None}
    )
    assert given == SearchDocuments(query="x")


def test_null_for_a_required_argument_is_missing() -> None:
    with pytest.raises(ValidationError, match="Field required"):
        SearchWithinPaper.model_validate({"doc_id": "a", "query": None})


def test_more_results_than_there_can_be_are_the_most_there_can_be() -> None:
    assert SearchDocuments.model_validate({"query": "x", "top_k": 9999}).top_k == 50
    assert SearchWithinPaper.model_validate({"doc_id": "a", "query": "x", "top_k": "100"}).top_k == 20


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": ""},
        {"query": "   "},
        {"query": "x", "limit": 5},
        {"query": "x", "top_k": 0},
        {"query": "x", "top_k": -1},
        {"query": "x", "top_k": True},
        {"query": "x", "top_k": "many"},
        {"query": "x", "top_k": 2.5},
        {"query": "x", "top_k": "9" * 5000},
        {"query": "x", "offset": -1},
        {"query": "x", "year_min": 19},
        {"query": "x", "year_min": 2020, "year_max": 2010},
        {"query": ["x"]},
        {"query": "x" * 20_001},
        {"query": False},
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SearchDocuments.model_validate(arguments)


@pytest.mark.parametrize("pages", [True, None, {"a": 1}, [[1]], [None], [True], "", list(range(1000))])
def test_pages_that_are_no_pages_are_refused(pages: Any) -> None:
    with pytest.raises(ValidationError):
        GetPageContent.model_validate({"doc_id": "a", "pages": pages})


def test_a_node_id_may_come_as_a_number() -> None:
    assert GetDocumentTree.model_validate({"doc_id": "a", "node_id": 4}).node_id == "4"


def test_lone_surrogates_cannot_get_past_the_door() -> None:
    SearchDocuments.model_validate({"query": "a\ud800b"}).query.encode("utf-8")


def test_every_text_of_a_schema_has_a_bound_that_a_grammar_can_bear() -> None:
    for tool in TOOLS:
        for name, given in tool.parameters["properties"].items():
            if given["type"] == "string":
                assert given["maxLength"] <= MAX_SCHEMA_LENGTH, (tool.name, name)


def test_a_text_longer_than_the_schema_announces_is_still_taken() -> None:
    query = "w " * MAX_SCHEMA_LENGTH
    assert SearchDocuments.model_validate({"query": query}).query == query.strip()
