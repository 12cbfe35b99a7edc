"""How similar an embedder finds what belongs together and what does not: the ground of its gates (§3.4).

Papers and questions are QASPER's dev split. For each question the best cosine over a paper's entries is
taken, as search takes it: for the question's own paper, for other papers of the same field, and, with the
twelve LitQA2 questions (biology), for papers of another field. A good ``relevant`` gate keeps another field
out and lets own papers pass; a good ``strong`` gate lets hardly any paper pass but the own one. No question
text is printed.

    python benchmarks/similarity_gates.py --data ../shared/data --papers 90
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

from vectree.document import (
    DocumentStatus,
    Heading,
    HeadingSource,
    Metadata,
    Page,
    Record,
    SectionTree,
    TextStatus,
)
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.entries import make_entries
from vectree.ingest.summarize import summarize_tree
from vectree.sentences import sentences
from vectree.tree.build import build_tree

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
THRESHOLDS = (0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60)


def qasper_paper(name: str, data: dict[str, Any]) -> tuple[Record, SectionTree]:
    """One QASPER paper, a page a paragraph, sections as its paths say."""
    headings = [_heading("Abstract", 1, 1)]
    texts = [data["abstract"]]
    seen: set[tuple[str, ...]] = set()
    for section in data["full_text"]:
        path = tuple((section["section_name"] or "Untitled").split(" ::: "))
        paragraphs = [text for text in section["paragraphs"] if text.strip()]
        for depth in range(1, len(path) + 1):
            if path[:depth] not in seen and paragraphs:
                seen.add(path[:depth])
                headings.append(_heading(path[depth - 1], len(texts) + 1, depth))
        texts += paragraphs
    pages = [
        Page(number=number, raw=text, text=text, status=TextStatus.TEXT)
        for number, text in enumerate(texts, start=1)
    ]
    record = Record(
        doc_id=name,
        sha256="",
        sources=(),
        total_pages=len(pages),
        status=DocumentStatus.OK,
        metadata=Metadata(title=data["title"], description=next(iter(sentences(data["abstract"])), "")),
    )
    return record, summarize_tree(build_tree(headings, pages), pages)


def _heading(title: str, page: int, level: int) -> Heading:
    return Heading(number="", title=title, page=page, level=level, source=HeadingSource.PARSER, offset=0)


def report(name: str, values: list[float]) -> None:
    """Print one distribution."""
    found = np.array(values)
    percentiles = "  ".join(f"{value:5.2f}" for value in np.percentile(found, PERCENTILES))
    shares = "  ".join(f"{np.mean(found >= threshold):5.1%}" for threshold in THRESHOLDS)
    print(f"{name:<34} {len(found):>7,}  |  {percentiles}  |  {shares}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--papers", type=int, default=90)
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    chosen = parser.parse_args()
    embedder = resolve_embedder(chosen.embedder)
    with gzip.open(chosen.data / "qasper" / "qasper-dev-v0.3.json.gz", "rt", encoding="utf-8") as file:
        papers = dict(sorted(json.load(file).items())[: chosen.papers])
    entries = {
        name: embedder.embed_documents([entry.text for entry in make_entries(*qasper_paper(name, data))])
        for name, data in papers.items()
    }
    own: list[float] = []
    titled: list[float] = []
    same_field: list[float] = []
    other_field: list[float] = []
    for name, data in papers.items():
        for asked in data["qas"]:
            vector = embedder.embed_query(asked["question"])
            own.append(float((entries[name] @ vector).max()))
            same_field += [float((found @ vector).max()) for other, found in entries.items() if other != name]
            vector = embedder.embed_query(f"{data['title']}: {asked['question']}")
            titled.append(float((entries[name] @ vector).max()))
    for line in (chosen.data / "litqa2" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        vector = embedder.embed_query(json.loads(line)["question"])
        other_field += [float((found @ vector).max()) for found in entries.values()]
    print(f"{'best cosine of a paper':<34} {'pairs':>7}  |  ", end="")
    print("  ".join(f"{'p' + str(p):>5}" for p in PERCENTILES), end="  |  ")
    print("  ".join(f"≥{threshold:.2f}" for threshold in THRESHOLDS))
    report("own paper, title and question", titled)
    report("own paper, question alone", own)
    report("other papers of the same field", same_field)
    report("papers of another field", other_field)


if __name__ == "__main__":
    main()
