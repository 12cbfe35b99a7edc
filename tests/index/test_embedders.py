import pytest

from vectree.errors import UsageError
from vectree.index.embedder import HashEmbedder
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.minilm import MiniLmEmbedder
from vectree.testing.embedder_contract import EmbedderContract
from vectree.testing.embedders import CosineEmbedder, CountingEmbedder


class TestHash(EmbedderContract):
    def make_embedder(self):
        return HashEmbedder()


class TestCounting(EmbedderContract):
    def make_embedder(self):
        return CountingEmbedder(HashEmbedder(32))


class TestCosine(EmbedderContract):
    def make_embedder(self):
        return CosineEmbedder(lambda text: 1 / (1 + len(text)))


def test_names_become_embedders_without_loading_a_model():
    assert isinstance(resolve_embedder("minilm"), MiniLmEmbedder)
    assert isinstance(resolve_embedder("hash"), HashEmbedder)
    assert DEFAULT_EMBEDDER == "minilm"


def test_an_embedder_is_taken_as_it_is():
    own = HashEmbedder(8)
    assert resolve_embedder(own) is own


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(UsageError, match="'minilm', 'hash'"):
        resolve_embedder("word2vec")
