"""Which way of writing entries finds a paper by a sentence from its body (§3.4).

Sentences that stand in no summary are drawn from the pages of a corpus with a fixed seed; each is a query
whose right answer is its own paper. Every entry template is indexed anew in a temporary folder.

    vectree add ../shared/data/pdfs --corpus /tmp/pdfs-corpus
    python benchmarks/entry_templates.py --corpus /tmp/pdfs-corpus
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np

from vectree import Corpus
from vectree.document import Record, SectionTree
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.entries import Template
from vectree.search.hybrid import HybridSearch
from vectree.sentences import sentences
from vectree.tree.walk import walk

EACH = 6
WORDS = range(12, 36)
ABSENT = 10**9


def draw(corpus: Corpus, record: Record, tree: SectionTree, seed: random.Random) -> list[str]:
    """Sentences from the middle of a paper: neither its first page nor its list of references."""
    last = max(2, int(record.total_pages * 0.8))
    text = [page.text for page in corpus.pages(record.doc_id) if 1 < page.number <= last]
    summaries = " ".join(node.summary for node in walk(tree))
    found = [
        sentence
        for page in text
        for sentence in sentences(page)
        if len(sentence.split()) in WORDS and sentence.endswith(".") and sentence not in summaries
    ]
    return seed.sample(found, min(EACH, len(found)))


def measure(
    search: HybridSearch, queries: list[tuple[str, str]], *, gates: bool
) -> tuple[float, float, float]:
    """Shares of right papers at rank 1 and up to 5, and the mean reciprocal rank."""
    ranks = []
    for doc_id, query in queries:
        found = [hit.doc_id for hit in search.search(query, top_k=1_000, gates=gates).hits]
        ranks.append(found.index(doc_id) + 1 if doc_id in found else ABSENT)
    places = np.array(ranks)
    return float((places == 1).mean()), float((places <= 5).mean()), float((1 / places).mean())


def main() -> None:
    """Measure every template."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    parser.add_argument("--depth", type=int, default=1, help="down to which level sections have entries")
    chosen = parser.parse_args()
    corpus, embedder, seed = Corpus.open(chosen.corpus), resolve_embedder(chosen.embedder), random.Random(3)
    papers = [(record, corpus.tree(record.doc_id)) for record in corpus.list()]
    queries = [
        (record.doc_id, sentence) for record, tree in papers for sentence in draw(corpus, record, tree, seed)
    ]
    print(f"{len(queries)} sentences, {len(papers)} papers")
    for template in (form.at_depth(chosen.depth) for form in (Template.PAPER, Template.TITLE_FIRST)):
        with tempfile.TemporaryDirectory() as folder:
            index = CorpusIndex(Path(folder) / "index", embedder, template)
            index.add_all(papers)
            search = HybridSearch(index, embedder)
            for gates in (False, True):
                first, five, mrr = measure(search, queries, gates=gates)
                print(
                    f"{template:<14} {index.size.entries:>6} vectors  gates {'on ' if gates else 'off'}"
                    f"  first {first:.3f}  in five {five:.3f}  MRR {mrr:.3f}"
                )


if __name__ == "__main__":
    main()
