"""Evidence on QASPER without any model: which paragraphs ``extractive`` opens, beside passages and paragraphs.

Questions with text evidence, drawn with a fixed seed, the paper given. Precision, recall and F1 of the
paragraphs, each question against its best annotator, then the mean over questions (with its standard error).

    python benchmarks/qasper_evidence.py --data DATA/qasper/qasper-dev-v0.3.json.gz --corpus /tmp/qasper-dev
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean, stdev

from vectree.evaluate.datasets.qasper import read_qasper
from vectree.evaluate.datasets.sampling import SAMPLE_SEED, stratified_sample
from vectree.evaluate.metrics.evidence_sets import SetScores, evidence_scores
from vectree.evaluate.records import Benchmark, EvidenceSet, Papers, Question
from vectree.evaluate.setup import Setup, set_up
from vectree.evaluate.systems.catalogue import make_system

DEPTH = 10
"""Paragraphs taken at most from the fused ranking."""

Finder = Callable[[Question], tuple[tuple[str, int], ...]]


def draw(data: Path, size: int, seed: int) -> tuple[Question, ...]:
    """Questions of which some annotator marked a paragraph."""
    known = [
        question
        for question in read_qasper(data).dataset.questions
        if any(reference.evidence for reference in question.references)
    ]
    return stratified_sample(known, size, seed=seed)


def prepare(data: Path, corpus: Path, drawn: Iterable[Question], embedder: str) -> Setup:
    """A corpus of the papers that are asked about, made once."""
    raw = data.read_bytes()
    papers = json.loads(gzip.decompress(raw) if data.suffix == ".gz" else raw)
    asked = {name for question in drawn for name in question.documents}
    chosen = corpus.with_suffix(".json")
    chosen.write_text(json.dumps({name: papers[name] for name in papers if name in asked}), encoding="utf-8")
    return set_up(Benchmark.QASPER, chosen, corpus, embedder=embedder)


def finder(name: str, papers: Papers) -> Finder:
    """What a system reads, best first."""
    system = make_system(name, Benchmark.QASPER)
    system.prepare(papers, model=None)
    return lambda question: system.answer(question, model=None, seed=0).ranking


def measure(questions: Iterable[Question], found: Iterable[EvidenceSet]) -> tuple[list[SetScores], float]:
    """Scores of each question, and the units read a question."""
    pairs = list(zip(questions, found, strict=True))
    scores = [score for question, units in pairs if (score := evidence_scores(question, units))]
    return scores, mean(len(units) for _, units in pairs)


def row(label: str, scores: list[SetScores], units: float, seconds: float | None = None) -> str:
    """A line of the table."""
    f1 = [score.f1 for score in scores]
    means = [mean(getattr(score, name) for score in scores) for name in ("precision", "recall")]
    error = stdev(f1) / math.sqrt(len(f1)) if len(f1) > 1 else 0.0
    took = "" if seconds is None else f"{1e3 * seconds:8.0f}"
    return f"{label:34} {means[0]:9.3f} {means[1]:7.3f} {mean(f1):7.3f} ±{error:.3f} {units:6.1f} {took}"


def main() -> None:
    """Draw, read, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="QASPER file")
    parser.add_argument("--corpus", type=Path, required=True, help="corpus folder, made if missing")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SAMPLE_SEED)
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--systems", default="extractive,paragraphs,dense")
    options = parser.parse_args()

    drawn = draw(options.data, options.questions, options.seed)
    setup = prepare(options.data, options.corpus, drawn, options.embedder)
    wanted = {question.id for question in drawn}
    questions = [question for question in setup.bound.questions if question.id in wanted]
    print(f"{len(questions)} questions, {len(setup.papers.doc_ids)} papers, {options.embedder}\n")
    print(f"{'':34} precision  recall      F1         units  ms/question", flush=True)
    for name in options.systems.split(","):
        find = finder(name, setup.papers)
        started = time.perf_counter()
        ranked = [find(question) for question in questions]
        each = (time.perf_counter() - started) / len(questions)
        depths = range(1, DEPTH + 1) if name == "paragraphs" else [None]
        for depth in depths:
            scores, units = measure(questions, [frozenset(found[:depth]) for found in ranked])
            label = name if depth is None else f"{name}, best {depth}"
            print(row(label, scores, units, each if depth in (None, DEPTH) else None), flush=True)


if __name__ == "__main__":
    main()
