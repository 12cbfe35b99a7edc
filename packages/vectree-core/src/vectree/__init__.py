"""VecTree: ask a library of papers a question; every citation names a page that was really read.

Which papers is answered by vectors and BM25 over compact document and section entries; where in the paper by
walking the authors' own section tree, verified against the pages. Text is opened last, page by page.

    from vectree import Corpus

    corpus = Corpus.open("papers-corpus")
    corpus.add("papers/")
    answer = corpus.ask("Which electrolyte keeps its conductivity above 80 °C?")
    print(answer.text, answer.evidence)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vectree.corpus import AddReport, Corpus
    from vectree.document import Figure, Metadata, Node, Page, PageRange, Record, SectionTree
    from vectree.errors import VecTreeError
    from vectree.evidence import Answer, Citation, Evidence, Filters, SearchHit, SearchResult, Step
    from vectree.index.embedder import Embedder, HashEmbedder
    from vectree.llm.chat import ChatModel
    from vectree.llm.scripted import FunctionModel, ScriptedModel

__version__ = "0.1.0"

__all__ = [
    "AddReport",
    "Answer",
    "ChatModel",
    "Citation",
    "Corpus",
    "Embedder",
    "Evidence",
    "Figure",
    "Filters",
    "FunctionModel",
    "HashEmbedder",
    "Metadata",
    "Node",
    "Page",
    "PageRange",
    "Record",
    "ScriptedModel",
    "SearchHit",
    "SearchResult",
    "SectionTree",
    "Step",
    "VecTreeError",
    "__version__",
]

# Names are loaded on first use: importing the package costs nothing, and ``vectree --help`` answers at once.
_HOMES = {
    "vectree.corpus": ("AddReport", "Corpus"),
    "vectree.document": ("Figure", "Metadata", "Node", "Page", "PageRange", "Record", "SectionTree"),
    "vectree.errors": ("VecTreeError",),
    "vectree.evidence": (
        "Answer",
        "Citation",
        "Evidence",
        "Filters",
        "SearchHit",
        "SearchResult",
        "Step",
    ),
    "vectree.index.embedder": ("Embedder", "HashEmbedder"),
    "vectree.llm.chat": ("ChatModel",),
    "vectree.llm.scripted": ("FunctionModel", "ScriptedModel"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
