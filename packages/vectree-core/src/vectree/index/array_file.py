"""Named arrays in one file that is mapped into memory: one descriptor, one flush, no pickle.

Layout: 8 bytes of magic, the length of the header as a little-endian 64-bit integer, the header as JSON
(``{name: [dtype, shape, offset]}``), then the arrays, little-endian, each at a multiple of 64 bytes.
A folder of ``.npy`` files would do, but Python keeps a descriptor open for every mapping, and an index of
fifty segments with seventeen arrays each would reach the limit of most systems.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_MAGIC = b"VECTREE\x01"
_ALIGN = 64
_MAX_HEADER = 1 << 16
_KINDS = frozenset("iufSV")
_PREFIX = len(_MAGIC) + 8


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> int:
    """Write arrays to a new file and flush it to the disk.

    Args:
        path: A name that does not exist yet.
        arrays: Integers, floats, fixed-width bytes.

    Returns:
        Size of the file in bytes.
    """
    plain = {name: _little_endian(array) for name, array in arrays.items()}
    header = _header(plain)
    with path.open("xb") as file:
        file.write(_MAGIC + len(header).to_bytes(8, "little") + header)
        for array in plain.values():
            file.write(bytes(-file.tell() % _ALIGN))
            array.tofile(file)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def map_arrays(path: Path, *, size: int) -> dict[str, Array]:
    """Map a file written by `write_arrays` into memory.

    Args:
        path: The file; it must exist.
        size: Its size in bytes.

    Returns:
        Read-only arrays by name; pages are loaded as they are touched.

    Raises:
        ValueError: If it is no such file, or was cut or altered.
    """
    with path.open("rb") as file:
        if (found := os.fstat(file.fileno()).st_size) != size:
            raise ValueError(f"{found:,} bytes instead of {size:,}")
        prefix = file.read(_PREFIX)
        length = int.from_bytes(prefix[len(_MAGIC) :], "little")
        if not prefix.startswith(_MAGIC) or length > _MAX_HEADER:
            raise ValueError("not a file of arrays")
        header = _read_header(file.read(length))
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {name: _view(mapped, description) for name, description in header.items()}


def _read_header(data: bytes) -> dict[str, Any]:
    try:
        header: Any = json.loads(data)
    except RecursionError as error:
        raise ValueError("not a file of arrays") from error
    if not isinstance(header, dict):
        raise ValueError("not a file of arrays")
    return cast("dict[str, Any]", header)


def _view(mapped: mmap.mmap, description: Any) -> Array:
    """One array of the map, refused unless all of it lies within the file."""
    try:
        name, shape, offset = description
        kind = np.dtype(str(name))
        end = offset + math.prod(shape) * kind.itemsize
        if kind.kind not in _KINDS or min(offset, *shape) < 0 or end > len(mapped):
            raise ValueError(f"array {description!r}")
        return np.ndarray(tuple(shape), dtype=kind, buffer=mapped, offset=offset)
    except (TypeError, OverflowError, AttributeError) as error:
        raise ValueError(f"array {description!r}") from error


def _header(arrays: Mapping[str, Array]) -> bytes:
    """The header, padded so that its own length does not depend on the offsets it holds."""
    described = {name: [array.dtype.str, list(array.shape), 0] for name, array in arrays.items()}
    room = len(json.dumps(described)) + 20 * len(described)
    offset = _PREFIX + room
    for name, array in arrays.items():
        offset = math.ceil(offset / _ALIGN) * _ALIGN
        described[name][2] = offset
        offset += array.nbytes
    return json.dumps(described).encode().ljust(room)


def _little_endian(array: Array) -> Array:
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
