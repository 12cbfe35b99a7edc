"""VecTree's search beside three common hybrid retrievers, on the same entries and the same queries.

The library is the synthetic one of ``search_scale.py``. Every system gets the same entry texts, the same vectors
and the same query vectors, runs in a process of its own, and is asked for papers: the frameworks return entries,
of which 50 are asked for and grouped by paper. Reported are the time to open or build what the process needs,
median and 95th percentile of a query, resident memory, and which share of the ten best papers of an exact,
ungated fusion over papers is among the system's ten best.

* ``vectree``: exact, gated, grouped by paper, index on disk.
* ``llama-index``: QueryFusionRetriever over its BM25 retriever and a Chroma index (reciprocal rank, no query
  generation).
* ``langchain``: EnsembleRetriever over its BM25Retriever (rank-bm25) and Chroma.
* ``rank-bm25``: stock BM25Okapi and a numpy matrix, fused by reciprocal rank.

    python benchmarks/retrievers_side_by_side.py --data DATA --papers 10000 --folder /tmp/side-by-side

The first run makes the library and the Chroma collection first. Needs the extras ``chroma`` and
``all``, rank-bm25, llama-index-vector-stores-chroma, llama-index-retrievers-bm25, langchain-chroma,
langchain-classic and langchain-community.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from search_scale import TopicEmbedder, library, resident

from vectree.index.corpus_index import CorpusIndex
from vectree.index.entries import make_entries
from vectree.search.fusion import fuse, ranks
from vectree.search.hybrid import HybridSearch

QUERIES = 50
ENTRIES = 50
BEST = 10
CHROMA_BATCH = 5_000
SYSTEMS = ("vectree", "llama-index", "langchain", "rank-bm25")
Search = Callable[[str, np.ndarray], list[str]]
"""From a query and its vector to ``doc_id``s, best first, perhaps repeated."""


class Shared:
    """What every system is given: texts, their papers, vectors, queries.

    Args:
        folder: Where `make` put them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.texts: list[str] = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
        self.owners: list[str] = json.loads((folder / "owners.json").read_text(encoding="utf-8"))
        self.vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
        self.queries: list[str] = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
        self.query_vectors = np.load(folder / "query_vectors.npy", allow_pickle=False)


def make(folder: Path, data: Path, papers: int) -> None:
    """Make the library, VecTree's index and the Chroma collection once."""
    folder.mkdir(parents=True, exist_ok=True)
    embedder = TopicEmbedder()
    texts: list[str] = []
    owners: list[str] = []
    for record, tree in library(data, papers):
        entries = make_entries(record, tree)
        texts += [entry.text for entry in entries]
        owners += [record.doc_id] * len(entries)
    vectors = np.concatenate(
        [embedder.embed_documents(texts[i : i + 4096]) for i in range(0, len(texts), 4096)]
    )
    with gzip.open(data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        queries = [asked["question"] for x in json.load(file).values() for asked in x["qas"]][:QUERIES]
    np.save(folder / "vectors.npy", vectors)
    np.save(folder / "query_vectors.npy", np.stack([embedder.embed_query(query) for query in queries]))
    for name, value in (("texts", texts), ("owners", owners), ("queries", queries)):
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    CorpusIndex(folder / "index", Given(dict(zip(texts, vectors, strict=True)))).add_all(
        library(data, papers)
    )


def make_chroma(folder: Path) -> None:
    """Fill a Chroma collection with the entries; cosine."""
    shared = Shared(folder)
    collection = chroma(folder)
    for begin in range(0, len(shared.texts), CHROMA_BATCH):
        end = min(begin + CHROMA_BATCH, len(shared.texts))
        collection.add(
            ids=[str(place) for place in range(begin, end)],
            embeddings=np.asarray(shared.vectors[begin:end]),
            documents=shared.texts[begin:end],
            metadatas=[{"doc_id": owner} for owner in shared.owners[begin:end]],
        )
    (folder / "chroma-is-complete").touch()


def chroma(folder: Path) -> Any:
    """The collection, opened or created."""
    import chromadb

    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
    return client.get_or_create_collection("entries", metadata={"hnsw:space": "cosine"})


class Given(TopicEmbedder):
    """Vectors that were made before, by text; queries likewise.

    Args:
        known: Text → vector.
    """

    def __init__(self, known: dict[str, np.ndarray]) -> None:
        super().__init__()
        self._known = known

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        """Look texts up."""
        return np.stack([self._known[text] for text in texts]).astype(np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        """Look a query up."""
        return self._known[text]


def vectree(shared: Shared) -> Search:
    """VecTree as it is used."""
    embedder = Given(dict(zip(shared.queries, shared.query_vectors, strict=True)))
    search = HybridSearch(CorpusIndex(shared.folder / "index", embedder), embedder)
    return lambda query, vector: [hit.doc_id for hit in search.search(query, top_k=BEST).hits]


def llama_index(shared: Shared) -> Search:
    """LlamaIndex's fusion of its BM25 and Chroma."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.core.schema import QueryBundle, TextNode
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index.vector_stores.chroma import ChromaVectorStore

    nodes = [
        TextNode(id_=str(place), text=text, metadata={"doc_id": owner})
        for place, (text, owner) in enumerate(zip(shared.texts, shared.owners, strict=True))
    ]
    store = ChromaVectorStore(chroma_collection=chroma(shared.folder))
    index = VectorStoreIndex.from_vector_store(
        store, embed_model=MockEmbedding(embed_dim=shared.vectors.shape[1])
    )
    fused = QueryFusionRetriever(
        [
            index.as_retriever(similarity_top_k=ENTRIES),
            BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=ENTRIES),
        ],
        llm=MockLLM(),
        similarity_top_k=ENTRIES,
        num_queries=1,
        mode="reciprocal_rerank",
        use_async=False,
    )

    def search(query: str, vector: np.ndarray) -> list[str]:
        bundle = QueryBundle(query_str=query, embedding=vector.tolist())
        return [found.node.metadata["doc_id"] for found in fused.retrieve(bundle)]

    return search


def langchain(shared: Shared) -> Search:
    """LangChain's ensemble of rank-bm25 and Chroma."""
    from langchain_chroma import Chroma
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.embeddings import Embeddings

    known = dict(zip(shared.queries, shared.query_vectors.tolist(), strict=True))

    class Lookup(Embeddings):
        def embed_query(self, text: str) -> list[float]:
            return known[text]

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise NotImplementedError

    chroma(shared.folder)  # opened first, so that both use the same settings
    import chromadb

    client = chromadb.PersistentClient(
        str(shared.folder / "chroma"), settings=chromadb.Settings(anonymized_telemetry=False)
    )
    dense = Chroma(client=client, collection_name="entries", embedding_function=Lookup())
    sparse = BM25Retriever.from_texts(shared.texts, metadatas=[{"doc_id": owner} for owner in shared.owners])
    sparse.k = ENTRIES
    ensemble = EnsembleRetriever(
        retrievers=[dense.as_retriever(search_kwargs={"k": ENTRIES}), sparse], weights=[0.5, 0.5]
    )
    return lambda query, vector: [document.metadata["doc_id"] for document in ensemble.invoke(query)]


def rank_bm25(shared: Shared) -> Search:
    """Stock rank-bm25 and a matrix product over entries."""
    from rank_bm25 import BM25Okapi

    from vectree.words import words

    lexical = BM25Okapi([words(text) for text in shared.texts])
    matrix = np.array(shared.vectors)

    def search(query: str, vector: np.ndarray) -> list[str]:
        bm25, similarity = lexical.get_scores(words(query)), matrix @ vector
        order = np.arange(len(bm25))
        fused = fuse(ranks(similarity, similarity > 0, order), ranks(bm25, bm25 > 0, order))
        return [shared.owners[place] for place in np.argsort(-fused, kind="stable")[:ENTRIES]]

    return search


def exact(shared: Shared) -> Search:
    """The measure: fusion over papers of all entries, nothing approximate, nothing gated."""
    embedder = Given(dict(zip(shared.queries, shared.query_vectors, strict=True)))
    search = HybridSearch(CorpusIndex(shared.folder / "index", embedder), embedder)
    return lambda query, vector: [hit.doc_id for hit in search.search(query, top_k=BEST, gates=False).hits]


BUILDERS = {
    "vectree": vectree,
    "llama-index": llama_index,
    "langchain": langchain,
    "rank-bm25": rank_bm25,
    "exact": exact,
}


def run(name: str, folder: Path) -> dict[str, Any]:
    """Measure one system in this process."""
    shared = Shared(folder)
    start = time.perf_counter()
    search = BUILDERS[name](shared)
    search(shared.queries[0], shared.query_vectors[0])
    opened = time.perf_counter() - start
    times: list[float] = []
    found: list[list[str]] = []
    for query, vector in zip(shared.queries, shared.query_vectors, strict=True):
        begin = time.perf_counter()
        papers = search(query, vector)
        times.append((time.perf_counter() - begin) * 1e3)
        found.append(list(dict.fromkeys(papers))[:BEST])
    median, late = np.percentile(times, [50, 95])
    return {
        "system": name,
        "open_s": round(opened, 1),
        "median_ms": round(float(median), 1),
        "p95_ms": round(float(late), 1),
        "resident_mb": round(resident()),
        "found": found,
    }


def main() -> None:
    """Build, or measure every system in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--run", choices=sorted(BUILDERS), help="measure this system alone, in this process")
    chosen = parser.parse_args()
    if chosen.run:
        print(json.dumps(run(chosen.run, chosen.folder)))
        return
    if not (chosen.folder / "index").exists():
        make(chosen.folder, chosen.data, chosen.papers)
    if not (chosen.folder / "chroma-is-complete").exists():
        make_chroma(chosen.folder)
    rows: dict[str, Any] = {}
    for name in ("exact", *SYSTEMS):
        command = [sys.executable, __file__, "--folder", str(chosen.folder), "--run", name]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode:
            print(f"{name}: {answer.stderr.strip().splitlines()[-1]}")
            continue
        rows[name] = json.loads(answer.stdout.strip().splitlines()[-1])
    print(f"{'system':<14}{'open':>8}{'median':>10}{'p95':>10}{'resident':>11}{'of the ten best':>17}")
    for name in SYSTEMS:
        if (row := rows.get(name)) is not None:
            shares = [
                len(set(a) & set(b)) / BEST for a, b in zip(row["found"], rows["exact"]["found"], strict=True)
            ]
            print(
                f"{name:<14}{row['open_s']:>6.1f} s{row['median_ms']:>7.1f} ms{row['p95_ms']:>7.1f} ms"
                f"{row['resident_mb']:>8} MB{np.mean(shares):>16.2f}"
            )


if __name__ == "__main__":
    main()
