"""LlamaIndex's side of `frameworks_side_by_side.py`: its own ways of retrieving, and VecTree in them.

LlamaIndex's ways: a Chroma vector index over chunks of 512 tokens, its BM25 retriever over the same chunks, and the
hierarchical parser with `AutoMergingRetriever`. Nodes carry the metadata of a usual loader (file name and page
label), not VecTree's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from frameworks_side_by_side import BATCH, CachedEmbedder, Found, System
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
from vectree.tokens import count_tokens

CHUNK, OVERLAP, LEVELS = 512, 50, [2048, 512, 128]


class CoreEmbedding(BaseEmbedding):
    """The corpus's own embedder, for LlamaIndex."""

    _embedder: CachedEmbedder = PrivateAttr()

    def __init__(self, embedder: CachedEmbedder) -> None:
        super().__init__(model_name="minilm", embed_batch_size=BATCH)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.documents(texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embedder.documents([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._embedder.query(query)


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


def llama_index_systems(corpus: Corpus, k: int, embedder: CachedEmbedder) -> list[System]:
    """Chroma, BM25, and merged leaves."""
    import chromadb
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index.vector_stores.chroma import ChromaVectorStore

    embedding, pages = CoreEmbedding(embedder), page_documents(corpus)
    chunks = SentenceSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP).get_nodes_from_documents(pages)
    client = chromadb.EphemeralClient(chromadb.config.Settings(anonymized_telemetry=False))

    def chroma(name: str, store: SimpleDocumentStore | None = None) -> StorageContext:
        collection = client.create_collection(name, configuration={"hnsw": {"space": "cosine"}})
        vectors = ChromaVectorStore(chroma_collection=collection)
        return StorageContext.from_defaults(vector_store=vectors, docstore=store)

    index = VectorStoreIndex(chunks, storage_context=chroma("chunks"), embed_model=embedding)
    all_nodes = HierarchicalNodeParser.from_defaults(chunk_sizes=LEVELS).get_nodes_from_documents(pages)
    leaves, store = get_leaf_nodes(all_nodes), SimpleDocumentStore()
    store.add_documents(all_nodes)
    context = chroma("leaves", store)
    leaf_index = VectorStoreIndex(leaves, storage_context=context, embed_model=embedding)
    dense, sparse = (
        index.as_retriever(similarity_top_k=k),
        BM25Retriever.from_defaults(nodes=chunks, similarity_top_k=k),
    )
    merging = AutoMergingRetriever(leaf_index.as_retriever(similarity_top_k=6 * k), context)
    return [
        System(name=f"LlamaIndex: Chroma index, k={k}", find=asking(dense), vectors=len(chunks)),
        System(name=f"LlamaIndex: BM25 retriever, k={k}", find=asking(sparse), vectors=0),
        System(name=f"LlamaIndex: AutoMerging, {6 * k} leaves", find=asking(merging), vectors=len(leaves)),
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
        System(name=f"LlamaIndex: VecTree retriever, k={k}", find=asking(even), vectors=vectors),
        System(
            name=f"LlamaIndex: VecTree retriever, k={k}, per_paper={k}", find=asking(deep), vectors=vectors
        ),
        System(name="LlamaIndex: VecTree agent, extractive", find=agent_pages(corpus), vectors=vectors),
    ]
