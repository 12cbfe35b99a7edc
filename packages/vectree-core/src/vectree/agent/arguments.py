"""The arguments of the seven tools: lenient where models are sloppy, strict where it matters.

``"5"`` is 5, ``null`` and a blank optional text are an omitted argument, ``[3, 4]`` is ``"3,4"``. Unknown
names, missing required arguments and impossible values are refused with a message a model can act on. The
JSON schemas are flat (no ``$ref``, no ``anyOf``), because several services accept nothing else.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

MAX_SEARCH_RESULTS = 50
MAX_SECTION_RESULTS = 20
MAX_SCHEMA_LENGTH = 500
"""Longest text that a schema announces. More is accepted, but servers that enforce schemas by a grammar
(llama.cpp) refuse or choke on longer ones, and without any bound let a small model write for ever."""

_MAX_TEXT = 20_000
_MAX_LIST = 500


def _text(value: Any) -> Any:
    """Numbers are taken as text; lone surrogates, which no encoder accepts, are replaced."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _optional_text(value: Any) -> Any:
    value = _text(value)
    return None if isinstance(value, str) and not value.strip() else value


def _whole(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a whole number")
    return value


def _optional_whole(value: Any) -> Any:
    if isinstance(value, str) and value.strip().casefold() in {"", "null", "none"}:
        return None
    return _whole(value)


def _page_spec(value: Any) -> Any:
    if isinstance(value, list | tuple):
        items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        if len(items) > _MAX_LIST:
            raise ValueError(f"has {len(items)} items; {_MAX_LIST} are allowed")
        if not all(isinstance(item, int | float | str) and not isinstance(item, bool) for item in items):
            raise ValueError("must hold page numbers")
        return ",".join(str(_text(item)) for item in items)
    return _text(value)


DocId = Annotated[
    str,
    BeforeValidator(_text),
    Field(
        min_length=1, max_length=200, description="The paper's doc_id, exactly as search_documents gave it."
    ),
]
Query = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=_MAX_TEXT)]
OptionalText = Annotated[str | None, BeforeValidator(_optional_text)]
Year = Annotated[int | None, BeforeValidator(_optional_whole)]


class Arguments(BaseModel):
    """What all argument models share."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_omitted(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        given: dict[str, Any] = values  # pyright: ignore[reportUnknownVariableType]
        return {name: value for name, value in given.items() if value is not None}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core_schema))
        properties: dict[str, dict[str, Any]] = schema.get("properties", {})
        schema["properties"] = {name: _flat(prop) for name, prop in properties.items()}
        return {
            key: schema[key]
            for key in ("type", "properties", "required", "additionalProperties")
            if key in schema
        }


def _flat(prop: dict[str, Any]) -> dict[str, Any]:
    """A property without its title and without the alternative ``null``; every text has a bound."""
    flat = {key: value for key, value in prop.items() if key != "title"}
    for variant in flat.pop("anyOf", []):
        if variant.get("type") != "null":
            flat = {**variant, **flat}
    if flat.get("default", 0) is None:
        del flat["default"]
    if flat.get("type") == "string":
        flat["maxLength"] = min(flat.get("maxLength", MAX_SCHEMA_LENGTH), MAX_SCHEMA_LENGTH)
    return flat


class SearchDocuments(Arguments):
    """Arguments of ``search_documents``."""

    query: Query = Field(description='What to look for, in plain words; "*" lists papers, newest first.')
    top_k: Annotated[int, BeforeValidator(_whole)] = Field(
        default=10, ge=1, le=MAX_SEARCH_RESULTS, description="Number of results."
    )
    offset: Annotated[int, BeforeValidator(_whole)] = Field(
        default=0, ge=0, le=1_000_000, description="Number of results to skip, for the next page of results."
    )
    year_min: Year = Field(
        default=None, ge=1000, le=2999, description="Earliest year of publication, inclusive."
    )
    year_max: Year = Field(
        default=None, ge=1000, le=2999, description="Latest year of publication, inclusive."
    )
    journal: OptionalText = Field(default=None, max_length=300, description="Part of the journal's name.")
    author: OptionalText = Field(default=None, max_length=300, description="Part of an author's name.")

    @field_validator("top_k", mode="before")
    @classmethod
    def _at_most(cls, value: Any) -> Any:
        return _capped(value, MAX_SEARCH_RESULTS)

    @model_validator(mode="after")
    def _years_in_order(self) -> SearchDocuments:
        if self.year_min is not None and self.year_max is not None and self.year_min > self.year_max:
            raise ValueError(f"year_min {self.year_min} is later than year_max {self.year_max}")
        return self


class GetPaperMetadata(Arguments):
    """Arguments of ``get_paper_metadata``."""

    doc_id: DocId


class GetDocumentTree(Arguments):
    """Arguments of ``get_document_tree``."""

    doc_id: DocId
    node_id: OptionalText = Field(
        default=None,
        max_length=50,
        description="A section's id, to see its whole summary and its sub-sections only.",
    )


class SearchWithinPaper(Arguments):
    """Arguments of ``search_within_paper``."""

    doc_id: DocId
    query: Query = Field(description="What to look for in this paper, in plain words.")
    top_k: Annotated[int, BeforeValidator(_whole)] = Field(
        default=5, ge=1, le=MAX_SECTION_RESULTS, description="Number of sections."
    )

    @field_validator("top_k", mode="before")
    @classmethod
    def _at_most(cls, value: Any) -> Any:
        return _capped(value, MAX_SECTION_RESULTS)


class GetPageContent(Arguments):
    """Arguments of ``get_page_content``."""

    doc_id: DocId
    pages: Annotated[str, BeforeValidator(_page_spec)] = Field(
        min_length=1,
        description='Physical pages counted from 1: "4", "3-7" or "3-5,9"; at most ten per call.',
    )


class ListImages(Arguments):
    """Arguments of ``list_images``."""

    doc_id: DocId


class GetPageImage(Arguments):
    """Arguments of ``get_page_image``."""

    doc_id: DocId
    image: Annotated[str, BeforeValidator(_text)] = Field(
        min_length=1,
        max_length=300,
        description="A file name from list_images or from an image reference in page text.",
    )


def _capped(value: Any, most: int) -> Any:
    """More results than there can be is a wish for many, not a mistake."""
    whole = int(value) if isinstance(value, str) and value.strip().isdecimal() and len(value) < 20 else value
    return min(whole, most) if isinstance(whole, int) and not isinstance(whole, bool) else value
