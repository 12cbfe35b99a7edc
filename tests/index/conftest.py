"""A small BERT-style model with random weights, saved to disk the way real ones are."""

import json

import pytest

VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "of", "in", "bees", "gut", "microbes", "garnet"),
    *(
        "lithium",
        "electrolyte",
        "conductivity",
        "ionic",
        "honey",
        "polymer",
        "word",
        "a",
        "query",
        "document",
    ),
    *(":", "find", "##s", "##ion", "##ic"),
]
WIDTH = 48
LONGEST = 64


def save_bert(folder, *, seed=0):
    """Config, tokenizer and weights of an encoder, as ``save_pretrained`` writes them."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(VOCABULARY), encoding="utf-8")
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=WIDTH,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=LONGEST,
        initializer_range=0.5,
    )
    BertModel(config).eval().save_pretrained(folder)
    BertTokenizerFast(vocab=str(vocabulary), model_max_length=LONGEST).save_pretrained(folder)
    return folder


def save_sentence_model(folder, *, pooling="mean", prompts=None, seed=0):
    """The same with a pooling module around it, as sentence-transformers saves it."""
    from sentence_transformers import SentenceTransformer

    loaded = SentenceTransformer(str(save_bert(folder / "encoder", seed=seed)), device="cpu")
    pooled = type(loaded[1])(WIDTH, pooling_mode=pooling)
    model = SentenceTransformer(modules=[loaded[0], pooled], prompts=prompts, device="cpu")
    model.save(str(folder / "model"), create_model_card=False)
    return folder / "model"


def weights_of(folder):
    """Weights and configuration as they lie on disk."""
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())


class SmallModels:
    """What the tests of model embedders need."""

    VOCABULARY, WIDTH, LONGEST = VOCABULARY, WIDTH, LONGEST
    save_bert = staticmethod(save_bert)
    save_sentence_model = staticmethod(save_sentence_model)
    weights_of = staticmethod(weights_of)


@pytest.fixture(scope="session")
def small_models():
    pytest.importorskip("sentence_transformers")
    return SmallModels
