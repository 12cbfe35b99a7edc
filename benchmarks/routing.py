"""Which paper? Routing by compact entries against routing by passages (§3.4), with the number of vectors.

Two libraries: the PDFs with the twelve LitQA2 questions, and QASPER's dev papers with their questions, verbatim
and with the paper's title before them (a question such as "which baselines do they use?" names no paper). For
each question the rank of its own paper is taken: by document entries alone, section entries alone, and both,
with and without gates, and by passages of 200 words with half overlap (cosine, BM25, fusion; a paper stands
where its best passage stands). All use the same embedder, BM25 and fusion. Vectors are kept in ``--cache``, so
that an interrupted run goes on where it stopped. No question text is printed.

    vectree add DATA/pdfs --corpus /tmp/pdfs-corpus
    vectree add DATA/qasper/qasper-dev-v0.3.json.gz --corpus /tmp/qasper-corpus
    python benchmarks/routing.py --data DATA --pdfs /tmp/pdfs-corpus --qasper /tmp/qasper-corpus --cache /tmp/routing
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vectree import Corpus
from vectree.index.bm25 import score_bm25
from vectree.index.embedder import Embedder, Vectors
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.entries import DOCUMENT_ENTRY, Template, make_entries
from vectree.index.postings import build_postings
from vectree.search.fusion import fuse, ranks
from vectree.search.gates import Candidates, thresholds_for
from vectree.search.ranking import rank, rank_ungated

PASSAGE_WORDS = 200
STEP = PASSAGE_WORDS // 2
CUTOFFS = (1, 3, 5, 10)
ABSENT = 10**9
CHUNK = 64


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A text that has a vector, and the paper it belongs to."""

    paper: int
    text: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query and its paper."""

    paper: int
    text: str


class Cache:
    """Vectors by text, kept in files of some texts each.

    Args:
        folder: Where.
        embedder: Makes what is missing.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder, self._embedder = folder, embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._known: dict[bytes, Vectors] = {}
        for path in sorted(folder.glob("*.npz")):
            with np.load(path, allow_pickle=False) as stored:
                self._known.update(
                    zip((key.tobytes() for key in stored["keys"]), stored["vectors"], strict=True)
                )

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of entries or passages."""
        return self._vectors(
            [f"d{text}" for text in texts], lambda part: self._embedder.embed_documents(part)
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries."""
        return self._vectors(
            [f"q{text}" for text in texts],
            lambda part: np.stack([self._embedder.embed_query(x) for x in part]),
        )

    def _vectors(self, marked: list[str], embed: Callable[[list[str]], Vectors]) -> Vectors:
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in marked]
        missing = sorted(
            {(len(text), text, key) for text, key in zip(marked, keys, strict=True) if key not in self._known}
        )
        for begin in range(0, len(missing), CHUNK):
            part = missing[begin : begin + CHUNK]
            vectors = embed([text[1:] for _, text, _ in part])
            found = [key for _, _, key in part]
            name = hashlib.blake2b(b"".join(found), digest_size=8).hexdigest()
            stored = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(len(found), 16)
            np.savez(self._folder / name, keys=stored, vectors=vectors)
            self._known.update(zip(found, vectors, strict=True))
        return np.stack([self._known[key] for key in keys])


def entry_units(corpus: Corpus, template: Template, papers: Sequence[str]) -> Iterator[Unit]:
    """The entries of each paper."""
    for number, doc_id in enumerate(papers):
        for entry in make_entries(corpus.record(doc_id), corpus.tree(doc_id), template):
            kind = "document" if entry.node_id == DOCUMENT_ENTRY else "section"
            yield Unit(paper=number, text=entry.text, kind=kind)


def passage_units(corpus: Corpus, papers: Sequence[str]) -> Iterator[Unit]:
    """Windows over all the words of each paper, title and abstract first."""
    for number, doc_id in enumerate(papers):
        metadata = corpus.record(doc_id).metadata
        words = f"{metadata.title} {metadata.description}".split()
        words += [word for page in corpus.pages(doc_id) for word in page.text.split()]
        for begin in range(0, max(len(words) - STEP, 1), STEP):
            yield Unit(paper=number, text=" ".join(words[begin : begin + PASSAGE_WORDS]), kind="passage")


class System:
    """Units with vectors and postings, which rank papers.

    Args:
        units: Entries or passages.
        papers: Number of papers.
        cache: Their vectors; ``None`` ranks by BM25 alone.
    """

    def __init__(self, units: Sequence[Unit], papers: int, cache: Cache | None) -> None:
        self._units, self._papers = units, papers
        self._owner = np.array([unit.paper for unit in units])
        self._vectors = None if cache is None else cache.documents([unit.text for unit in units])
        self._postings = build_postings([unit.text for unit in units])

    def scores(self, text: str, vector: Vectors) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cosine, BM25 and "holds every word" of each unit."""
        alive = np.ones(len(self._units), dtype=np.bool_)
        lexical = score_bm25(text, [(self._postings, alive)])
        whole = (lexical.matched > 0) & (lexical.matched == lexical.words)
        similarity = np.zeros(len(self._units)) if self._vectors is None else self._vectors @ vector
        return similarity, lexical.bm25, whole

    def candidates(self, text: str, vector: Vectors) -> Candidates:
        """The best of each paper's units, as search takes it."""
        similarity, bm25, whole = self.scores(text, vector)
        best = np.full(self._papers, -1.0), np.zeros(self._papers), np.zeros(self._papers, dtype=np.bool_)
        for target, values in zip(best, (similarity, bm25, whole), strict=True):
            np.maximum.at(target, self._owner, values)
        return Candidates(similarity=best[0], bm25=best[1], whole=best[2], order=np.arange(self._papers))

    def by_unit(self, text: str, vector: Vectors) -> list[int]:
        """Papers in the order of their best unit, units ranked by fusion."""
        similarity, bm25, _ = self.scores(text, vector)
        order = np.arange(len(self._units))
        fused = fuse(ranks(similarity, similarity > 0, order), ranks(bm25, bm25 > 0, order))
        return list(dict.fromkeys(self._owner[np.argsort(-fused, kind="stable")].tolist()))


def show(name: str, vectors: int, places: list[int]) -> None:
    """Print recall at the cut-offs and the mean reciprocal rank."""
    found = np.array(places)
    recall = "  ".join(f"{(found <= cutoff).mean():.3f}" for cutoff in CUTOFFS)
    print(f"{name:<28} {vectors:>7,}  {recall}  {(1 / found).mean():.3f}", flush=True)


def place(order: Sequence[int], paper: int) -> int:
    """Rank from 1 of a paper, or ``ABSENT``."""
    return order.index(paper) + 1 if paper in order else ABSENT


def compare(
    name: str,
    corpus: Corpus,
    asked: dict[str, list[Question]],
    papers: Sequence[str],
    chosen: argparse.Namespace,
) -> None:
    """Measure every system on one library."""
    embedder = resolve_embedder(chosen.embedder)
    cache = Cache(chosen.cache / embedder.fingerprint.name, embedder)
    entries = list(entry_units(corpus, Template(chosen.template), papers))
    kinds = {
        "document entries": [unit for unit in entries if unit.kind == "document"],
        "section entries": [unit for unit in entries if unit.kind == "section"],
        "both": entries,
    }
    systems = {kind: System(units, len(papers), cache) for kind, units in kinds.items()}
    passages = list(passage_units(corpus, papers))
    flat = System(passages, len(papers), cache if chosen.passages else None)
    thresholds = thresholds_for(embedder)
    for wording, questions in asked.items():
        vectors = cache.queries([question.text for question in questions])
        print(f"\n{name}, {wording}: {len(questions)} questions, {len(papers)} papers")
        print(f"{'':28} {'vectors':>7}  " + "  ".join(f"R@{cutoff:<3}" for cutoff in CUTOFFS) + "  MRR")
        for kind, system in systems.items():
            found = [system.candidates(q.text, v) for q, v in zip(questions, vectors, strict=True)]
            for gates in (False, True):
                orders = [
                    rank(c, thresholds, library=len(papers)) if gates else rank_ungated(c) for c in found
                ]
                places = [place(o.kept.tolist(), q.paper) for o, q in zip(orders, questions, strict=True)]
                show(f"{kind}, gates {'on' if gates else 'off'}", len(kinds[kind]), places)
        places = [place(flat.by_unit(q.text, v), q.paper) for q, v in zip(questions, vectors, strict=True)]
        kind = "passages" if chosen.passages else "passages, BM25 alone"
        show(kind, len(passages), places)


def pdf_questions(data: Path, corpus: Corpus, papers: Sequence[str]) -> dict[str, list[Question]]:
    """The LitQA2 questions."""
    owner = {
        Path(source).name: corpus.record(doc_id).doc_id
        for doc_id in papers
        for source in corpus.record(doc_id).sources
    }
    lines = (data / "litqa2" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    return {
        "verbatim": [
            Question(paper=papers.index(owner[Path(row["pdf"]).name]), text=row["question"]) for row in asked
        ]
    }


def qasper_questions(data: Path, corpus: Corpus, papers: Sequence[str]) -> dict[str, list[Question]]:
    """QASPER's questions, verbatim and with the title."""
    with gzip.open(data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        source = json.load(file)
    verbatim: list[Question] = []
    titled: list[Question] = []
    for number, doc_id in enumerate(papers):
        paper = source[corpus.record(doc_id).source.rpartition("#")[2]]
        for row in paper["qas"]:
            verbatim.append(Question(paper=number, text=row["question"]))
            titled.append(Question(paper=number, text=f"{paper['title']}: {row['question']}"))
    return {"verbatim": verbatim, "title and question": titled}


def main() -> None:
    """Measure the libraries that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pdfs", type=Path, help="corpus of the PDFs")
    parser.add_argument("--qasper", type=Path, help="corpus of the QASPER dev papers")
    parser.add_argument("--papers", type=int, default=10_000, help="QASPER papers at most")
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    parser.add_argument("--template", default=Template.TITLE_FIRST.value)
    parser.add_argument("--cache", type=Path, required=True, help="folder for vectors")
    parser.add_argument(
        "--passages",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="embed passages, which takes an hour; without, they are ranked by BM25 alone",
    )
    chosen = parser.parse_args()
    for name, folder, questions in (
        ("PDFs", chosen.pdfs, pdf_questions),
        ("QASPER dev", chosen.qasper, qasper_questions),
    ):
        if folder is not None:
            corpus = Corpus.open(folder)
            papers = [record.doc_id for record in corpus.list()][: chosen.papers]
            compare(name, corpus, questions(chosen.data, corpus, papers), papers, chosen)


if __name__ == "__main__":
    main()
