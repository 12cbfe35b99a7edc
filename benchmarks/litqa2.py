"""Routing and pages on the twelve LitQA2 questions, without any model.

For each question: the rank of the right paper in ``search``, and whether a gold page is among the pages that
``ask`` with the ``extractive`` model read. Question texts are not printed; the questions' licence and canary
ask for that.

    python benchmarks/litqa2.py --data ../shared/data --corpus /tmp/litqa2-corpus
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from vectree import Corpus


@dataclass(frozen=True, kw_only=True)
class Row:
    """One question's outcome; ``rank`` 0 means the right paper was not found."""

    question: str
    doc_id: str
    rank: int
    found: int
    gold_pages: list[int]
    pages_read: list[int]
    gold_read: bool
    other_pages_read: int
    search_ms: float
    ask_ms: float


def measure(corpus: Corpus, question: dict[str, object], doc_ids: dict[str, str]) -> Row:
    """Search and ask once."""
    doc_id = doc_ids[Path(str(question["pdf"])).name]
    text = str(question["question"])
    started = time.perf_counter()
    hits = [hit.doc_id for hit in corpus.search(text, top_k=10).hits]
    searched = time.perf_counter()
    answer = corpus.ask(text, model="extractive")
    asked = time.perf_counter()
    read = sorted(item.page for item in answer.evidence if item.doc_id == doc_id)
    gold = [int(page) for page in question["gold_pages"]]  # type: ignore[union-attr]
    return Row(
        question=str(question["id"])[:8],
        doc_id=doc_id,
        rank=hits.index(doc_id) + 1 if doc_id in hits else 0,
        found=len(hits),
        gold_pages=gold,
        pages_read=read,
        gold_read=bool(set(gold) & set(read)),
        other_pages_read=len(answer.evidence) - len(read),
        search_ms=(searched - started) * 1e3,
        ask_ms=(asked - searched) * 1e3,
    )


def main() -> None:
    """Build the corpus if it is missing, measure, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with pdfs/ and litqa2/questions.jsonl"
    )
    parser.add_argument("--corpus", type=Path, required=True, help="corpus folder, built if missing")
    parser.add_argument("--embedder", default=None)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    corpus = Corpus.open(options.corpus, embedder=options.embedder)
    corpus.add(options.data / "pdfs")
    doc_ids = {Path(source).name: record.doc_id for record in corpus.list() for source in record.sources}
    lines = (options.data / "litqa2" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    corpus.search("warm the embedding model", top_k=1)
    rows = [measure(corpus, question, doc_ids) for question in questions]
    if options.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))
        return
    print(
        f"{'question':9} {'paper':28} {'rank':>4} {'found':>5} {'gold':>8} {'read':24} {'hit':3} {'other':>5}"
    )
    for row in rows:
        gold, read = ",".join(map(str, row.gold_pages)), ",".join(map(str, row.pages_read))
        hit = "yes" if row.gold_read else "no"
        print(
            f"{row.question:9} {row.doc_id:28} {row.rank:4} {row.found:5} {gold:>8} {read:24} {hit:3} "
            f"{row.other_pages_read:5}"
        )
    first = sum(row.rank == 1 for row in rows)
    gold_read = sum(row.gold_read for row in rows)
    pages = sum(len(row.pages_read) + row.other_pages_read for row in rows) / len(rows)
    print(
        f"\nright paper first: {first} of {len(rows)}; gold page read: {gold_read} of {len(rows)};", end=" "
    )
    print(f"pages read: {pages:.1f} a question")
    print(f"median search {sorted(r.search_ms for r in rows)[len(rows) // 2]:.0f} ms", end=", ")
    print(f"median ask {sorted(r.ask_ms for r in rows)[len(rows) // 2]:.0f} ms")


if __name__ == "__main__":
    main()
