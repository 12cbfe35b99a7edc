"""Values to JSON on disk and back. Pydantic reads them, so that a damaged file is an error that names it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from vectree.errors import CorpusDamaged, StoreError

T = TypeVar("T")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def encode(kind: type[T], value: T) -> bytes:
    """Write a value as one line of UTF-8 JSON.

    Args:
        kind: A frozen dataclass, or a tuple or dictionary of them.
        value: The value.

    Returns:
        JSON without a line break. Half a surrogate pair, which a broken font map can produce and UTF-8 cannot
        hold, becomes a question mark. What cannot be written, such as a tree nested beyond any paper, raises
        `StoreError`.
    """
    try:
        return _adapter(kind).dump_json(value)
    except PydanticSerializationError:
        return _encode_leniently(kind, value)


def encode_checked(kind: type[T], value: T) -> bytes:
    """Write a value, and make sure that what was written reads back as the same value.

    Args:
        kind: A frozen dataclass, or a tuple of them.
        value: The value.

    Returns:
        JSON without a line break.

    Raises:
        StoreError: If it would not read back: a coordinate that is no number, a tree nested beyond any paper.
    """
    data = encode(kind, value)
    try:
        decode(kind, data, name=_name(kind))
    except CorpusDamaged as error:
        raise StoreError(f"A {_name(kind)} cannot be stored: {error.message}") from error
    return data


def decode(kind: type[T], data: bytes, *, name: str, hint: str = "") -> T:
    """Read a value.

    Args:
        kind: What was written.
        data: The bytes of the file, or of one of its lines.
        name: The file, for the error.
        hint: What the user can do about a damaged file.

    Returns:
        The value.

    Raises:
        CorpusDamaged: If the bytes are not such a value.
    """
    try:
        return _adapter(kind).validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CorpusDamaged(
            f"The file {name!r} is damaged: {first['msg']}{f' at {where}' if where else ''}.", hint=hint
        ) from error


def _encode_leniently(kind: type[T], value: T) -> bytes:
    try:
        plain = _adapter(kind).dump_python(value, mode="json")
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"A {_name(kind)} cannot be stored: {error}") from error


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))
