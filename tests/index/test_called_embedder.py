"""Functions as an embedder."""

from __future__ import annotations

import numpy as np
import pytest

from vectree.errors import EmbedderError
from vectree.index.called_embedder import CalledEmbedder, EmbeddingCalls
from vectree.testing.embedder_contract import EmbedderContract

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def counted(text: str) -> list[float]:
    """How often each letter and anything else occurs: not of norm 1, so that scaling shows."""
    return [
        *(float(text.lower().count(letter)) for letter in LETTERS),
        float(sum(c not in LETTERS for c in text)),
    ]


def make(**changes) -> CalledEmbedder:
    calls = {"documents": lambda texts: [counted(text) for text in texts], "query": counted}
    return CalledEmbedder(EmbeddingCalls(**{**calls, **changes}), family="tests", name="letters")


class TestContract(EmbedderContract):
    def make_embedder(self) -> CalledEmbedder:
        return make()


def test_its_name_tells_whose_it_is_and_its_length_is_found_by_asking() -> None:
    fingerprint = make().fingerprint
    assert (fingerprint.name, fingerprint.dimension) == ("tests:letters", 27)


def test_a_text_without_words_is_never_sent() -> None:
    sent: list[str] = []

    def documents(texts: list[str]) -> list[list[float]]:
        sent.extend(texts)
        return [counted(text) for text in texts]

    vectors = make(documents=documents).embed_documents(["ion", "  ", "glass"])
    assert sent == ["ion", "glass"]
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1, 0, 1])


def test_many_texts_go_in_batches_and_come_back_in_order() -> None:
    sizes: list[int] = []

    def documents(texts: list[str]) -> list[list[float]]:
        sizes.append(len(texts))
        return [counted(text) for text in texts]

    texts = [f"{'a' * (n % 7)}b" for n in range(600)]
    vectors = make(documents=documents).embed_documents(texts)
    assert sizes == [256, 256, 88]
    assert np.allclose(vectors[599], make().embed_query(texts[599]))


def test_what_a_function_raises_is_told_in_one_line() -> None:
    def refuse(_: object) -> list[float]:
        raise ConnectionError("no route")

    with pytest.raises(EmbedderError, match="letters: ConnectionError: no route"):
        make(query=refuse).embed_query("ion")


def test_another_shape_is_refused() -> None:
    with pytest.raises(EmbedderError, match="shape"):
        make(documents=lambda texts: [[1.0]] * len(texts)).embed_documents(["ion"])
