"""JSON schemas in the strict form that services ask for before they enforce one."""

from __future__ import annotations

from typing import Any, cast


def strict_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Tighten a schema: every member is required, no other is allowed, defaults are gone.

    Whatever fits the tightened schema fits the given one.

    Args:
        schema: A JSON schema, as pydantic writes it.

    Returns:
        A new schema.
    """
    return cast("dict[str, Any]", _strict(schema))


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(each) for each in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    given = cast("dict[str, Any]", part)
    tightened = {key: _strict(value) for key, value in given.items() if key != "default"}
    for key in ("properties", "$defs"):  # the keys of these are names, and "default" may be one
        if isinstance(given.get(key), dict):
            tightened[key] = {name: _strict(value) for name, value in given[key].items()}
    if isinstance(given.get("properties"), dict):
        tightened["required"] = list(given["properties"])
        tightened["additionalProperties"] = False
    return tightened
