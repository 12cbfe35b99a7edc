"""A corpus whose papers are small text files, read by a stand-in for ingestion; everything else is real."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.document import (
    Box,
    DocumentStatus,
    Figure,
    Metadata,
    Node,
    Page,
    PageRange,
    SectionTree,
    SummarySource,
    TextStatus,
)
from vectree.errors import CorruptDocument

HEADER = "%PDF-pretend\n"


@dataclass
class Desk:
    """Writes pretend papers, and counts what was read."""

    folder: Path
    read: list[str] = field(default_factory=list)
    before_reading: Callable[[Path], None] = lambda _: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, name: str, title: str = "Solid electrolytes for lithium", **about: Any) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER + json.dumps({"title": title, "author": "A. Meyer", "year": 2021, **about}))
        return path

    def ingest(
        self, path: Path, *, figures: Path, on_stage: Callable[[str], None] | None = None, **_: Any
    ) -> Any:
        """Stands where ``vectree.ingest.pipeline.ingest`` does."""
        with self.lock:
            self.read.append(path.name)
        self.before_reading(path)
        text = path.read_text()
        if on_stage:
            on_stage("parse")
        if not text.startswith(HEADER):
            raise CorruptDocument("These bytes are not a PDF.", hint="Open it in a viewer.")
        about = json.loads(text.removeprefix(HEADER))
        (figures / "p001-1.png").write_bytes(about["title"].encode())
        (figures / "stray.png").write_bytes(b"")
        return reading(about)


def reading(about: dict[str, Any]) -> Any:
    title = about["title"]
    pages = tuple(
        Page(
            number=n,
            raw=f"{title} page {n}",
            text=f"# 1 Results\n\n{title}, page {n}.",
            status=TextStatus.TEXT,
            label={1: "ix", 2: "101", 3: "102"}[n],
            figures=("p001-1.png",) if n == 1 else (),
        )
        for n in (1, 2, 3)
    )
    node = Node(
        id="0001",
        number="1",
        title="Results",
        pages=PageRange(first=1, last=3),
        summary=f"What was found about {title}.",
        summary_source=SummarySource.TEXT,
    )
    figure = Figure(
        name="p001-1.png", page=1, box=Box(x0=0, y0=0, x1=9, y1=9), kind="image", width=9, height=9
    )
    return SimpleNamespace(
        pages=pages,
        tree=SectionTree(total_pages=3, nodes=(node,)),
        metadata=Metadata(
            title=title,
            authors=(about["author"],),
            year=about["year"],
            journal=about.get("journal", "J. Ionics"),
            doi=about.get("doi"),
            description=f"A study of {title}.",
        ),
        figures=(figure,),
        status=DocumentStatus(about.get("status", "ok")),
        warnings=tuple(about.get("warnings", ())),
        report={"parser": "pretend"},
        supplement=bool(about.get("supplement")),
    )


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(tmp_path / "papers")
    desk.folder.mkdir()
    monkeypatch.setattr("vectree.corpus.preparing.ingest", desk.ingest)
    return desk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


@pytest.fixture
def corpus(root: Path, desk: Desk) -> Corpus:
    return Corpus.open(root, embedder="hash")
