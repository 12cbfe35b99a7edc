"""Small papers for tests of the store."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from vectree.document import (
    Box,
    DocumentStatus,
    Figure,
    Metadata,
    Node,
    Page,
    PageRange,
    Record,
    SectionTree,
    TextStatus,
)
from vectree.store.writer import PaperWriter


def a_record(
    doc_id: str = "meyer2021-00ab", *, sha256: str = "00ab" * 16, pages: int = 3, **changes: object
) -> Record:
    values: dict[str, object] = {
        "doc_id": doc_id,
        "sha256": sha256,
        "sources": ("papers/a.pdf",),
        "total_pages": pages,
        "status": DocumentStatus.OK,
        "metadata": Metadata(title="Solid electrolytes", authors=("A. Meyer",), year=2021),
    }
    return Record(**{**values, **changes})  # type: ignore[arg-type]


def some_pages(count: int = 3, word: str = "first") -> tuple[Page, ...]:
    return tuple(
        Page(
            number=n,
            raw=f"{word} raw {n}\n\u2028x",
            text=f"{word} text {n} β→",
            status=TextStatus.TEXT,
            label=f"{n + 9}",
        )
        for n in range(1, count + 1)
    )


def a_tree(count: int = 3) -> SectionTree:
    child = Node(id="0002", number="1.1", title="Samples", pages=PageRange(first=2, last=count))
    root = Node(id="0001", number="1", title="Methods", pages=PageRange(first=1, last=2), children=(child,))
    return SectionTree(total_pages=count, nodes=(root,))


def a_figure(name: str = "page-0001-figure-1.png") -> Figure:
    return Figure(
        name=name,
        page=1,
        box=Box(x0=1, y0=2, x1=3, y1=4.5),
        kind="image",
        width=8,
        height=8,
        caption="Fig. 1",
    )


def put(root: Path, record: Record, *, word: str = "first", figures: dict[str, bytes] | None = None) -> None:
    """Store a paper the way the corpus does."""
    files = {"page-0001-figure-1.png": b"png"} if figures is None else figures
    writer = PaperWriter(root)
    writer.recover()
    staged = writer.stage()
    for name, data in files.items():
        (staged.figures / name).write_bytes(data)
    staged.fill(
        pages=some_pages(record.total_pages, word),
        tree=a_tree(record.total_pages),
        figures=tuple(a_figure(name) for name in files),
        report={"word": word},
    )
    writer.publish(staged, record)


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """Builders of small papers; ``put`` stores one the way the corpus does."""
    return SimpleNamespace(record=a_record, pages=some_pages, tree=a_tree, figure=a_figure, put=put)
