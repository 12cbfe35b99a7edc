"""Having a model judge a sample of the stored summaries: does each follow from its section?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vectree.corpus.ingest_settings import replies_folder
from vectree.corpus.state import CorpusState
from vectree.document import Node, SummarySource
from vectree.errors import UsageError
from vectree.ingest.model.entailment import judge_summary
from vectree.ingest.model.stages import ModelStages
from vectree.llm.chat import ChatModel
from vectree.tree.slices import section_text
from vectree.tree.walk import walk

OnChecked = Callable[[str, int, int], None]
"""Called with a ``doc_id``, an ordinal from 1 and the size of the sample, before a summary is judged."""

_JUDGED = frozenset({SummarySource.EXTRACTIVE, SummarySource.MODEL, SummarySource.MODEL_UNCONFIRMED})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSummary:
    """One summary and the verdict on it.

    Attributes:
        doc_id: The paper.
        node_id: The section.
        title: Its number and title.
        source: What the summary is made of.
        verdict: ``"supported"``, ``"unsupported"``, or ``"unknown"`` if the model gave none.
        unsupported: Parts that the section does not bear out.
        whole: Whether the model saw the whole section.
    """

    doc_id: str
    node_id: str
    title: str
    source: str
    verdict: str
    unsupported: tuple[str, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryCheck:
    """A sample of summaries, judged.

    Attributes:
        checked: The sample.
        summaries: How many summaries there are to sample from; sections that keep their text are none.
        model: Name of the judge.
    """

    checked: tuple[CheckedSummary, ...]
    summaries: int
    model: str

    @property
    def counts(self) -> dict[str, int]:
        """How many of each verdict."""
        found = Counter(each.verdict for each in self.checked)
        return {verdict: found.get(verdict, 0) for verdict in ("supported", "unsupported", "unknown")}

    @property
    def rate(self) -> float | None:
        """Share of supported summaries among those with a verdict; ``None`` without any."""
        counts = self.counts
        judged = counts["supported"] + counts["unsupported"]
        return counts["supported"] / judged if judged else None


def check_summaries(
    state: CorpusState,
    model: ChatModel,
    doc_ids: Sequence[str] = (),
    *,
    sample: int,
    seed: int,
    on_summary: OnChecked | None = None,
) -> SummaryCheck:
    """Judge a sample of summaries.

    Args:
        state: The open corpus.
        model: The judge.
        doc_ids: Papers to sample from; none for all.
        sample: Summaries to judge at most.
        seed: Decides which; the same seed gives the same sample of the same corpus.
        on_summary: Called for each summary.

    Returns:
        The verdicts, in the order of papers and sections.

    Raises:
        UsageError: If the sample is empty by request.
    """
    if sample < 1:
        raise UsageError(f"A sample of {sample} summaries says nothing; at least 1 is needed.")
    store = state.store
    candidates = [
        (doc_id, node)
        for doc_id in (tuple(dict.fromkeys(doc_ids)) or store.doc_ids())
        for node in walk(store.tree(doc_id))
        if node.summary_source in _JUDGED
    ]
    places = sorted(random.Random(seed).sample(range(len(candidates)), min(sample, len(candidates))))
    stages = ModelStages(model, replies=replies_folder(state.root))
    checked: list[CheckedSummary] = []
    for ordinal, place in enumerate(places, 1):
        doc_id, node = candidates[place]
        if on_summary is not None:
            on_summary(doc_id, ordinal, len(places))
        checked.append(_judged(state, stages, doc_id, node))
    return SummaryCheck(checked=tuple(checked), summaries=len(candidates), model=model.name)


def _judged(state: CorpusState, stages: ModelStages, doc_id: str, node: Node) -> CheckedSummary:
    tree = state.store.tree(doc_id)
    text = section_text(tree, node.id, state.store.pages(doc_id, tuple(node.pages)))
    verdict = judge_summary(stages, section=node.printed, text=text, summary=node.summary)
    said = "unknown" if verdict is None else "supported" if verdict.supported else "unsupported"
    return CheckedSummary(
        doc_id=doc_id,
        node_id=node.id,
        title=node.printed,
        source=node.summary_source.value,
        verdict=said,
        unsupported=verdict.unsupported if verdict is not None else (),
        whole=verdict.whole if verdict is not None else True,
    )
