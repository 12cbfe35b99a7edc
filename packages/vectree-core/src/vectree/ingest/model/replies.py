"""What models reply about headings, read leniently: a page may be 7, "7", "p. 7", or missing (C07)."""

from __future__ import annotations

import re
from typing import Any, cast

from pydantic import BaseModel, Field, field_validator, model_validator

from vectree.normal import one_line

MAX_TITLE = 400
_DIGITS = re.compile(r"\d{1,6}")


def read_count(value: Any) -> int | None:
    """Read a page, level or place that a model wrote.

    Args:
        value: Anything.

    Returns:
        The first whole number in it; ``None`` if there is none.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        found = _DIGITS.search(value)
        return int(found.group()) if found else None
    if isinstance(value, list) and len(cast("list[Any]", value)) == 1:
        return read_count(value[0])
    return None


class HeadingReply(BaseModel):
    """One heading as a model states it; a bare string is a title."""

    number: str = Field(default="", description="The number printed before the title; empty if none.")
    title: str = Field(description="The title as printed, without its number.")
    page: int | None = Field(default=None, description="The page it stands on.")
    level: int | None = Field(default=None, description="Its depth: 1 for a main section.")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"title": value} if isinstance(value, str) else value

    @field_validator("page", "level", mode="before")
    @classmethod
    def _count(cls, value: Any) -> int | None:
        return read_count(value)

    @field_validator("number", "title", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        if value is None:
            return ""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        return one_line(value)[:MAX_TITLE] if isinstance(value, str) else value

    @field_validator("title")
    @classmethod
    def _not_empty(cls, value: str) -> str:
        if not value:
            raise ValueError("a heading needs a title")
        return value


class HeadingsReply(BaseModel):
    """The headings on some pages."""

    headings: list[HeadingReply] = Field(description="All section headings, in reading order.")


class FoundReply(HeadingReply):
    """A heading that was looked for again."""

    entry: int = Field(description="The number of the entry it answers.")

    @field_validator("entry", mode="before")
    @classmethod
    def _entry(cls, value: Any) -> Any:
        return read_count(value)


class RepairReply(BaseModel):
    """The entries that are headings on the pages shown."""

    found: list[FoundReply] = Field(description="Only entries that stand on these pages as headings.")


class StartReply(BaseModel):
    """Whether a heading begins its page."""

    entry: int
    begins_page: bool

    @field_validator("entry", mode="before")
    @classmethod
    def _entry(cls, value: Any) -> Any:
        return read_count(value)


class StartsReply(BaseModel):
    """Which headings begin their pages."""

    starts: list[StartReply]
