"""A tool as one row of the table: name, layer, words for the model, arguments, and what it does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from vectree.agent.arguments import Arguments
from vectree.agent.layers import Layer
from vectree.agent.library import Library
from vectree.agent.payloads.shown import shown
from vectree.agent.results import ToolResult
from vectree.errors import InvalidArguments
from vectree.llm.chat import ToolSpec

_MAX_ARGUMENT_TEXT = 100_000
_MAX_COMPLAINTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDef:
    """One of the seven tools; the same row drives the loop, the adapters and the MCP server.

    Attributes:
        name: Name to call it by.
        layer: What it discloses.
        description: What it does and when to call it, for a model; at most 1,024 characters.
        arguments: Model of its arguments.
        handler: Runs it; raises ``ToolError`` for what the model can correct.
    """

    name: str
    layer: Layer
    description: str
    arguments: type[Arguments]
    handler: Callable[[Library, Any], ToolResult]

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments, flat."""
        return self.arguments.model_json_schema()

    @property
    def spec(self) -> ToolSpec:
        """The tool as a chat model sees it."""
        return ToolSpec(name=self.name, description=self.description, parameters=self.parameters)

    @property
    def usage(self) -> str:
        """How to call it, in one line, for error messages."""
        fields = self.arguments.model_fields
        names = [name if field.is_required() else f"[{name}]" for name, field in fields.items()]
        return f"{self.name}({', '.join(names)})"

    def validate(self, arguments: dict[str, Any]) -> Arguments:
        """Check arguments against the model.

        Args:
            arguments: As given.

        Returns:
            Validated arguments.

        Raises:
            InvalidArguments: If they do not fit; the message names each problem and the accepted arguments.
        """
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            problems = "; ".join(_complaint(problem) for problem in error.errors()[:_MAX_COMPLAINTS])
            raise InvalidArguments(f"{self.name}: {problems}.", hint=f"Call it as {self.usage}.") from None


def read_arguments(arguments: str | dict[str, Any]) -> dict[str, Any]:
    """Turn arguments as a model wrote them into a mapping.

    Args:
        arguments: JSON text, perhaps broken, or a mapping.

    Returns:
        The mapping; empty for an empty text.

    Raises:
        InvalidArguments: If the text is no JSON object.
    """
    if isinstance(arguments, dict):
        return arguments
    if len(arguments) > _MAX_ARGUMENT_TEXT:
        raise InvalidArguments(
            f"The arguments have {len(arguments)} characters; {_MAX_ARGUMENT_TEXT} are allowed."
        )
    if not arguments.strip():
        return {}
    value = _json(arguments)
    if isinstance(value, str):
        value = _json(value)  # some services encode twice
    if not isinstance(value, dict):
        raise InvalidArguments(f"The arguments must be one JSON object, not {shown(arguments)}.")
    return value  # pyright: ignore[reportUnknownVariableType]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidArguments(f"The arguments are not valid JSON: {shown(text)}.") from None


def _complaint(problem: Any) -> str:
    """One problem in words; pydantic's own texts speak of inputs and types, not of arguments."""
    name = ".".join(str(part) for part in problem["loc"])
    context: dict[str, Any] = problem.get("ctx", {})
    match problem["type"]:
        case "missing":
            return f"{name} is required"
        case "extra_forbidden":
            return f"there is no argument {shown(name)}"
        case "string_too_short" | "too_short":
            return f"{name} is empty"
        case "string_too_long" | "too_long":
            return f"{name} is longer than {context.get('max_length')} characters"
        case "greater_than_equal":
            return f"{name} must be at least {context.get('ge')}, not {shown(problem['input'])}"
        case "less_than_equal":
            return f"{name} must be at most {context.get('le')}, not {shown(problem['input'])}"
        case "value_error":
            return f"{name} {str(context.get('error', problem['msg']))[:200]}".strip()
        case "string_type":
            return f"{name} must be a text, not {shown(problem['input'])}"
        case _:
            return f"{name} must be a whole number, not {shown(problem['input'])}"
