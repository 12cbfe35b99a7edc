"""The lowest layer of a RAPTOR tree."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.evaluate.metrics.spans import pages_spanned
from vectree.evaluate.systems.chunks import Chunk, joined, passage_chunks
from vectree.evaluate.systems.raptor.presets import Leaves, RaptorSettings
from vectree.sentences import sentence_spans
from vectree.tokens import CHARACTERS_PER_TOKEN


def leaves_of(doc_id: str, pages: Sequence[str], settings: RaptorSettings) -> list[Chunk]:
    """Cut a document into leaves.

    Args:
        doc_id: The document.
        pages: Its pages.
        settings: What leaves are.

    Returns:
        Leaves in order.
    """
    if settings.leaves is Leaves.PASSAGES:
        return passage_chunks(doc_id, pages, tokens=settings.leaf_tokens, overlap=settings.overlap_tokens)
    return sentence_chunks(doc_id, pages, settings.leaf_tokens)


def sentence_chunks(doc_id: str, pages: Sequence[str], tokens: int) -> list[Chunk]:
    """Cut a document into runs of whole sentences.

    Args:
        doc_id: The document.
        pages: Its pages.
        tokens: Length of a run; a longer sentence is cut where its length demands.

    Returns:
        Runs in order; each spans the pages it stands on.
    """
    starts, text = joined(pages)
    room = tokens * CHARACTERS_PER_TOKEN
    found: list[Chunk] = []
    for start, end in _runs(_cut(sentence_spans(text), room), room):
        numbers = tuple(number for number in pages_spanned(starts, start, end) if pages[number - 1])
        found.append(Chunk(doc_id=doc_id, text=" ".join(text[start:end].split()), pages=numbers))
    return found


def _cut(spans: Sequence[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    return [(cut, min(cut + room, end)) for start, end in spans for cut in range(start, end, room)]


def _runs(spans: Sequence[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for start, end in spans:
        if runs and end - runs[-1][0] <= room:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs
