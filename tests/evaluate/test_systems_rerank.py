"""The cross-encoder is loaded late, once, and says so when it cannot be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from vectree.errors import ModelRequestError
from vectree.evaluate.systems import rerank


class _Encoder:
    made = 0

    def __init__(self, checkpoint: str) -> None:
        if checkpoint == "absent":
            raise OSError("no such weights")
        type(self).made += 1

    def predict(self, pairs: list[tuple[str, str]], show_progress_bar: bool) -> list[float]:
        return [float(len(text)) for _, text in pairs]


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def require(module: str, *, extra: str) -> Any:
        return SimpleNamespace(CrossEncoder=_Encoder)

    monkeypatch.setattr(rerank, "require", require)


def test_it_is_loaded_on_first_use_and_kept() -> None:
    scorer = rerank.CrossEncoderScorer("some")
    before = _Encoder.made
    assert scorer.score("q", []) == []
    assert _Encoder.made == before
    assert scorer.score("q", ["a", "bcd"]) == [1.0, 3.0]
    assert scorer.score("q", ["ab"]) == [2.0]
    assert _Encoder.made == before + 1


def test_missing_weights_are_an_error_with_a_way_out() -> None:
    with pytest.raises(ModelRequestError, match="absent"):
        rerank.CrossEncoderScorer("absent").score("q", ["a"])
