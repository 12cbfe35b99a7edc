"""The embedder of §3.4."""

from vectree.index.embedder import PAPER_GATES
from vectree.index.embedders import resolve_embedder
from vectree.index.entries import Template
from vectree.index.specter2 import HUB_NAME, MAX_TOKENS, Specter2Embedder


def test_specter2_is_the_published_base_model_with_512_tokens():
    assert HUB_NAME == "allenai/specter2_base"
    assert MAX_TOKENS == 512


def test_the_papers_gates_are_specter2s():
    embedder = resolve_embedder("specter2")
    assert isinstance(embedder, Specter2Embedder)
    assert embedder.gates == PAPER_GATES
    assert (PAPER_GATES.relevant, PAPER_GATES.strong) == (0.35, 0.55)


def test_top_level_sections_have_entries():
    assert Template.PAPER.depth == Template.TITLE_FIRST.depth == 1
