"""The methods of ``Corpus`` that look after what is stored: metadata and summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vectree.corpus.models import reading_model
from vectree.corpus.reindexing import OnIndexed
from vectree.corpus.state import CorpusState
from vectree.errors import UsageError
from vectree.llm.chat import ChatModel

if TYPE_CHECKING:
    from vectree.corpus.checking import SummaryCheck
    from vectree.corpus.refreshing import Refreshed


class UpkeepMethods:
    """What can be done to stored papers without reading them anew.

    Args:
        state: The open corpus.
    """

    def __init__(self, state: CorpusState) -> None:
        self._state = state

    def refresh_metadata(
        self, *doc_ids: str, offline: bool = True, on_paper: OnIndexed | None = None
    ) -> tuple[Refreshed, ...]:
        """Look bibliographic data up at Crossref and take over what agrees; nothing is parsed anew.

        Args:
            *doc_ids: Papers; all by default.
            offline: Use earlier answers only and open no connection; False asks Crossref.
            on_paper: Called with ``doc_id``, ordinal and total before each paper.

        Returns:
            What became of each paper.
        """
        from vectree.corpus.refreshing import refresh_metadata  # loads what reads papers

        return refresh_metadata(self._state, doc_ids, offline=offline, on_paper=on_paper)

    def check_summaries(
        self,
        *doc_ids: str,
        model: str | ChatModel,
        sample: int = 20,
        seed: int = 0,
        on_summary: OnIndexed | None = None,
    ) -> SummaryCheck:
        """Have a model judge whether a sample of summaries follows from their sections.

        Args:
            *doc_ids: Papers to sample from; all by default.
            model: The judge.
            sample: Summaries to judge at most.
            seed: Decides which.
            on_summary: Called with ``doc_id``, ordinal and total before each summary.

        Returns:
            The verdicts.

        Raises:
            UsageError: If no judge is named.
        """
        judge = reading_model(model)
        if judge is None:
            raise UsageError("A chat model is needed to judge summaries.", hint="Name one: --model openai:…")
        from vectree.corpus.checking import check_summaries  # loads what reads papers

        return check_summaries(self._state, judge, doc_ids, sample=sample, seed=seed, on_summary=on_summary)
