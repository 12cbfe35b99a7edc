from __future__ import annotations

import time

import httpx
import pytest

from vectree.errors import MissingExtra, VectorStoreError, VectorStoreUnavailable
from vectree.index.chroma_answers import in_our_words, within


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (httpx.ReadTimeout("slow"), "The Chroma server did not answer within 30 s."),
        (httpx.ConnectError("refused"), "The Chroma server cannot be reached: refused"),
        (ValueError("Could not connect to a Chroma server. Are you sure…"), "cannot be reached."),
    ],
)
def test_a_server_that_is_slow_or_away_may_be_asked_again(error, said):
    found = in_our_words(error, "the Chroma server")
    assert isinstance(found, VectorStoreUnavailable)
    assert found.retryable
    assert said in str(found)
    assert "vectree reindex --index exact" in found.hint


def test_any_other_answer_is_quoted_in_part():
    found = in_our_words(RuntimeError("disk\nfull " * 200), "chroma in 'x'")
    assert type(found) is VectorStoreError
    assert found.message.startswith("Chroma in 'x' answered: disk full disk full")
    assert len(found.message) < 400


def test_a_call_that_does_not_return_is_left_behind():
    begin = time.monotonic()
    with pytest.raises(VectorStoreUnavailable, match="did not answer within 0 s"):
        within(0.1, lambda: time.sleep(3), "the Chroma server")
    assert time.monotonic() - begin < 2


def test_a_call_returns_its_value_or_its_error():
    assert within(5, lambda: 7, "x") == 7

    def fail():
        raise ValueError("no")

    def lacks():
        raise MissingExtra("chromadb", extra="chroma")

    with pytest.raises(VectorStoreUnavailable, match="no"):
        within(5, fail, "x")
    with pytest.raises(MissingExtra, match=r"vectree-core\[chroma\]"):
        within(5, lacks, "x")
