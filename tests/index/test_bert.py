import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectree.index.bert import BertEncoder, BertShape, gelu


@given(st.lists(st.floats(-40, 40, width=32), min_size=1, max_size=50))
def test_gelu_is_x_times_the_normal_distribution_function(values):
    given_values = np.array(values, dtype=np.float32)
    expected = [x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in given_values.astype(float)]
    assert np.allclose(gelu(given_values), expected, rtol=1e-5, atol=3e-6)


def test_gelu_of_an_array_beyond_one_block_keeps_its_shape():
    values = np.linspace(-5, 5, 200_000, dtype=np.float32).reshape(400, 500)
    assert gelu(values).shape == (400, 500)
    assert np.array_equal(gelu(values)[-1], gelu(values[-1]))


@pytest.mark.xdist_group("minilm")
def test_vectors_are_those_of_the_pytorch_model(small_models, tmp_path):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = small_models.save_bert(tmp_path / "bert")
    weights, config = small_models.weights_of(folder)
    shape = BertShape(
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
    )
    ids = np.random.default_rng(0).integers(5, len(small_models.VOCABULARY), size=(7, 23))
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        expected = model(torch.from_numpy(ids)).last_hidden_state.mean(dim=1).numpy()
    assert np.abs(BertEncoder(weights, shape).mean_pooled(ids.tolist()) - expected).max() < 1e-5
