"""Three invented papers in memory and ten questions on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from vectree.evaluate.datasets.questions_file import read_questions
from vectree.evaluate.records import Benchmark, Papers, Question
from vectree.index.embedder import HashEmbedder
from vectree.testing.library import MemoryLibrary, make_paper

DATA = Path(__file__).parent / "data"
DOIS = {"ekholm2019-51aa": "10.9999/roof.51", "varga2020-7c3e": "10.9999/roof.7c"}


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of test data."""
    return DATA


@pytest.fixture(scope="session")
def papers() -> Papers:
    """The three papers."""
    return load_papers()


def load_papers() -> Papers:
    """Read the three papers into memory."""
    made = []
    for each in json.loads((DATA / "papers.json").read_text(encoding="utf-8")):
        paper = make_paper(**each)
        metadata = replace(paper.record.metadata, doi=DOIS.get(each["doc_id"]))
        made.append(replace(paper, record=replace(paper.record, metadata=metadata)))
    library = MemoryLibrary(made)
    ids = tuple(sorted(paper.record.doc_id for paper in made))
    return Papers(library=library, doc_ids=ids, embedder=HashEmbedder())


@pytest.fixture(scope="session")
def questions() -> tuple[Question, ...]:
    """The ten questions."""
    return read_questions(DATA / "questions.jsonl", benchmark=Benchmark.MOSAIC).questions
