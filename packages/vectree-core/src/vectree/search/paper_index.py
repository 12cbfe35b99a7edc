"""One paper made searchable: every section, and passages of its pages, in memory and for as long as needed.

Nothing of this is stored. The corpus index holds top-level sections only; deeper ones are scored from the
text of the pages, and embedded by title and summary when a query first asks.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vectree.document import Node, Page, Record, SectionTree
from vectree.index.bm25 import score_bm25
from vectree.index.dense import cosines
from vectree.index.embedder import Embedder, Vectors, check_vectors, normalized
from vectree.index.postings import Postings, build_postings
from vectree.tree.slices import PagePiece, section_pieces
from vectree.tree.walk import walk_paths
from vectree.words import STOPWORDS, stem, words

PASSAGE_WORDS = 120
"""Length of the windows in which the words of a query are looked for together."""

EMBEDDED_A_QUERY = 24
"""Sections whose similarity a query looks at, the best by their words; the rest is found by its words alone."""

_MAX_PASSAGES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A window of a section's text on one page.

    Attributes:
        section: Position of the section in document order, from 0.
        page: Physical page.
        text: Markdown.
    """

    section: int
    page: int
    text: str


class PaperIndex:
    """The sections of one paper, ready to be scored.

    Args:
        record: The paper.
        tree: Its section tree.
        pages: Every page.
    """

    def __init__(self, record: Record, tree: SectionTree, pages: Sequence[Page]) -> None:
        self.record = record
        self.tree = tree
        self.paths: tuple[tuple[Node, ...], ...] = tuple(walk_paths(tree))
        pieces = section_pieces(tree, pages)
        texts = ["\n".join(piece.text for piece in pieces.get(path[-1].id, ())) for path in self.paths]
        self.passages = _passages([pieces.get(path[-1].id, ()) for path in self.paths])
        self._sections = build_postings(
            [_stemmed(f"{_titles(path)}\n{text}") for path, text in zip(self.paths, texts, strict=True)]
        )
        self._headings = build_postings([_stemmed(_titles(path)) for path in self.paths])
        self._windows = build_postings(
            [_stemmed(f"{_titles(self.paths[passage.section])}\n{passage.text}") for passage in self.passages]
        )
        self._vectors: dict[int, Vectors] = {}
        self._lock = threading.Lock()

    def sections_bm25(self, query: str) -> NDArray[np.float64]:
        """BM25 of each section's titles and own text.

        Args:
            query: Any text.

        Returns:
            Shape (sections,).
        """
        return _score(self._sections, query)

    def titles_bm25(self, query: str) -> NDArray[np.float64]:
        """BM25 of each section's titles, from the top level down.

        Args:
            query: Any text.

        Returns:
            Shape (sections,).
        """
        return _score(self._headings, query)

    def passages_bm25(self, query: str) -> NDArray[np.float64]:
        """BM25 of each passage under the titles of its section.

        Args:
            query: Any text.

        Returns:
            Shape (passages,).
        """
        return _score(self._windows, query)

    def similarities(self, query: Vectors, embedder: Embedder, bm25: NDArray[np.float64]) -> Vectors:
        """Cosines of a query with title and summary of each section that may matter.

        A paper of few sections is embedded whole by the first query. Of a book only the sections that its words
        find best are, so that a first query takes a second or two and not a minute; the answer does not depend
        on what was asked before.

        Args:
            query: Shape (dimension,), norm 1 or 0.
            embedder: Embeds the sections, each once.
            bm25: Of each section; shape (sections,).

        Returns:
            Shape (sections,); 0 for sections beyond the ``EMBEDDED_A_QUERY`` best.
        """
        likely = np.argsort(-bm25, kind="stable")[:EMBEDDED_A_QUERY]
        with self._lock:
            self._embed(embedder, [int(place) for place in likely if int(place) not in self._vectors])
            known = [self._vectors[int(place)] for place in likely]
        found = np.zeros(len(self.paths), dtype=np.float32)
        if known:
            found[likely] = cosines([np.stack(known)], query)
        return found

    def _embed(self, embedder: Embedder, places: Sequence[int]) -> None:
        if not places:
            return
        fingerprint = embedder.fingerprint
        paths = [self.paths[place] for place in places]
        texts = [f"{_titles(path)}\n{path[-1].summary}".strip() for path in paths]
        made = np.asarray(embedder.embed_documents(texts), dtype=np.float32)
        check_vectors(made, (len(texts), fingerprint.dimension), fingerprint.name)
        self._vectors.update(zip(places, normalized(made), strict=True))


def _score(postings: Postings, query: str) -> NDArray[np.float64]:
    return score_bm25(_stemmed(query), [(postings, np.ones(len(postings.lengths), dtype=np.bool_))]).bm25


def _stemmed(text: str) -> str:
    return " ".join(word if word in STOPWORDS else stem(word) for word in words(text))


def _titles(path: Sequence[Node]) -> str:
    """Titles from the top-level section down; synthetic ones are not the authors' words."""
    return " > ".join(node.title for node in path if not node.synthetic)


def _passages(sections: Sequence[Sequence[PagePiece]]) -> tuple[Passage, ...]:
    """Windows with half overlap, never across pages or sections."""
    found: list[Passage] = []
    for section, pieces in enumerate(sections):
        for piece in pieces:
            tokens = piece.text.split()
            for begin in range(0, max(len(tokens) - PASSAGE_WORDS // 2, 1), PASSAGE_WORDS // 2):
                window = " ".join(tokens[begin : begin + PASSAGE_WORDS])
                found.append(Passage(section=section, page=piece.page, text=window))
    return tuple(found[:_MAX_PASSAGES])
