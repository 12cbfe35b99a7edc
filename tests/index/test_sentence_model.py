import shutil

import numpy as np
import pytest

from vectree.errors import EmbedderError, UsageError
from vectree.index.embedder import PAPER_GATES
from vectree.index.model_folder import files_hash, find_model
from vectree.index.sentence_model import SentenceModelEmbedder
from vectree.testing.embedder_contract import EmbedderContract

pytestmark = pytest.mark.xdist_group("minilm")


@pytest.fixture(scope="module")
def folder(small_models, tmp_path_factory):
    return small_models.save_sentence_model(tmp_path_factory.mktemp("mean"))


@pytest.fixture(scope="module")
def prompted(small_models, tmp_path_factory):
    prompts = {"query": "query : ", "document": "document : "}
    return small_models.save_sentence_model(
        tmp_path_factory.mktemp("prompted"), pooling="cls", prompts=prompts
    )


class TestSentenceModel(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _loaded(self, folder):
        self.folder = folder

    def make_embedder(self):
        return _shared(str(self.folder))


_MADE = {}


def _shared(source):
    return _MADE.setdefault(source, SentenceModelEmbedder(source))


def test_the_fingerprint_names_the_folder_without_its_place(small_models, folder):
    found = _shared(str(folder)).fingerprint
    assert (found.name, found.pooling, found.dimension) == ("st:model", "mean", small_models.WIDTH)
    assert str(folder.parent) not in repr(found)


def test_pooling_is_part_of_the_fingerprint(prompted):
    assert _shared(str(prompted)).fingerprint.pooling == "cls"


def test_queries_and_documents_get_the_prompts_of_the_model(prompted):
    embedder = _shared(str(prompted))
    query, document = embedder.embed_query("garnet"), embedder.embed_documents(["garnet"])[0]
    assert not np.allclose(query, document, atol=1e-3)
    library = pytest.importorskip("sentence_transformers")
    model = library.SentenceTransformer(str(prompted), device="cpu")
    spelt = model.encode(["query : garnet", "document : garnet"], normalize_embeddings=True, prompt="")
    assert np.allclose([query, document], spelt, atol=1e-5)


def test_a_prompt_counts_as_tokens_of_a_document(folder, prompted):
    (plain,) = _shared(str(folder)).count_tokens(["garnet lithium"])
    (longer,) = _shared(str(prompted)).count_tokens(["garnet lithium"])
    assert longer == plain + 2


def test_a_plain_encoder_without_modules_is_pooled_by_the_mean(small_models, tmp_path):
    embedder = SentenceModelEmbedder(str(small_models.save_bert(tmp_path / "plain")))
    assert embedder.fingerprint.pooling == "mean"
    assert embedder.gates == PAPER_GATES


def test_the_hash_knows_weights_and_pooling_but_not_the_place(folder, tmp_path):
    copy = tmp_path / "copied"
    shutil.copytree(folder, copy)
    assert files_hash(copy) == files_hash(folder)
    (copy / "README.md").write_text("a note")
    assert files_hash(copy) == files_hash(folder)
    (pooling,) = copy.glob("1_*/config.json")
    pooling.write_text(pooling.read_text().replace("mean", "cls"))
    assert files_hash(copy) != files_hash(folder)


def test_a_damaged_model_is_one_error_that_names_it(folder, tmp_path):
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    (copy / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(EmbedderError, match="damaged could not be loaded"):
        SentenceModelEmbedder(str(copy)).embed_query("garnet")


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"neither config\.json nor modules\.json"):
        find_model(str(tmp_path), offline=True, extra="specter2")


def test_a_folder_without_weights_is_refused(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EmbedderError, match="no weights"):
        files_hash(tmp_path)


@pytest.mark.parametrize("name", ["../up/model", "/no/such/folder", "a b", "org/model/file", "ørg/model"])
def test_what_is_neither_folder_nor_hub_name_is_refused(name):
    with pytest.raises(UsageError, match="no name of the Hugging Face hub"):
        find_model(name, offline=True, extra="specter2")


def test_a_hub_model_that_is_not_cached_says_how_to_allow_the_download(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(
        EmbedderError, match=r"not in the local cache.*--online.*hf download org/model-of-nobody"
    ):
        SentenceModelEmbedder("org/model-of-nobody").embed_query("garnet")


def test_a_hub_model_in_the_cache_is_used_without_a_network(folder, tmp_path, monkeypatch):
    hub = pytest.importorskip("huggingface_hub")

    def from_cache(name, *, local_files_only, **_):
        assert (name, local_files_only) == ("org/model", True)
        return str(folder)

    monkeypatch.setattr(hub, "snapshot_download", from_cache)
    embedder = SentenceModelEmbedder("org/model")
    assert embedder.fingerprint.name == "st:org/model"
    assert np.allclose(embedder.embed_query("garnet"), _shared(str(folder)).embed_query("garnet"), atol=1e-6)
