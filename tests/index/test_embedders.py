import pytest

from vectree.errors import UsageError
from vectree.index.embedder import HashEmbedder
from vectree.index.embedders import DEFAULT_EMBEDDER, VARIABLE, resolve_embedder
from vectree.index.endpoint_embedder import EndpointEmbedder
from vectree.index.minilm import MiniLmEmbedder
from vectree.index.sentence_model import SentenceModelEmbedder
from vectree.index.specter2 import Specter2Embedder
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
    assert isinstance(resolve_embedder("specter2"), Specter2Embedder)
    assert isinstance(resolve_embedder("specter2:/models/specter2"), Specter2Embedder)
    assert isinstance(resolve_embedder("st:org/model"), SentenceModelEmbedder)
    assert DEFAULT_EMBEDDER == "minilm"


def test_an_embedder_is_taken_as_it_is():
    own = HashEmbedder(8)
    assert resolve_embedder(own) is own


@pytest.mark.parametrize("name", ["word2vec", "st:", "openai:", "specter2:", "", "hash:8"])
def test_an_unknown_name_is_refused_with_the_names_there_are(name):
    with pytest.raises(UsageError, match="'minilm', 'hash'"):
        resolve_embedder(name)


def test_a_folder_that_exists_is_a_sentence_model(tmp_path):
    assert isinstance(resolve_embedder(str(tmp_path)), SentenceModelEmbedder)


def test_an_endpoint_is_refused_when_no_connection_is_allowed(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")
    assert isinstance(resolve_embedder("openai:small"), EndpointEmbedder)
    with pytest.raises(UsageError, match=r"openai:small.*--offline allows none"):
        resolve_embedder("openai:small", offline=True)


def test_a_folder_known_by_name_is_looked_for_where_the_environment_says(tmp_path, monkeypatch):
    (tmp_path / "my-model").mkdir()
    (tmp_path / "my-model" / "model.bin").write_bytes(b"no weights")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, f"st:{tmp_path / 'my-model'}")
    monkeypatch.chdir("/")
    with pytest.raises(UsageError, match=f"{tmp_path.name}.*neither config.json"):
        resolve_embedder("st:my-model").embed_query("bees")


def test_the_folder_of_specter2_may_stand_in_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, f"specter2:{tmp_path}")
    with pytest.raises(UsageError, match=f"{tmp_path.name}.*neither config.json"):
        _ = resolve_embedder("specter2").fingerprint
