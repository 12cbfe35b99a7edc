"""Names for entries in a vector store: unique over documents, builds and corpora, and bound to the text."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np

from vectree.index.segment import Prepared, Segment
from vectree.index.vector_store import StoredEntry


def new_space() -> str:
    """Invent a name for the space of a new build of an index.

    Returns:
        For example ``vectree-3f9a1c52e07b``.
    """
    return f"vectree-{secrets.token_hex(6)}"


def entry_key(space: str, doc_id: str, position: int, digest: bytes) -> str:
    """Name an entry.

    Args:
        space: The space it lies in.
        doc_id: Its document.
        position: Position among the document's entries, from 0, which is the document's own.
        digest: Digest of its text.

    Returns:
        For example ``vectree-3f9a1c52e07b:meyer2021-91aa:3:`` and 32 hexadecimal digits.
    """
    return f"{space}:{doc_id}:{position}:{digest.hex()}"


def is_whole(key: str) -> bool:
    """Whether a key names the entry of a document itself.

    Args:
        key: A key.

    Returns:
        False for an entry of a section.
    """
    return key.split(":")[-2:-1] == ["0"]


def stored_entries(space: str, paper: Prepared) -> list[StoredEntry]:
    """A paper's entries as a store takes them.

    Args:
        space: The space.
        paper: Entries, digests and vectors.

    Returns:
        One for each entry.
    """
    doc_id = paper.record.doc_id
    return [
        StoredEntry(
            key=entry_key(space, doc_id, position, digest),
            vector=vector,
            text=entry.text,
            doc_id=doc_id,
            whole=position == 0,
        )
        for position, (entry, digest, vector) in enumerate(
            zip(paper.entries, paper.digests, paper.vectors, strict=True)
        )
    ]


def segment_keys(space: str, segment: Segment) -> list[str]:
    """The keys of a segment's entries, those of removed documents included.

    Args:
        space: The space.
        segment: The segment.

    Returns:
        One for each entry, in order.
    """
    starts = segment.columns.first_entries
    sizes = np.diff(starts)
    positions = np.arange(segment.entries) - np.repeat(starts[:-1], sizes)
    doc_ids = np.repeat(segment.columns.doc_ids, sizes).tolist()
    return [
        entry_key(space, doc_id.decode(), position, digest)
        for doc_id, position, digest in zip(doc_ids, positions.tolist(), _digests(segment), strict=True)
    ]


def _digests(segment: Segment) -> Sequence[bytes]:
    return [digest.tobytes() for digest in segment.digests]
