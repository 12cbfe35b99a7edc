"""Groups of papers on one topic, by similarity of titles and descriptions and by shared keywords (§4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from vectree.document import DocumentStatus, Record
from vectree.errors import UsageError
from vectree.evaluate.datasets.sampling import draw_key
from vectree.evaluate.mosaic.settings import BuildSettings
from vectree.evaluate.papers import records
from vectree.evaluate.records import Papers
from vectree.evaluate.systems.chunk_index import embed_texts
from vectree.words import content_words

_USED = 0.05
"""Affinity that two papers lose each time they are drawn together, so that groups change."""


def neighbourhoods(papers: Papers, settings: BuildSettings) -> Iterator[tuple[str, ...]]:
    """Draw groups of papers, without end.

    Every paper begins a group in turn. A group grows by the paper that is nearest to all of its members;
    papers that were together before count as less near. Supplements are left out.

    Args:
        papers: The corpus.
        settings: Sizes, weight of keywords, seed.

    Yields:
        Documents of a group, the first one first; the same groups for the same corpus and settings.

    Raises:
        UsageError: If the corpus has too few papers with text.
    """
    held = _main_papers(records(papers))
    if len(held) < settings.fewest:
        raise UsageError(
            f"A question needs {settings.fewest} papers; the corpus has {len(held)} that can be used.",
            hint="Add papers, or ask for fewer with --papers.",
        )
    affinity = affinities(papers, held, settings.keyword_weight)
    order = sorted(range(len(held)), key=lambda place: draw_key(settings.seed, held[place].doc_id))
    together: Counter[tuple[int, int]] = Counter()
    for number in count():
        size = _size(settings, number, len(held))
        group = _grown(order[number % len(order)], size, affinity, together)
        together.update([(one, other) for one, other in combinations(sorted(group), 2)])
        yield tuple(held[place].doc_id for place in group)


def affinities(papers: Papers, held: Sequence[Record], weight: float) -> NDArray[np.float64]:
    """How near papers are to each other.

    Args:
        papers: The corpus; its embedder measures similarity (SPECTER2 in the paper).
        held: The n papers.
        weight: Share of keyword overlap, from 0 to 1; the rest is the cosine of title and description.

    Returns:
        Shape (n, n), symmetric.
    """
    texts = [f"{record.metadata.title}. {record.metadata.description}" for record in held]
    vectors = embed_texts(papers.embedder, texts)
    similar = np.asarray(vectors @ vectors.T, dtype=np.float64)
    words = [topic_words(record) for record in held]
    shared = [[_overlap(one, other) for other in words] for one in words]
    return (1.0 - weight) * similar + weight * np.asarray(shared, dtype=np.float64)


def topic_words(record: Record) -> frozenset[str]:
    """The words that say what a paper is about.

    Args:
        record: The paper.

    Returns:
        Words of its keywords; of title and description where it has none.
    """
    about = record.metadata
    text = " ".join(about.keywords) or f"{about.title} {about.description}"
    return frozenset(content_words(text))


def _main_papers(held: Sequence[Record]) -> list[Record]:
    """Papers with text; of a paper and its supplements the longest."""
    usable = {record.doc_id: record for record in held if record.status is DocumentStatus.OK}

    def longest(record: Record) -> bool:
        kin = [usable[name] for name in record.related if name in usable]
        return all((record.total_pages, record.doc_id) > (each.total_pages, each.doc_id) for each in kin)

    return [record for record in usable.values() if longest(record)]


def _size(settings: BuildSettings, number: int, held: int) -> int:
    spread = settings.most - settings.fewest + 1
    drawn = settings.fewest + int(draw_key(settings.seed, f"size {number}")[:8], 16) % spread
    return min(drawn, held)


def _grown(
    first: int, size: int, affinity: NDArray[np.float64], together: Counter[tuple[int, int]]
) -> list[int]:
    group = [first]
    while len(group) < size:
        others = [place for place in range(len(affinity)) if place not in group]
        group.append(max(others, key=lambda place: (_nearness(place, group, affinity, together), -place)))
    return group


def _nearness(
    place: int, group: Sequence[int], affinity: NDArray[np.float64], together: Counter[tuple[int, int]]
) -> float:
    pairs = [(min(place, member), max(place, member)) for member in group]
    return sum(float(affinity[pair]) - _USED * together[pair] for pair in pairs) / len(pairs)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    either = one | other
    return len(one & other) / len(either) if either else 0.0
