"""From a question file and a corpus folder to questions that can be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vectree.corpus import AddReport, Corpus
from vectree.errors import CorpusNotFound
from vectree.evaluate.bind import Bound, bind, find_documents
from vectree.evaluate.datasets.dataset import Dataset
from vectree.evaluate.datasets.litqa2 import read_litqa2
from vectree.evaluate.datasets.qasper import read_qasper
from vectree.evaluate.datasets.questions_file import read_questions
from vectree.evaluate.datasets.sampling import SAMPLE_SEED, stratified_sample
from vectree.evaluate.papers import open_papers, records
from vectree.evaluate.records import Benchmark, Papers, Question

AddPapers = Callable[[Corpus, Path], AddReport]
"""Adds a file to a corpus, with whatever progress the caller wants to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A benchmark on a corpus.

    Attributes:
        dataset: As read from the file.
        data: The file.
        papers: The corpus.
        bound: What of it the corpus can be asked.
        questions: Those that will be: all, or the sample.
    """

    dataset: Dataset
    data: Path
    papers: Papers
    bound: Bound
    questions: tuple[Question, ...]


def read_dataset(benchmark: Benchmark, data: Path) -> Dataset:
    """Read a question file.

    Args:
        benchmark: Which format it has.
        data: The file.

    Returns:
        The questions.
    """
    match benchmark:
        case Benchmark.QASPER:
            return read_qasper(data).dataset
        case Benchmark.LITQA2:
            return read_litqa2(data)
        case Benchmark.MOSAIC | Benchmark.OWN:
            return read_questions(data, benchmark=benchmark)


def set_up(
    benchmark: Benchmark,
    data: Path,
    corpus: Path,
    *,
    embedder: str | None = None,
    sample: int | None = None,
    sample_seed: int = SAMPLE_SEED,
    add_papers: AddPapers | None = None,
) -> Setup:
    """Bring questions and papers together.

    The papers of QASPER are in its question file: those that the corpus lacks are added to it first. The
    sample is drawn from the questions that can be asked.

    Args:
        benchmark: Which benchmark.
        data: Its question file.
        corpus: The corpus folder.
        embedder: Embedder of a corpus that is yet to be made; by default the corpus's own.
        sample: How many questions; ``None`` for all.
        sample_seed: Which sample.
        add_papers: Adds a QASPER file's papers; by default without showing progress.

    Returns:
        The benchmark on the corpus.
    """
    dataset = read_dataset(benchmark, data)
    if benchmark is Benchmark.QASPER:
        _complete(dataset, data, corpus, embedder, add_papers or (lambda library, path: library.add(path)))
    papers = open_papers(corpus, embedder=embedder)
    bound = bind(dataset, papers)
    drawn = (
        bound.questions if sample is None else stratified_sample(bound.questions, sample, seed=sample_seed)
    )
    return Setup(dataset=dataset, data=data, papers=papers, bound=bound, questions=drawn)


def _complete(
    dataset: Dataset, data: Path, corpus: Path, embedder: str | None, add_papers: AddPapers
) -> None:
    """Add the papers of a QASPER file, if one of them is not in the corpus."""
    try:
        known = find_documents(dataset.documents, records(open_papers(corpus, embedder=embedder)))
    except CorpusNotFound:
        known = dict[str, str]()
    if any(name not in known for question in dataset.questions for name in question.documents):
        add_papers(Corpus.open(corpus, embedder=embedder, create=True), data)
