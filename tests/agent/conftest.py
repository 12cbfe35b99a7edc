"""A library of four small papers, and one with every awkward page."""

from __future__ import annotations

import pytest

from vectree.document import TextStatus
from vectree.testing.library import MemoryLibrary, make_paper
from vectree.testing.sample_papers import grey_png, sample_library


@pytest.fixture
def library() -> MemoryLibrary:
    return sample_library()


@pytest.fixture
def awkward() -> MemoryLibrary:
    """One document of 20 pages with printed labels 1001 to 1020, a scan, a blank page and a garbled one."""
    status = [TextStatus.TEXT] * 20
    status[6], status[7], status[8] = TextStatus.SCAN, TextStatus.BLANK, TextStatus.GARBLED
    texts = [f"Page {number} speaks of matter {number}." for number in range(1, 21)]
    texts[6] = "![](page-7.png)"
    texts[7] = ""
    return MemoryLibrary(
        [
            make_paper(
                "awk-1",
                title="Awkward pages",
                pages=texts,
                labels=[str(1000 + number) for number in range(1, 21)],
                status=status,
                figures=[("page-7.png", 7, grey_png()), ("fig-2-1.png", 2, grey_png(300, 200))],
            )
        ]
    )
