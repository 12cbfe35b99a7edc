"""VecTree beside LlamaIndex's own ways of retrieving, on the twelve LitQA2 papers and questions.

Every system embeds with the same MiniLM and reads the same page texts, those of VecTree's parser, so that parsing
makes no difference. LlamaIndex's ways: a Chroma vector index over chunks of 512 tokens, its BM25 retriever over the
same chunks, and the hierarchical parser with `AutoMergingRetriever`. Nodes carry the metadata of a usual loader
(file name and page label), not VecTree's. Question texts are not printed; the questions' licence and canary ask for that.

    python benchmarks/llama_index_side_by_side.py --data ../shared/data --corpus /tmp/litqa2-corpus

Needs llama-index-retrievers-bm25, llama-index-vector-stores-chroma, and the extra ``minilm``.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter, get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.storage.docstore import SimpleDocumentStore

from llama_index_vectree import VecTreeAgent, VecTreeRetriever
from vectree import Corpus
from vectree.index.entries import make_entries
from vectree.tokens import count_tokens

CHUNK, OVERLAP, LEVELS, BATCH = 512, 50, [2048, 512, 128], 64
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


class CoreEmbedding(BaseEmbedding):
    """The corpus's own embedder, for LlamaIndex; vectors are kept on disk, so that a stopped run goes on."""

    _embedder: Any = PrivateAttr()
    _cache: Path | None = PrivateAttr()
    _known: dict[str, list[float]] = PrivateAttr(default_factory=dict)

    def __init__(self, corpus: Corpus, cache: Path | None) -> None:
        super().__init__(model_name="minilm", embed_batch_size=BATCH)
        self._embedder, self._cache = corpus.embedder, cache
        if cache is not None and cache.exists():
            with np.load(cache) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"].tolist(), strict=True))

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            vectors = self._embedder.embed_documents(list(missing.values())).tolist()
            self._known |= zip(missing, vectors, strict=True)
        return [self._known[key] for key in keys]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.embed_query(query).tolist()

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def save(self) -> None:
        """Keep the vectors of all texts embedded so far."""
        if self._cache is not None and self._known:
            vectors = np.array(list(self._known.values()), dtype=np.float32)
            np.savez(self._cache, keys=np.array(list(self._known)), vectors=vectors)


def page_documents(corpus: Corpus) -> list[Document]:
    """Every page with text, as a loader would give it."""
    hidden = ["doc_id", "page"]
    return [
        Document(
            id_=f"{record.doc_id}-{page.number}",
            text=page.text,
            metadata={
                "file_name": record.source.rsplit("/", 1)[-1],
                "page_label": str(page.number),
                "doc_id": record.doc_id,
                "page": page.number,
            },
            excluded_llm_metadata_keys=hidden,
            excluded_embed_metadata_keys=[*hidden, "file_name", "page_label"],
        )
        for record in corpus.list()
        for page in corpus.pages(record.doc_id)
        if page.text.strip()
    ]


def found(nodes: Sequence[NodeWithScore]) -> Found:
    """Pages and tokens of retrieved nodes, as a query engine shows them to a model."""
    pages = dict.fromkeys((n.node.metadata["doc_id"], int(n.node.metadata["page"])) for n in nodes)
    return list(pages), sum(count_tokens(n.node.get_content(MetadataMode.LLM)) for n in nodes)


def asking(retriever: BaseRetriever) -> Callable[[str], Found]:
    """Pages and tokens by a retriever."""
    return lambda question: found(retriever.retrieve(question))


def llama_index_systems(corpus: Corpus, k: int, cache: Path | None) -> list[System]:
    """Chroma, BM25, and merged leaves."""
    import chromadb
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index.vector_stores.chroma import ChromaVectorStore

    embedding, pages = CoreEmbedding(corpus, cache), page_documents(corpus)
    chunks = SentenceSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP).get_nodes_from_documents(pages)
    client = chromadb.EphemeralClient(chromadb.config.Settings(anonymized_telemetry=False))

    def chroma(name: str, store: SimpleDocumentStore | None = None) -> StorageContext:
        collection = client.create_collection(name, configuration={"hnsw": {"space": "cosine"}})
        vectors = ChromaVectorStore(chroma_collection=collection)
        return StorageContext.from_defaults(vector_store=vectors, docstore=store)

    index = VectorStoreIndex(chunks, storage_context=chroma("chunks"), embed_model=embedding)
    embedding.save()
    all_nodes = HierarchicalNodeParser.from_defaults(chunk_sizes=LEVELS).get_nodes_from_documents(pages)
    leaves, store = get_leaf_nodes(all_nodes), SimpleDocumentStore()
    store.add_documents(all_nodes)
    context = chroma("leaves", store)
    leaf_index = VectorStoreIndex(leaves, storage_context=context, embed_model=embedding)
    embedding.save()
    dense, sparse = (
        index.as_retriever(similarity_top_k=k),
        BM25Retriever.from_defaults(nodes=chunks, similarity_top_k=k),
    )
    merging = AutoMergingRetriever(leaf_index.as_retriever(similarity_top_k=6 * k), context)
    return [
        System(name=f"Chroma index, k={k}", find=asking(dense), vectors=len(chunks)),
        System(name=f"BM25 retriever, k={k}", find=asking(sparse), vectors=0),
        System(name=f"AutoMerging, {6 * k} leaves", find=asking(merging), vectors=len(leaves)),
    ]


def agent_pages(corpus: Corpus) -> Callable[[str], Found]:
    """What the agent reads with the ``extractive`` model; tokens are those of all observations."""

    async def ask(question: str) -> Any:
        return (await VecTreeAgent(corpus).run(question)).vectree_answer

    def find(question: str) -> Found:
        steps = asyncio.run(ask(question))["trajectory"]
        pages = dict.fromkeys((doc_id, page) for step in steps for doc_id, page in step["sources"])
        return list(pages), sum(step["tokens"] for step in steps)

    return find


def vectree_systems(corpus: Corpus, k: int, vectors: int) -> list[System]:
    """The retriever, evenly over papers and deeper into each, and the agent."""
    even, deep = VecTreeRetriever(corpus, k), VecTreeRetriever(corpus, k, per_paper=k)
    return [
        System(name=f"VecTree retriever, k={k}", find=asking(even), vectors=vectors),
        System(name=f"VecTree retriever, k={k}, per_paper={k}", find=asking(deep), vectors=vectors),
        System(name="VecTree agent, extractive", find=agent_pages(corpus), vectors=vectors),
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
    for system in llama_index_systems(corpus, options.k, options.cache):
        print(row(system, questions), flush=True)


if __name__ == "__main__":
    main()
