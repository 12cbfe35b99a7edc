"""Crossref's records, read leniently: titles with markup, authors without names, dates in three places."""

from __future__ import annotations

import html
import re
from typing import Any, cast

from pydantic import BaseModel, Field, ValidationError, field_validator

from vectree.ingest.bibliography_source import Work
from vectree.normal import one_line

# Only what has the form of a tag: "p <0.5 and n >3" has none.
_TAG = re.compile(r"</?[a-zA-Z][\w:.-]{0,30}(?:\s+[\w:.-]{1,30}\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>")
_BREAK = re.compile(r"<(?:br|jats:break|p|jats:p|title|jats:title)\s*/?>", re.IGNORECASE)
_UNESCAPES = 3
_MAX_TEXT = 4_000


class _Author(BaseModel):
    given: str = ""
    family: str = ""
    name: str = ""


class _Date(BaseModel):
    parts: list[list[int | None]] = Field(default=[], alias="date-parts")

    @property
    def year(self) -> int | None:
        return self.parts[0][0] if self.parts and self.parts[0] else None


class _Record(BaseModel):
    doi: str = Field(alias="DOI")
    title: list[str] = []
    subtitle: list[str] = []
    author: list[_Author] = []
    journal: list[str] = Field(default=[], alias="container-title")
    volume: str | None = None
    page: str | None = None
    article_number: str | None = Field(default=None, alias="article-number")
    printed: _Date | None = Field(default=None, alias="published-print")
    online: _Date | None = Field(default=None, alias="published-online")
    issued: _Date | None = None

    @field_validator("title", "subtitle", "author", "journal", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if value is None:
            return []
        return cast("Any", value) if isinstance(value, list) else [value]

    @field_validator("printed", "online", "issued", mode="wrap")
    @classmethod
    def _dated(cls, value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValidationError:
            return None


def read_work(record: Any) -> Work | None:
    """Read one record.

    Args:
        record: JSON of a work.

    Returns:
        The work; ``None`` if it has no DOI or no title, or is not of that form.
    """
    try:
        read = _Record.model_validate(record)
    except ValidationError:
        return None
    title = plain_markup(": ".join([*read.title[:1], *read.subtitle[:1]]))
    if not title or not read.doi:
        return None
    people = [(plain_markup(one.given), plain_markup(one.family or one.name)) for one in read.author]
    people = [(given, family) for given, family in people if family]
    dates = (read.printed, read.issued, read.online)
    return Work(
        doi=read.doi.strip().lower(),
        title=title,
        authors=tuple(f"{given} {family}".strip() for given, family in people),
        surnames=tuple(family for _, family in people),
        year=next((date.year for date in dates if date is not None and date.year), None),
        journal=plain_markup(read.journal[0]) or None if read.journal else None,
        volume=read.volume,
        article_pages=read.page or read.article_number,
    )


def works_of(answer: Any) -> list[Work]:
    """Read the works of an answer to a search or to a DOI.

    Args:
        answer: JSON as the service sent it.

    Returns:
        The works that can be read.
    """
    message = cast("dict[str, Any]", answer).get("message") if isinstance(answer, dict) else None
    if not isinstance(message, dict):
        return []
    found = cast("dict[str, Any]", message)
    items = cast("list[Any]", found["items"]) if isinstance(found.get("items"), list) else [found]
    return [work for item in items if (work := read_work(item)) is not None]


def plain_markup(text: str) -> str:
    """Take tags and entities out of a title or name (C09).

    Args:
        text: As the service has it, perhaps escaped twice.

    Returns:
        Plain text on one line. Letters that a tag raised or lowered stay beside their word; what only looks
        like a tag, such as an inequality, stays.
    """
    plain = text[:_MAX_TEXT]
    for _ in range(_UNESCAPES):
        unescaped = html.unescape(plain)
        if unescaped == plain:
            break
        plain = unescaped
    return one_line(_TAG.sub("", _BREAK.sub(" ", plain)))
