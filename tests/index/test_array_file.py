import json

import numpy as np
import pytest

from vectree.index.array_file import map_arrays, write_arrays

ARRAYS = {
    "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
    "words": np.array([b"ion", b"electrolyte"]),
    "nothing": np.zeros((0, 4), dtype=np.int64),
    "digests": np.array([b"0123456789abcdef"], dtype="V16"),
    "bytes": np.frombuffer(b"line\n", dtype=np.uint8),
}


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "some.arrays"
    return path, write_arrays(path, ARRAYS)


def test_arrays_come_back_as_they_were(written):
    path, size = written
    assert size == path.stat().st_size
    found = map_arrays(path, size=size)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tolist() == array.tolist()


def test_mapped_arrays_cannot_be_written_to(written):
    path, size = written
    with pytest.raises(ValueError, match="read-only"):
        map_arrays(path, size=size)["floats"][0, 0] = 1


def test_arrays_lie_at_multiples_of_64_bytes(written):
    path, size = written
    for array in map_arrays(path, size=size).values():
        assert array.ctypes.data % 64 == 0


def test_big_endian_arrays_are_stored_little_endian(tmp_path):
    size = write_arrays(tmp_path / "a", {"x": np.arange(3, dtype=">i4")})
    found = map_arrays(tmp_path / "a", size=size)["x"]
    assert found.dtype.str == "<i4"
    assert found.tolist() == [0, 1, 2]


def test_an_existing_file_is_never_overwritten(written):
    with pytest.raises(FileExistsError):
        write_arrays(written[0], ARRAYS)


def test_a_cut_file_is_refused(written):
    path, size = written
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="bytes instead of"):
        map_arrays(path, size=size)


def header_of(description):
    header = json.dumps(description).encode()
    return b"VECTREE\x01" + len(header).to_bytes(8, "little") + header + bytes(64)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04\x95 a pickle",
        b"VECTREE\x01" + b"\xff" * 8,
        header_of([1, 2]),
        header_of({"x": ["<i4", [1 << 40], 0]}),
        header_of({"x": ["<i4", [-1], 0]}),
        header_of({"x": ["<i4", [1], -4]}),
        header_of({"x": ["|O", [1], 0]}),
        header_of({"x": ["no type", [1], 0]}),
        header_of({"x": "no description"}),
        b"VECTREE\x01" + (60_000).to_bytes(8, "little") + b"[" * 60_000,
    ],
)
def test_c38_what_is_no_file_of_arrays_is_refused(tmp_path, data):
    path = tmp_path / "hostile"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r".+"):
        map_arrays(path, size=len(data))
