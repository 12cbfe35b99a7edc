from __future__ import annotations

import io

import pytest

from vectree.ingest.parse import ParseLimits
from vectree.ingest.parsers.pdfium.watch import End, Progress, follow


def test_progress_is_followed_to_the_end_of_the_output() -> None:
    progress = Progress()
    assert follow(io.BytesIO(b"read 1 3\nread 2 3\ncrop 2 3\n"), progress, ParseLimits()) is End.CLOSED
    assert (progress.stage, progress.page, progress.pages) == ("crop", 2, 3)


@pytest.mark.parametrize("line", [b"", b"hello", b"read 1", b"read -1 3", b"\xff\xfe 1 2 3", b"read one two"])
def test_a_line_that_is_no_progress_changes_nothing(line: bytes) -> None:
    progress = Progress(stage="read", page=1, pages=3)
    progress.update(line)
    assert progress == Progress(stage="read", page=1, pages=3)
