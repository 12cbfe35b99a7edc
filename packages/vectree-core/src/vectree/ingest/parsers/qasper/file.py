"""The forms in which QASPER is handed out, read into papers; the questions are never looked at.

Official: one JSON object, id → paper. Columnar, from data hubs: a JSON array or JSON Lines of rows, each with
an ``id`` and columns instead of lists of objects. Either may be gzipped.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from vectree.errors import CorruptDocument, ParseError, ParseLimit
from vectree.ingest.parsers.qasper.paper import QasperPaper, make_paper

MAX_BYTES = 512 * 1024 * 1024
"""Bytes of a file after unpacking; the largest published one is a tenth of that."""

_GZIP = b"\x1f\x8b"


class _Section(BaseModel):
    section_name: str | None = None
    paragraphs: list[str] = []


class _Paper(BaseModel):
    title: str | None = ""
    abstract: str | None = ""
    full_text: list[_Section] = []


def read_papers(path: Path) -> Iterator[tuple[str, QasperPaper | None]]:
    """Read the papers of a QASPER file.

    Args:
        path: The file.

    Yields:
        tuple[str, QasperPaper | None]: The id and the paper, or ``None`` if the entry is no paper of QASPER.

    Raises:
        ParseError: If the file cannot be read, or is neither form.
    """
    for key, row in _rows(path):
        try:
            parsed = _Paper.model_validate({**row, "full_text": _zipped(row.get("full_text"))})
        except ValidationError:
            yield key, None
            continue
        yield (
            key,
            make_paper(
                key,
                title=parsed.title or "",
                abstract=parsed.abstract or "",
                named=[(section.section_name, section.paragraphs) for section in parsed.full_text],
            ),
        )


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    text = _text(path)
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        value = [_parsed(line, path) for line in text.split("\n") if line.strip()]
    if isinstance(value, dict) and "full_text" not in value:
        named: list[tuple[Any, Any]] = list(cast("dict[str, Any]", value).items())
    else:
        rows: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [value]
        named = [
            (cast("dict[str, Any]", row).get("id") if isinstance(row, dict) else None, row) for row in rows
        ]
    for number, (key, row) in enumerate(named, 1):
        if key is None or not isinstance(row, dict) or "full_text" not in row:
            raise CorruptDocument(
                f"{path.name!r}, entry {number}: no paper of QASPER (it needs an id and 'full_text')."
            )
        yield str(key), cast("dict[str, Any]", row)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ParseLimit(
                f"{path.name!r} holds more than {MAX_BYTES // 2**20} MB.", hint="Split the file."
            )
        return data.decode("utf-8-sig")
    except OSError as error:
        raise ParseError(f"{path.name!r} cannot be read: {error.strerror or error}.") from error
    except (EOFError, zlib.error, UnicodeDecodeError) as error:
        raise CorruptDocument(f"{path.name!r} is damaged: {error}.", hint="Fetch the file again.") from error


def _parsed(line: str, path: Path) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorruptDocument(f"{path.name!r} is not valid JSON: {error}.") from error


def _zipped(columns: Any) -> list[dict[str, Any]]:
    """``{"a": [1, 2], "b": [3, 4]}`` as ``[{"a": 1, "b": 3}, {"a": 2, "b": 4}]``; a list stays a list."""
    if not isinstance(columns, dict):
        return list(cast("list[Any]", columns)) if isinstance(columns, list) else []
    values = cast("dict[str, Any]", columns)
    named: dict[str, list[Any]] = {key: value for key, value in values.items() if isinstance(value, list)}
    length = max((len(values) for values in named.values()), default=0)
    return [{key: values[i] for key, values in named.items() if i < len(values)} for i in range(length)]
