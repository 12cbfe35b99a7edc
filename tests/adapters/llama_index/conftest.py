"""A library of four small papers, and a guard that fails on a blocked event loop."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.utils import get_tokenizer

from vectree import Corpus, HashEmbedder
from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import SAMPLE_PAPERS, sample_library

# importlib mode adds none; the scripts of the sister adapter show the same rules
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "langchain")]

_FOREIGN = (
    "ignore:is_running called from within a step:DeprecationWarning",
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LlamaIndex's workflows look at every attribute of an agent, pydantic's deprecated ones too."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in _FOREIGN:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the sample papers as Markdown, which costs less to read than PDF."""
    folder = tmp_path_factory.mktemp("sources") / "papers"
    folder.mkdir()
    for paper in SAMPLE_PAPERS:
        text = "\f".join(page.text for page in paper.pages)
        (folder / f"{paper.record.doc_id}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory, papers: Path) -> Corpus:
    """A corpus of them on disk; it is shared, so tests only read it."""
    corpus = Corpus.open(tmp_path_factory.mktemp("corpus") / "c", embedder=HashEmbedder())
    corpus.add(papers, jobs=1)
    return corpus


@pytest.fixture
def library() -> MemoryLibrary:
    return sample_library()


class OnDisk(MemoryLibrary):
    """Reads a file and sleeps a little on every access, as a corpus on disk may."""

    def _paper(self, doc_id: str) -> Any:
        _slow()
        return super()._paper(doc_id)

    def search(self, query: str, **kwargs: Any) -> Any:
        _slow()
        return super().search(query, **kwargs)

    def stats(self) -> Any:
        _slow()
        return super().stats()


def _slow() -> None:
    Path(__file__).read_bytes()
    time.sleep(0.001)


@pytest.fixture
def guarded() -> Iterator[OnDisk]:
    """A library on disk, while file access and sleeping on the event loop raise; proven to bite."""
    with no_blocking():
        yield OnDisk(SAMPLE_PAPERS)


@contextmanager
def no_blocking() -> Iterator[None]:
    blockbuster = pytest.importorskip("blockbuster")
    get_tokenizer()  # LlamaIndex reads its own from disk at first use, on the loop
    with blockbuster.blockbuster_ctx():
        yield


@pytest.fixture
def loop_guard() -> Callable[[], AbstractContextManager[None]]:
    """The guard alone, to be entered once everything is prepared."""
    return no_blocking
