"""A corpus of the example papers on disk, for servers in processes of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from vectree import Corpus


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory, example_papers: Path) -> Path:
    """A corpus with two of the example papers."""
    folder = tmp_path_factory.mktemp("mcp") / "corpus"
    papers = sorted(example_papers.glob("*.pdf"))[:2]
    report = Corpus.open(folder, embedder="hash").add(*papers)
    assert len(report.added) == 2, report.failed
    return folder


@pytest.fixture
def own_corpus(corpus_folder: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(corpus_folder, tmp_path / "corpus"))
