"""Search over a synthetic library: time to the first result, latency, memory, cost of a change, exactness.

Papers have real words (QASPER) and vectors around two hundred random topics, so that some fifty to five
hundred papers lie above the dense gate of a query. Embedding a query is excluded; resident memory is that of
the whole process. Every list of results is compared with brute force over all vectors.

    python benchmarks/search_scale.py --data ../shared/data --papers 10000 --folder /tmp/scale-10000

The first run builds the library, the second measures (with a server, one run does both). With ``--index chroma`` or ``--index server`` the same
vectors are put into Chroma, embedded or behind a server that is run for the purpose, beside the exact index.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vectree.document import Record, SectionTree
from vectree.evidence import SearchResult
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import PAPER_GATES, Fingerprint, SimilarityGates, Vectors, normalized
from vectree.index.stores import resolve_store
from vectree.index.vector_store import VectorStore
from vectree.search.gates import thresholds_for
from vectree.search.hybrid import HybridSearch
from vectree.search.scoring import score
from vectree.testing.chroma_server import running_chroma
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
        return self._near(
            [int(text.partition("topic")[2].split(maxsplit=1)[0]) for text in texts], self._noise
        )

    def embed_query(self, text: str) -> Vectors:
        """A vector near a topic, both drawn by the text."""
        draw = random.Random(text)
        return self._near([draw.randrange(TOPICS)], np.random.default_rng(draw.randrange(1 << 32)))[0]

    def _near(self, topics: Sequence[int], draw: np.random.Generator) -> Vectors:
        noise = normalized(draw.standard_normal((len(topics), DIMENSION)).astype(np.float32))
        return normalized(CLOSENESS * self._topics[topics] + np.sqrt(1 - CLOSENESS**2) * noise)


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


def resident(process: Path = Path("/proc/self")) -> float:
    """Resident memory in MB; 0 where the system does not say."""
    status = process / "status"
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


class Took(NamedTuple):
    """Milliseconds by the clock, and of CPU time of all threads, which other work on the machine hardly changes."""

    wall: float
    cpu: float


def timed(action: Callable[[], object]) -> Took:
    """Time an action."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return Took((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3)


def show(name: str, times: list[Took]) -> None:
    """Print median, 95th percentile and maximum."""
    median, late, latest = np.percentile([took.wall for took in times], [50, 95, 100])
    cpu = np.median([took.cpu for took in times])
    print(
        f"{name:<20} median {median:7.1f} ms   p95 {late:7.1f} ms   max {latest:7.1f} ms   CPU {cpu:6.1f} ms"
    )


def brute_force(index: CorpusIndex, query: str) -> list[tuple[str, float]]:
    """Results by the cosines of every entry, computed without codes or store."""
    snapshot = index.snapshot()
    vector, thresholds = index.embedder.embed_query(query), thresholds_for(index.embedder)
    scored = score(snapshot, np.flatnonzero(snapshot.alive), query, vector, thresholds, every=True)
    ranking, chosen = scored.ranking, scored.chosen
    return [
        (snapshot.row(int(chosen[place])).doc_id, float(ranking.rrf[place])) for place in ranking.kept[:10]
    ]


def agreement(found: list[tuple[str, float]], wanted: list[tuple[str, float]]) -> float:
    """Share of the wanted results that were found."""
    return len({name for name, _ in found} & {name for name, _ in wanted}) / max(len(wanted), 1)


@contextmanager
def chosen_store(kind: str, folder: Path) -> Iterator[VectorStore | None]:
    """The vector store beside an index."""
    beside = folder.with_name(f"{folder.name}-{kind}")
    if kind == "exact":
        yield None
    elif kind == "chroma":
        yield resolve_store(f"chroma:{beside}-data", beside)
    else:
        with running_chroma(Path(f"{beside}-data")) as address:
            yield resolve_store(f"chroma:{address}", beside)
            pid = next(p for p in Path("/proc").iterdir() if p.name.isdecimal() and serves(p, address))
            print(f"resident, of the server      {resident(pid):.0f} MB")


def serves(process: Path, address: str) -> bool:
    """Whether a process is the Chroma server at an address."""
    try:
        command = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"run" in command and address.rpartition(":")[2].encode() in command


def build(chosen: argparse.Namespace, embedder: TopicEmbedder, store: VectorStore | None) -> None:
    """Build the exact index, or put its vectors into a store."""
    exact = CorpusIndex(chosen.folder, embedder)
    papers = library(chosen.data, chosen.papers)
    if store is None:
        took = timed(lambda: exact.add_all(papers))
    else:
        other = CorpusIndex(
            chosen.folder.with_name(f"{chosen.folder.name}-{chosen.index}"), embedder, store=store
        )
        took = timed(lambda: other.resume(papers, donor=exact))
    print(f"built in {took.wall / 1e3:.0f} s; run again to measure in a fresh process")


def measure(
    chosen: argparse.Namespace, embedder: TopicEmbedder, store: VectorStore | None, place: Path
) -> None:
    """Everything but building."""
    with gzip.open(chosen.data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        queries = [asked["question"] for x in json.load(file).values() for asked in x["qas"]][
            : chosen.queries
        ]
    start = time.perf_counter()
    index = CorpusIndex(place, embedder, store=store)
    search = HybridSearch(index, embedder)
    search.search(queries[0])
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"open and first search        {(time.perf_counter() - start) * 1e3:.0f} ms   {index.size}")
    results: list[SearchResult] = []
    show("search", [timed(lambda q=q: results.append(search.search(q))) for q in queries])
    matches = [result.total_matches for result in results]
    print(f"papers found: median {np.median(matches):.0f}, 5th to 95th percentile ", end="")
    print(*np.percentile(matches, [5, 95]).astype(int), sep=" to ", end=f";  resident {resident():.0f} MB\n")
    exact = CorpusIndex(chosen.folder, embedder)
    wanted = [brute_force(exact, query) for query in queries]
    found = [[(hit.doc_id, hit.rrf) for hit in result.hits] for result in results]
    same = sum(a == b for a, b in zip(found, wanted, strict=True))
    shared = np.mean([agreement(a, b) for a, b in zip(found, wanted, strict=True)])
    print(f"identical to brute force: {same} of {len(queries)} lists of ten; results shared {shared:.4f}")
    new = list(library(chosen.data, 60, first=chosen.papers))
    show("add a paper", [timed(lambda p=p: index.add(*p)) for p in new])
    show("remove a paper", [timed(lambda p=p: index.remove([p[0].doc_id])) for p in new])


def main() -> None:
    """Build the library if it is not there, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--index", choices=("exact", "chroma", "server"), default="exact")
    chosen = parser.parse_args()
    embedder = TopicEmbedder()
    place = (
        chosen.folder
        if chosen.index == "exact"
        else chosen.folder.with_name(f"{chosen.folder.name}-{chosen.index}")
    )
    if chosen.index == "server" and place.exists():
        parser.error(f"{place} belongs to a server that is gone; delete it and {place}-data")
    with chosen_store(chosen.index, chosen.folder) as store:
        if fresh := not place.exists():
            build(chosen, embedder, store)
        if not fresh or chosen.index == "server":
            measure(chosen, embedder, store, place)


if __name__ == "__main__":
    main()
