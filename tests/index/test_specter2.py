import numpy as np
import pytest

from vectree.errors import EmbedderError
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import PAPER_GATES
from vectree.index.specter2 import HUB_NAME, MAX_TOKENS, Specter2Embedder
from vectree.testing.embedder_contract import EmbedderContract
from vectree.testing.entries import make_paper

pytestmark = pytest.mark.xdist_group("minilm")
_MADE = {}


@pytest.fixture(scope="module")
def folder(small_models, tmp_path_factory):
    return small_models.save_bert(tmp_path_factory.mktemp("specter2") / "weights")


class TestSpecter2(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _made(self, folder):
        self.folder = folder

    def make_embedder(self):
        return _MADE.setdefault("shared", Specter2Embedder(str(self.folder)))


def test_the_vector_is_the_normalised_first_token(folder):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    text = "ionic conductivity of the garnet electrolyte"
    with torch.no_grad():
        first = model(**tokenizer([text], return_tensors="pt")).last_hidden_state[0, 0].numpy()
    expected = first / np.linalg.norm(first)
    assert np.allclose(Specter2Embedder(str(folder)).embed_documents([text])[0], expected, atol=1e-5)


def test_the_fingerprint_and_the_gates_are_known_without_loading_the_model(small_models, folder, monkeypatch):
    monkeypatch.setattr(Specter2Embedder, "_load", lambda *_: pytest.fail("the model was loaded"))
    embedder = Specter2Embedder(str(folder))
    found = embedder.fingerprint
    assert (found.name, found.pooling, found.dimension) == ("specter2", "cls", small_models.WIDTH)
    assert embedder.gates == PAPER_GATES


def test_c36_tokens_beyond_the_cap_change_nothing_and_are_counted(small_models, folder, tmp_path):
    embedder = Specter2Embedder(str(folder))
    assert embedder.max_tokens == min(MAX_TOKENS, small_models.LONGEST)
    text = "bees " * (small_models.LONGEST - 2)
    first, second = embedder.embed_documents([text, text + "lithium " * 50])
    assert np.allclose(first, second, atol=1e-5)
    index = CorpusIndex(tmp_path / "index", embedder)
    report = index.add(*make_paper("long", title="Bees", sections={"Gut": "bees " * 200, "Word": "a word"}))
    assert report.truncated == ("0001",)


def test_without_weights_the_error_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    hub = pytest.importorskip("huggingface_hub")

    def absent(name, **_):
        raise hub.errors.LocalEntryNotFoundError(f"{name} is not there")

    monkeypatch.setattr(hub, "snapshot_download", absent)
    with pytest.raises(EmbedderError, match=f"{HUB_NAME}.*--online"):
        _ = Specter2Embedder().fingerprint


def test_a_broken_configuration_is_named(tmp_path):
    (tmp_path / "config.json").write_text("[]")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(EmbedderError, match="configuration of SPECTER2"):
        _ = Specter2Embedder(str(tmp_path)).fingerprint
