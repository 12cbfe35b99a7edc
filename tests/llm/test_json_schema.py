"""Schemas in the strict form that services enforce."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from vectree.llm.json_schema import strict_schema


class Item(BaseModel):
    default: str = "x"
    page: int | None = None


class Form(BaseModel):
    title: str
    properties: list[Item] = []


def _objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for each in schema for found in _objects(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for each in schema.values() for found in _objects(each)]


def test_every_member_is_required_and_no_other_allowed_at_every_level() -> None:
    objects = _objects(strict_schema(Form.model_json_schema()))
    assert len(objects) == 2
    for each in objects:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_defaults_go_but_members_of_that_name_stay() -> None:
    strict = strict_schema(Form.model_json_schema())
    assert "default" not in strict["properties"]["properties"]
    assert "default" in strict["$defs"]["Item"]["properties"]
    assert "default" not in strict["$defs"]["Item"]["properties"]["default"]


def test_the_given_schema_is_not_changed() -> None:
    before, schema = Form.model_json_schema(), Form.model_json_schema()
    strict_schema(schema)
    assert schema == before
