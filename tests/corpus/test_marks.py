"""What corpus.json says of the embedder guards the index: nothing that differs is let in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from vectree.corpus import Corpus
from vectree.errors import IndexMismatch, UsageError
from vectree.index.embedder import Fingerprint, HashEmbedder


class Other(HashEmbedder):
    """The same name with one property of the vectors changed."""

    def __init__(self, **changed: Any) -> None:
        super().__init__()
        self._changed = changed

    @property
    def fingerprint(self) -> Fingerprint:
        return replace(super().fingerprint, **self._changed)


@pytest.mark.parametrize(
    "changed", [{"name": "other"}, {"revision": "2"}, {"pooling": "cls"}, {"dimension": 128}], ids=str
)
def test_another_model_weights_pooling_or_dimension_is_refused_at_open_before_anything_is_written(
    root: Path, desk: Any, changed: dict[str, Any]
) -> None:
    desk.write("one.pdf")
    Corpus.open(root, embedder="hash").add(desk.folder)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises(IndexMismatch, match=r"vectree reindex --embedder"):
        Corpus.open(root, embedder=Other(**changed))
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_model_that_cannot_be_had_leaves_no_folder_behind(root: Path, desk: Any, tmp_path: Path) -> None:
    desk.write("one.pdf")
    with pytest.raises(UsageError, match="no name of the Hugging Face hub"):
        Corpus.open(root, embedder=f"specter2:{tmp_path / 'nowhere'}").add(desk.folder)
    assert not root.exists()
