"""LangChain's side of `frameworks_side_by_side.py`: its own ways of retrieving, and VecTree in them.

LangChain's ways: Chroma over chunks; `EnsembleRetriever` over Chroma and BM25; `ParentDocumentRetriever`, whose
chunks lead to whole pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from frameworks_side_by_side import CachedEmbedder, Found, System
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryStore

from langchain_vectree import VecTreeRetriever
from langchain_vectree.graph import create_vectree_graph
from vectree import Corpus
from vectree.tokens import count_tokens

CHUNK, OVERLAP, SMALL = 1000, 200, 400


class CoreEmbeddings(Embeddings):
    """The corpus's own embedder, for LangChain."""

    def __init__(self, embedder: CachedEmbedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        return self._embedder.documents(texts)

    def embed_query(self, text: str) -> list[float]:
        """Embed a query."""
        return self._embedder.query(text)


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


def langchain_systems(corpus: Corpus, k: int, embedder: CachedEmbedder) -> list[System]:
    """Chroma, an ensemble, and parent documents."""
    import chromadb
    from langchain_chroma import Chroma
    from langchain_classic.retrievers import EnsembleRetriever, ParentDocumentRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    embeddings, pages = CoreEmbeddings(embedder), page_documents(corpus)
    chunks = RecursiveCharacterTextSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP).split_documents(pages)
    cosine: dict[str, Any] = {
        "collection_configuration": {"hnsw": {"space": "cosine"}},
        "client": chromadb.EphemeralClient(chromadb.config.Settings(anonymized_telemetry=False)),
    }
    chroma = Chroma("langchain-chunks", embeddings, **cosine)
    chroma.add_documents(chunks)
    dense = chroma.as_retriever(search_kwargs={"k": k})
    sparse = BM25Retriever.from_documents(chunks, k=k)
    ensemble = EnsembleRetriever(retrievers=[dense, sparse], weights=[0.5, 0.5])
    small = Chroma("langchain-small", embeddings, **cosine)
    parents = ParentDocumentRetriever(
        vectorstore=small,
        docstore=InMemoryStore(),
        child_splitter=RecursiveCharacterTextSplitter(chunk_size=SMALL),
        search_kwargs={"k": 2 * k},
    )
    parents.add_documents(pages)
    return [
        System(name=f"LangChain: Chroma, k={k}", find=lambda q: found(dense.invoke(q)), vectors=len(chunks)),
        System(
            name=f"LangChain: Ensemble, k={k}",
            find=lambda q: found(ensemble.invoke(q)[:k]),
            vectors=len(chunks),
        ),
        System(
            name=f"LangChain: ParentDocument, k={k}",
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
        System(
            name=f"LangChain: VecTree retriever, k={k}", find=lambda q: found(even.invoke(q)), vectors=vectors
        ),
        System(
            name=f"LangChain: VecTree retriever, k={k}, per_paper={k}",
            find=lambda q: found(deep.invoke(q)),
            vectors=vectors,
        ),
        System(name="LangGraph: VecTree graph, extractive", find=graph_pages(corpus), vectors=vectors),
    ]
