"""From a paper to entries with vectors: what happens before anything is written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from vectree.document import Record, SectionTree
from vectree.index.embedder import Embedder, TokenCapped, Vectors, check_vectors, normalized
from vectree.index.entries import Entry, EntryReport, Template, has_entry, make_entries
from vectree.index.segment import Prepared


def prepare(
    record: Record,
    tree: SectionTree,
    *,
    template: Template,
    embedder: Embedder,
    known: Mapping[bytes, Vectors],
) -> tuple[Prepared, EntryReport]:
    """Write the entries of a document and embed those that are new.

    Args:
        record: The document.
        tree: Its section tree.
        template: How the document entry is written.
        embedder: Makes the vectors.
        known: Vectors of its former version by the digest of their text.

    Returns:
        The document ready to be written, and what was done.
    """
    entries = make_entries(record, tree, template)
    digests = tuple(digest_of(entry.text) for entry in entries)
    new = [place for place, digest in enumerate(digests) if digest not in known]
    made = dict(zip(new, _embed(embedder, [entries[place].text for place in new]), strict=True))
    vectors = [made[place] if place in made else known[digest] for place, digest in enumerate(digests)]
    report = EntryReport(
        doc_id=record.doc_id,
        entries=len(entries),
        embedded=len(new),
        truncated=_truncated(embedder, entries),
        left_out=tuple(node.id for node in tree.nodes if not has_entry(node, template)),
    )
    return Prepared(record=record, entries=entries, digests=digests, vectors=np.stack(vectors)), report


def _embed(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    fingerprint = embedder.fingerprint
    shape = (len(texts), fingerprint.dimension)
    if not texts:
        return np.zeros(shape, dtype=np.float32)
    vectors = np.asarray(embedder.embed_documents(texts), dtype=np.float32)
    check_vectors(vectors, shape, fingerprint.name)
    return normalized(vectors)


def _truncated(embedder: Embedder, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Entries longer than the embedder reads, by its own tokenizer; none if it knows no cap."""
    if not isinstance(embedder, TokenCapped):
        return ()
    counts = embedder.count_tokens([entry.text for entry in entries])
    return tuple(
        entry.node_id for entry, count in zip(entries, counts, strict=True) if count > embedder.max_tokens
    )


def digest_of(text: str) -> bytes:
    """By what the text of an entry is known again.

    Args:
        text: Any text.

    Returns:
        16 bytes.
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
