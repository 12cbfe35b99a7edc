"""Exact dense search over units of retrieval, and its fusion with BM25."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.evaluate.records import OnProgress, Papers
from vectree.evaluate.systems.chunks import Chunk, Passage, page_texts
from vectree.index.bm25 import score_bm25
from vectree.index.dense import cosines
from vectree.index.embedder import Embedder, Vectors, check_vectors, normalized
from vectree.index.postings import Mask, Postings, build_postings
from vectree.search.fusion import fuse, ranks

Chunker = Callable[[str, Sequence[str]], list[Chunk]]
"""From a document and its pages to units of retrieval."""

_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChunkIndex:
    """Units of retrieval with their vectors and words.

    Attributes:
        chunks: The n units, document by document.
        vectors: Shape (n, dimension), rows of norm 1 or 0.
        postings: Over the n units; ``None`` if only vectors are searched.
        spans: Where each document's units lie.
        embedder: Embeds queries.
        seconds: Building it took, without reading the pages.
    """

    chunks: tuple[Chunk, ...]
    vectors: Vectors
    postings: Postings | None
    spans: dict[str, slice]
    embedder: Embedder
    seconds: float

    @property
    def index_bytes(self) -> int:
        """Bytes of vectors and postings."""
        if self.postings is None:
            return self.vectors.nbytes
        words = self.postings
        arrays = (words.terms, words.starts, words.entries, words.counts, words.lengths)
        return self.vectors.nbytes + sum(array.nbytes for array in arrays)

    def dense(self, query: str, documents: Iterable[str], k: int) -> list[Chunk]:
        """Rank by cosine.

        Args:
            query: What is looked for.
            documents: Where to look.
            k: Most units to return.

        Returns:
            Units, best first; ties in document order.
        """
        places = self._places(documents)
        similar = cosines([self.vectors[places]], embed_query(self.embedder, query))
        best = np.argsort(-similar, kind="stable")[:k]
        return [self.chunks[places[place]] for place in best]

    def fused(self, query: str, documents: Iterable[str], k: int) -> list[Chunk]:
        """Rank by cosine and by BM25, and fuse the ranks (Eq. 4); no gates.

        The statistics of BM25 are those of the documents looked at.

        Args:
            query: What is looked for.
            documents: Where to look.
            k: Most units to return.

        Returns:
            Units, best first; ties in document order.
        """
        if self.postings is None:
            return self.dense(query, documents, k)
        places = self._places(documents)
        alive: Mask = np.zeros(len(self.chunks), dtype=np.bool_)
        alive[places] = True
        similar = cosines([self.vectors[places]], embed_query(self.embedder, query))
        lexical = score_bm25(query, [(self.postings, alive)]).bm25[places]
        order = np.arange(len(places), dtype=np.int64)
        everyone: Mask = np.ones(len(places), dtype=np.bool_)
        rrf = fuse(ranks(similar, everyone, order), ranks(lexical, lexical > 0, order))
        best = np.argsort(-rrf, kind="stable")[:k]
        return [self.chunks[places[place]] for place in best]

    def _places(self, documents: Iterable[str]) -> NDArray[np.int64]:
        spans = [self.spans[name] for name in documents if name in self.spans]
        found = [np.arange(span.start, span.stop, dtype=np.int64) for span in spans]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def build_index(
    papers: Papers, chunker: Chunker, *, lexical: bool = False, on_progress: OnProgress | None = None
) -> ChunkIndex:
    """Cut, embed and index a corpus.

    Args:
        papers: The corpus.
        chunker: Cuts a document.
        lexical: Whether words are indexed too.
        on_progress: Called with units embedded and units in all.

    Returns:
        The index.
    """
    by_document = {doc_id: chunker(doc_id, page_texts(papers, doc_id)) for doc_id in papers.doc_ids}
    started = time.perf_counter()
    spans: dict[str, slice] = {}
    chunks: list[Chunk] = []
    for doc_id, made in by_document.items():
        spans[doc_id] = slice(len(chunks), len(chunks) + len(made))
        chunks += made
    texts = [chunk.text for chunk in chunks]
    vectors = embed_texts(papers.embedder, texts, on_progress)
    return ChunkIndex(
        chunks=tuple(chunks),
        vectors=vectors,
        postings=build_postings(texts) if lexical else None,
        spans=spans,
        embedder=papers.embedder,
        seconds=time.perf_counter() - started,
    )


def units_in_order(chunks: Iterable[Passage]) -> tuple[tuple[str, int], ...]:
    """The evidence units of ranked chunks.

    Args:
        chunks: Best first.

    Returns:
        Each unit once, in the order of its first chunk.
    """
    return tuple(dict.fromkeys(unit for chunk in chunks for unit in chunk.units))


def embed_texts(embedder: Embedder, texts: Sequence[str], on_progress: OnProgress | None = None) -> Vectors:
    """Embed units of retrieval.

    Args:
        embedder: The corpus's embedder.
        texts: Their texts.
        on_progress: Called with units embedded and units in all.

    Returns:
        Shape (len(texts), dimension), rows of norm 1 or 0.
    """
    dimension = embedder.fingerprint.dimension
    rows = np.zeros((len(texts), dimension), dtype=np.float32)
    for begin in range(0, len(texts), _BATCH):
        batch = texts[begin : begin + _BATCH]
        vectors = np.asarray(embedder.embed_documents(batch), dtype=np.float32)
        check_vectors(vectors, (len(batch), dimension), embedder.fingerprint.name)
        rows[begin : begin + len(batch)] = normalized(vectors)
        if on_progress is not None:
            on_progress(begin + len(batch), len(texts), "passages embedded")
    return rows


def embed_query(embedder: Embedder, query: str) -> Vectors:
    """Embed what is looked for.

    Args:
        embedder: The corpus's embedder.
        query: The query.

    Returns:
        Shape (dimension,), norm 1 or 0.
    """
    vector = np.asarray(embedder.embed_query(query), dtype=np.float32)
    check_vectors(vector, (embedder.fingerprint.dimension,), embedder.fingerprint.name)
    return normalized(vector)
