"""Segments on disk: one file of arrays each, mapped into memory when opened."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from vectree.errors import CorpusDamaged
from vectree.index.array_file import map_arrays, write_arrays
from vectree.index.codes import Codes
from vectree.index.manifest import SegmentInfo, flush_folder
from vectree.index.postings import Postings
from vectree.index.rows import REINDEX
from vectree.index.segment import Columns, Segment

Arrays = dict[str, NDArray[Any]]

_TYPES = {
    "vectors": "<f4",
    "digests": "|V16",
    "terms": "S",
    "term_starts": "<i8",
    "posting_entries": "<i4",
    "posting_counts": "<u2",
    "lengths": "<i4",
    "doc_ids": "S",
    "titles": "S",
    "years": "<i4",
    "first_entries": "<i4",
    "row_starts": "<i8",
    "author_starts": "<i8",
    "journal_starts": "<i8",
    "rows": "|u1",
    "authors": "|u1",
    "journals": "|u1",
}

_CODE_TYPES = {"code_values": "|i1", "code_scales": "<f4", "code_norms": "<f4", "code_losses": "<f4"}
"""Arrays that a segment may lack, all or none of them."""


def write_segment(folder: Path, segment: Segment) -> SegmentInfo:
    """Write a segment under a fresh name; it exists once a manifest names it.

    Args:
        folder: The index folder.
        segment: What to write.

    Returns:
        What the manifest must say of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"segment-{secrets.token_hex(6)}"
    size = write_arrays(_path(folder, name), _arrays(segment))
    flush_folder(folder)
    return SegmentInfo(
        name=name, documents=segment.documents, entries=segment.entries, removed=(), bytes=size
    )


def open_segment(folder: Path, info: SegmentInfo) -> Segment:
    """Map a segment into memory.

    Args:
        folder: The index folder.
        info: What the manifest says of it.

    Returns:
        The segment; its arrays are read-only views of the file. If the file is gone, as happens when another
        process has just merged it, `FileNotFoundError` comes through.

    Raises:
        CorpusDamaged: If it was cut or altered.
    """
    path = _path(folder, info.name)
    try:
        arrays = map_arrays(path, size=info.bytes)
        _check_types(arrays)
        segment = _assemble(info.name, arrays)
        _check_shapes(segment, info)
    except ValueError as error:
        raise CorpusDamaged(f"The index file {path.name!r} is damaged: {error}.", hint=REINDEX) from error
    return segment


def sweep(folder: Path, keep: set[str]) -> None:
    """Delete segments that no manifest names: merged ones, and leftovers of a process that was killed.

    On POSIX a reader that has one mapped keeps its pages; on Windows the deletion fails and is made up for by
    the next writer.

    Args:
        folder: The index folder.
        keep: Names of living segments.
    """
    for path in folder.glob("segment-*.arrays"):
        if path.stem not in keep:
            with contextlib.suppress(OSError):
                path.unlink()


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.arrays"


def _check_types(arrays: Arrays) -> None:
    coded = any(name in arrays for name in _CODE_TYPES)
    for name, wanted in (_TYPES | _CODE_TYPES if coded else _TYPES).items():
        found = arrays[name].dtype.str if name in arrays else "nothing"
        if found.lstrip("|") != wanted.lstrip("|") and not (wanted == "S" and found.startswith("|S")):
            raise ValueError(f"{name} holds {found}")


def _check_shapes(segment: Segment, info: SegmentInfo) -> None:
    """Check that the arrays agree on the number of documents, entries, terms and postings."""
    postings, columns = segment.postings, segment.columns
    borders = (columns.first_entries, columns.row_starts, columns.author_starts, columns.journal_starts)
    documents = {len(columns.doc_ids), len(columns.titles), len(columns.years)}
    documents |= {len(border) - 1 for border in borders}
    entries = {len(segment.vectors), len(segment.digests), len(postings.lengths)}
    ends = [
        (postings.starts, len(postings.entries)),
        (postings.starts, len(postings.counts)),
        (columns.first_entries, info.entries),
        (columns.row_starts, len(segment.rows)),
        (columns.author_starts, len(segment.authors)),
        (columns.journal_starts, len(segment.journals)),
    ]
    if (codes := segment.codes) is not None:
        entries |= {len(codes.values), len(codes.scales), len(codes.norms), len(codes.losses)}
    if (
        documents != {info.documents}
        or entries != {info.entries}
        or segment.vectors.ndim != 2
        or (codes is not None and codes.values.shape != segment.vectors.shape)
        or len(postings.starts) != len(postings.terms) + 1
        or any(int(border[-1]) != size for border, size in ends)
        or any(not 0 <= place < info.documents for place in info.removed)
    ):
        raise ValueError("its arrays disagree")


def _arrays(segment: Segment) -> Arrays:
    postings, columns = segment.postings, segment.columns
    return {
        "vectors": segment.vectors,
        "digests": segment.digests,
        "terms": postings.terms,
        "term_starts": postings.starts,
        "posting_entries": postings.entries,
        "posting_counts": postings.counts,
        "lengths": postings.lengths,
        "doc_ids": columns.doc_ids,
        "titles": columns.titles,
        "years": columns.years,
        "first_entries": columns.first_entries,
        "row_starts": columns.row_starts,
        "author_starts": columns.author_starts,
        "journal_starts": columns.journal_starts,
        "rows": segment.rows,
        "authors": segment.authors,
        "journals": segment.journals,
        **_code_arrays(segment.codes),
    }


def _code_arrays(codes: Codes | None) -> Arrays:
    if codes is None:
        return {}
    return {
        "code_values": codes.values,
        "code_scales": codes.scales,
        "code_norms": codes.norms,
        "code_losses": codes.losses,
    }


def _assemble(name: str, arrays: Arrays) -> Segment:
    return Segment(
        name=name,
        vectors=arrays["vectors"],
        digests=arrays["digests"],
        postings=Postings(
            terms=arrays["terms"],
            starts=arrays["term_starts"],
            entries=arrays["posting_entries"],
            counts=arrays["posting_counts"],
            lengths=arrays["lengths"],
        ),
        columns=Columns(
            doc_ids=arrays["doc_ids"],
            titles=arrays["titles"],
            years=arrays["years"],
            first_entries=arrays["first_entries"],
            row_starts=arrays["row_starts"],
            author_starts=arrays["author_starts"],
            journal_starts=arrays["journal_starts"],
        ),
        rows=arrays["rows"],
        authors=arrays["authors"],
        journals=arrays["journals"],
        codes=_codes(arrays),
    )


def _codes(arrays: Arrays) -> Codes | None:
    if "code_values" not in arrays:
        return None
    return Codes(
        values=arrays["code_values"],
        scales=arrays["code_scales"],
        norms=arrays["code_norms"],
        losses=arrays["code_losses"],
    )
