"""Every system by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from vectree.agent.extractive.model import ExtractiveModel, ExtractiveSettings
from vectree.agent.loop import LoopSettings
from vectree.errors import UsageError
from vectree.evaluate.records import Benchmark, System
from vectree.evaluate.systems.ablations import ListingLibrary, SectionlessLibrary
from vectree.evaluate.systems.agents import AgentSystem, ungated
from vectree.evaluate.systems.dense import MOSAIC_TOP_K, TOP_K, MatchedSystem, PassageSystem
from vectree.evaluate.systems.disclosing import DisclosingSystem
from vectree.evaluate.systems.raptor.presets import PAPER, PASSAGES, REPOSITORY, RaptorSettings
from vectree.evaluate.systems.raptor.system import RaptorSystem
from vectree.evaluate.systems.rerank import CrossEncoderScorer
from vectree.evaluate.systems.search_o1 import SearchO1System
from vectree.evaluate.systems.tree_search import TreeSearchSystem
from vectree.prompts import template

TREE_TOOLS = frozenset({"get_document_tree", "search_within_paper", "get_paper_metadata"})
"""Tools that show sections."""

VECTOR_TOOLS = frozenset({"search_within_paper"})
"""Tools, besides search_documents, that use the vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEntry:
    """A system as ``vectree eval systems`` lists it.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        summary: One line.
        paper: Where the paper describes it; empty if it does not.
        make: Makes it with its defaults for a benchmark.
    """

    name: str
    title: str
    summary: str
    paper: str
    make: Callable[[Benchmark], System]


def _passages(benchmark: Benchmark) -> int:
    return MOSAIC_TOP_K if benchmark is Benchmark.MOSAIC else TOP_K


def _agent(_: Benchmark) -> System:
    return AgentSystem(name="agent", title="VecTree-RAG")


def _no_tree(_: Benchmark) -> System:
    return AgentSystem(
        name="no-tree",
        title="− tree layer",
        settings=LoopSettings(withheld=TREE_TOOLS, note=template("eval_without_tree")),
        change=SectionlessLibrary,
        removed="tree layer: no trees, no sections in search results",
        effort=1.5,
    )


def _no_vector(_: Benchmark) -> System:
    return AgentSystem(
        name="no-vector",
        title="− vector layer",
        settings=LoopSettings(withheld=VECTOR_TOOLS, note=template("eval_without_vectors")),
        change=ListingLibrary,
        removed="vector layer: search lists all papers unranked, no search within a paper",
        effort=3.8,
    )


def _no_gates(_: Benchmark) -> System:
    return AgentSystem(
        name="no-gates",
        title="− relevance gates",
        choose=ungated,
        removed="relevance gates: raw reciprocal rank fusion",
        effort=0.8,
    )


def _extractive(_: Benchmark) -> System:
    settings = ExtractiveSettings()
    return AgentSystem(
        name="extractive",
        title="Extractive",
        own_model=ExtractiveModel(settings),
        own_settings=asdict(settings),
    )


def _paragraphs(_: Benchmark) -> System:
    return PassageSystem(name="paragraphs", title="Page RRF", whole_pages=True, fusion=True)


def _dense(benchmark: Benchmark) -> System:
    return PassageSystem(name="dense", title="Dense RAG", k=_passages(benchmark))


def _matched(_: Benchmark) -> System:
    return MatchedSystem(name="dense-matched", title="Dense RAG, equal tokens")


def _rerank(_: Benchmark) -> System:
    return PassageSystem(name="rerank", title="Dense RAG, reranked", scorer=CrossEncoderScorer())


def _raptor(name: str, title: str, settings: RaptorSettings) -> Callable[[Benchmark], System]:
    """Questions of QASPER are about one paper each, so that each paper has its tree there."""

    def make(benchmark: Benchmark) -> System:
        alone = benchmark is Benchmark.QASPER
        return RaptorSystem(name=name, title=title, settings=settings, tree_for_each_paper=alone)

    return make


def _search_o1(_: Benchmark) -> System:
    return SearchO1System()


def _tree_search(_: Benchmark) -> System:
    return TreeSearchSystem()


def _no_disclosure(_: Benchmark) -> System:
    return DisclosingSystem()


def _entry(
    name: str, title: str, paper: str, summary: str, make: Callable[[Benchmark], System]
) -> SystemEntry:
    return SystemEntry(name=name, title=title, summary=summary, paper=paper, make=make)


SYSTEMS: tuple[SystemEntry, ...] = (
    _entry("agent", "VecTree-RAG", "§3", "The agent with all seven tools.", _agent),
    _entry("no-tree", "− tree layer", "§4.6", "The agent without trees: search, then pages.", _no_tree),
    _entry("no-vector", "− vector layer", "§4.6", "The agent on trees alone: nothing is ranked.", _no_vector),
    _entry("no-gates", "− relevance gates", "§4.6", "The agent on raw rank fusion.", _no_gates),
    _entry("extractive", "Extractive", "", "A fixed policy that quotes; needs no model.", _extractive),
    _entry(
        "paragraphs",
        "Page RRF",
        "",
        "Pages (QASPER: paragraphs) by dense and BM25 ranks fused, ten in one call.",
        _paragraphs,
    ),
    _entry("dense", "Dense RAG", "§4.2", "Passages of 800 tokens, 10 in one call (MOSAIC: 232).", _dense),
    _entry(
        "dense-matched",
        "Dense RAG, equal tokens",
        "",
        "As many passages as the agent's tokens allow; run it with agent.",
        _matched,
    ),
    _entry("rerank", "Dense RAG, reranked", "§4.2", "30 passages, 10 kept by a cross-encoder.", _rerank),
    _entry(
        "raptor",
        "RAPTOR",
        "§4.2",
        "Passages and a tree of their summaries, the ten nearest of all.",
        _raptor("raptor", "RAPTOR", PASSAGES),
    ),
    _entry(
        "raptor-paper",
        "RAPTOR, its paper",
        "",
        "As in RAPTOR's paper: leaves of 100 tokens, 2,000 tokens shown.",
        _raptor("raptor-paper", "RAPTOR, its paper", PAPER),
    ),
    _entry(
        "raptor-repo",
        "RAPTOR, its repository",
        "",
        "As in RAPTOR's repository: leaves of 100 tokens, ten nodes.",
        _raptor("raptor-repo", "RAPTOR, its repository", REPOSITORY),
    ),
    _entry("search-o1", "Search-o1", "§4.2", "Reasons and searches passages, ten times at most.", _search_o1),
    _entry(
        "tree-search",
        "Verified tree search",
        "§3.4",
        "Sections of one paper named by the model, checked, retried.",
        _tree_search,
    ),
    _entry(
        "no-disclosure",
        "No progressive disclosure",
        "",
        "Full pages of the best sections in one call, no trees.",
        _no_disclosure,
    ),
)
"""In the order in which they are listed."""


def make_system(name: str, benchmark: Benchmark) -> System:
    """Make a system.

    Args:
        name: Its name.
        benchmark: Decides its defaults.

    Returns:
        The system.

    Raises:
        UsageError: If there is no system of that name.
    """
    for entry in SYSTEMS:
        if entry.name == name:
            return entry.make(benchmark)
    names = ", ".join(entry.name for entry in SYSTEMS)
    raise UsageError(f"There is no system {name!r}.", hint=f"There are {names}.")
