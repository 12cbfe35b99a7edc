"""Search over a synthetic library: time to the first result, latency, memory, cost of a change.

Papers have real words (QASPER) and vectors around two hundred random topics, so that some fifty to five
hundred papers lie above the dense gate of a query. Embedding a query is excluded; resident memory is that of
the whole process.

    python benchmarks/search_scale.py --data ../shared/data --papers 10000 --folder /tmp/scale-10000
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from vectree.document import Record, SectionTree
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import PAPER_GATES, Fingerprint, SimilarityGates, Vectors, normalized
from vectree.search.hybrid import HybridSearch
from vectree.testing.entries import make_paper

DIMENSION = 768
SECTIONS = 10
TOPICS = 200
CLOSENESS = 0.75


class TopicEmbedder:
    """Vectors near the topic that a text names as ``topicN``."""

    fingerprint = Fingerprint(name="topics", revision="1", pooling="none", dimension=DIMENSION)
    gates: SimilarityGates = PAPER_GATES

    def __init__(self) -> None:
        self._topics = normalized(
            np.random.default_rng(0).standard_normal((TOPICS, DIMENSION)).astype(np.float32)
        )
        self._noise = np.random.default_rng(1)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """A vector near each text's topic."""
        topics = [int(text.partition("topic")[2].split(maxsplit=1)[0]) for text in texts]
        noise = normalized(self._noise.standard_normal((len(texts), DIMENSION)).astype(np.float32))
        return normalized(CLOSENESS * self._topics[topics] + np.sqrt(1 - CLOSENESS**2) * noise)

    def embed_query(self, text: str) -> Vectors:
        """A vector near a topic drawn by the text."""
        return self.embed_documents([f"topic{random.Random(text).randrange(TOPICS)} "])[0]


def library(data: Path, papers: int, first: int = 0) -> Iterator[tuple[Record, SectionTree]]:
    """Synthetic papers; the same for the same numbers."""
    with gzip.open(data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        source = list(json.load(file).values())
    paragraphs = [p.split() for x in source for s in x["full_text"] for p in s["paragraphs"] if len(p) > 200]
    titles = [x["title"] for x in source]
    for number in range(first, first + papers):
        draw = random.Random(number)
        topic = draw.randrange(TOPICS)

        def words(draw: random.Random = draw) -> str:
            paragraph = draw.choice(paragraphs)
            begin = draw.randrange(max(1, len(paragraph) - 80))
            return " ".join(paragraph[begin : begin + 80])

        yield make_paper(
            f"p{number:06d}",
            title=f"{draw.choice(titles)} topic{topic} study",
            description=words()[:150],
            sections={f"Section {i} topic{topic} part": words() for i in range(SECTIONS)},
            authors=tuple(f"{draw.choice('ABCDEF')}. Name{draw.randrange(5_000)}" for _ in range(5)),
            year=draw.randrange(1990, 2027),
            journal=f"Journal of {draw.randrange(100)}",
        )


def resident() -> float:
    """Resident memory in MB; 0 where the system does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def timed(action: Callable[[], object]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def show(name: str, times: list[float]) -> None:
    """Print median, 95th percentile and maximum."""
    median, late = np.percentile(times, [50, 95])
    print(f"{name:<28} median {median:7.1f} ms   p95 {late:7.1f} ms   max {max(times):7.1f} ms")


def main() -> None:
    """Build the library if it is not there, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, required=True)
    chosen = parser.parse_args()
    embedder = TopicEmbedder()
    if not chosen.folder.exists():
        took = timed(
            lambda: CorpusIndex(chosen.folder, embedder).add_all(library(chosen.data, chosen.papers))
        )
        print(f"built in {took / 1e3:.0f} s; run again to measure in a fresh process")
        return
    with gzip.open(chosen.data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        queries = [asked["question"] for x in json.load(file).values() for asked in x["qas"]][:200]
    start = time.perf_counter()
    index = CorpusIndex(chosen.folder, embedder)
    search = HybridSearch(index, embedder)
    search.search(queries[0])
    print(f"open and first search        {(time.perf_counter() - start) * 1e3:.0f} ms   {index.size}")
    matches: list[int] = []
    show("search", [timed(lambda q=q: matches.append(search.search(q).total_matches)) for q in queries])
    print(f"papers found: median {np.median(matches):.0f}, 5th to 95th percentile ", end="")
    print(*np.percentile(matches, [5, 95]).astype(int), sep=" to ", end=f";  resident {resident():.0f} MB\n")
    new = list(library(chosen.data, 60, first=chosen.papers))
    show("add a paper", [timed(lambda p=p: index.add(*p)) for p in new])
    show("remove a paper", [timed(lambda p=p: index.remove([p[0].doc_id])) for p in new])


if __name__ == "__main__":
    main()
