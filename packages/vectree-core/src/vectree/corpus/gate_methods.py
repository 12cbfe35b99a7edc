"""The methods of ``Corpus`` that show and measure the gates of search (§3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vectree.corpus.session import locked
from vectree.corpus.state import CorpusState, mark_of
from vectree.evidence import Filters
from vectree.index.entries import make_entries, parse_template
from vectree.search.calibration import Calibration, calibrate
from vectree.search.gates import GateThresholds
from vectree.search.scoring import Decision
from vectree.store.manifest import GatesMark, write_manifest

NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What became of each candidate of a search, and by which thresholds.

    Attributes:
        embedder: Name of the embedder.
        measured: Whether the similarity gates were measured on this corpus.
        small_library: Whether the rule for small libraries applies (agreement or a strong match).
        thresholds: The gates.
        decisions: The results, best first, then the best of those that were left out.
    """

    embedder: str
    measured: bool
    small_library: bool
    thresholds: GateThresholds
    decisions: tuple[Decision, ...]


class GateMethods:
    """What search keeps, what it leaves out, and where the thresholds lie.

    Args:
        state: The open corpus.
    """

    def __init__(self, state: CorpusState) -> None:
        self._state = state

    def explain(self, query: str, *, filters: Filters = NO_FILTERS, limit: int = 50) -> Explanation:
        """Say what became of each candidate of a search, with ranks, scores and the gate that decided.

        Args:
            query: As for `search`, but not ``"*"``.
            filters: As for `search`.
            limit: Most candidates to return, at least 1.

        Returns:
            The thresholds and the decisions.
        """
        current = self._state.current()
        thresholds = current.search.thresholds
        return Explanation(
            embedder=current.embedder.fingerprint.name,
            measured=current.measured,
            small_library=len(current.index.doc_ids()) <= thresholds.small_library,
            thresholds=thresholds,
            decisions=current.search.explain(query, filters=filters, limit=limit),
        )

    def calibrate(self, *, write: bool = False) -> Calibration:
        """Measure what the embedder makes of unrelated texts in this corpus, and suggest similarity gates.

        Args:
            write: Keep the suggested gates in ``corpus.json``; searches use them from then on, also those of
                other processes. They go when the index is rebuilt with another embedder.

        Returns:
            The figures. An empty corpus raises `UsageError`.
        """
        current = self._state.current()
        found = calibrate(current.index.snapshot(), current.embedder, current.search.thresholds.similarities)
        if write:
            with locked(self._state) as manifest:
                mark = GatesMark(
                    embedder=mark_of(current.embedder),
                    relevant=found.suggested.relevant,
                    strong=found.suggested.strong,
                )
                write_manifest(self._state.root, replace(manifest, gates=mark))
        return found

    def count_vectors(self, *, entry_depth: int | None = None) -> int:
        """Count the vectors that an index of the stored papers has, without embedding anything.

        Args:
            entry_depth: Down to which level sections have entries; by default as in the corpus.

        Returns:
            One for each paper and one for each section that gets an entry.
        """
        template = parse_template(self._state.manifest().template)
        if entry_depth is not None:
            template = template.at_depth(entry_depth)
        store = self._state.store
        return sum(
            len(make_entries(record, store.tree(record.doc_id), template)) for record in store.records()
        )
