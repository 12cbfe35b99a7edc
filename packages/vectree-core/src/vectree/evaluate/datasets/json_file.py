"""Reading JSON and JSON Lines that others wrote: plain or gzipped, with errors that name file and line."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from vectree.errors import UsageError

MAX_BYTES = 512 * 1024 * 1024
"""Bytes of a file after unpacking; the largest public benchmark file is a tenth of that."""

_GZIP = b"\x1f\x8b"
_Row = TypeVar("_Row", bound=BaseModel)


def read_text(path: Path) -> str:
    """Read a text file, gzipped or not.

    Args:
        path: The file.

    Returns:
        Its text, without a byte order mark.

    Raises:
        UsageError: If it cannot be read, is no UTF-8, or unpacks to more than ``MAX_BYTES``.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UsageError(f"{path.name} holds more than {MAX_BYTES // 2**20} MB.")
        return data.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}.") from error


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON objects: JSON Lines, or one JSON array of objects.

    Args:
        path: The file.

    Returns:
        The objects in order; blank lines are skipped. Anything else in it raises `UsageError`, which names
        the line.
    """
    text = read_text(path)
    if text.lstrip().startswith("["):
        return [_object(item, path, f"item {i}") for i, item in enumerate(parse_json(text, path), start=1)]
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            rows.append(_object(parse_json(line, path, f"line {number}"), path, f"line {number}"))
    return rows


def parse_json(text: str, path: Path, where: str = "") -> Any:
    """Parse JSON.

    Args:
        text: The JSON.
        path: Where it is from, for the error.
        where: Which part of the file, for the error.

    Returns:
        The value.

    Raises:
        UsageError: If it is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f"{path.name}, {where}" if where else path.name
        raise UsageError(f"{place}: not valid JSON: {error}.") from error


def validated(schema: type[_Row], row: dict[str, Any], path: Path, where: str) -> _Row:
    """Validate a row.

    Args:
        schema: Its form.
        row: The row.
        path: Where it is from, for the error.
        where: Which part of the file, for the error.

    Returns:
        The validated row.

    Raises:
        UsageError: If it does not fit; the message names the first field that does not.
    """
    try:
        return schema.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "row"
        raise UsageError(f"{path.name}, {where}: {field}: {first['msg']}.") from error


def _object(value: Any, path: Path, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{path.name}, {where}: expected a JSON object, found {type(value).__name__}.")
    return value  # pyright: ignore[reportUnknownVariableType]
