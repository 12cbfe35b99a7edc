"""The methods of ``Corpus`` that answer: ask, locate, a conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from vectree.agent.library import Library
from vectree.corpus.models import reading_model, resolve_model
from vectree.corpus.threads import in_thread
from vectree.errors import UsageError
from vectree.evidence import Answer, Step
from vectree.llm.chat import ChatModel

if TYPE_CHECKING:
    from vectree.agent.conversation import Conversation
    from vectree.agent.loop import LoopSettings
    from vectree.agent.tree_search.located import Located


class AskingMethods:
    """What a corpus answers. A model is given by name, as an object, or not at all: then it is the corpus's own.

    Args:
        library: The corpus.
        model: Answers questions; ``None`` for the default.
    """

    def __init__(self, library: Library, model: ChatModel | None) -> None:
        self._library = library
        self._model = model

    def ask(
        self,
        question: str,
        *,
        model: str | ChatModel | None = None,
        navigation_model: str | ChatModel | None = None,
        settings: LoopSettings | None = None,
        on_step: Callable[[Step], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer:
        """Answer a question from the papers (Algorithm 1); every citation is checked against the pages read.

        Args:
            question: The question.
            model: Answer with this one instead of the corpus's.
            navigation_model: A cheaper model for the rounds that find papers and sections; page text is read
                and the answer written by ``model``. None by default.
            settings: Rounds, sampling, compaction of old page texts; the paper's by default.
            on_step: Called after each tool call.
            cancelled: Asked before each model call and each tool call; the run ends when it returns True.

        Returns:
            The answer, its citations, the evidence and how it came about.

        Raises:
            UsageError: If the question is empty or a model's name names none. (``NoAnswer`` says that the
                model never said anything, ``ModelError`` that it failed; both carry the steps taken as
                ``trajectory``.)
        """
        if not question.strip():
            raise UsageError("The question is empty.")
        from vectree.agent.loop import LoopSettings, answer_question  # loaded by the first question

        return answer_question(
            question,
            library=self._library,
            model=self._answering(model),
            settings=settings or LoopSettings(),
            navigator=None if navigation_model is None else resolve_model(navigation_model),
            on_step=on_step,
            cancelled=cancelled,
        )

    async def aask(
        self,
        question: str,
        *,
        model: str | ChatModel | None = None,
        navigation_model: str | ChatModel | None = None,
        settings: LoopSettings | None = None,
        on_step: Callable[[Step], None] | None = None,
    ) -> Answer:
        """`ask` without blocking the event loop; cancelling it ends the run before its next call.

        Args:
            question: The question.
            model: Answer with this one instead of the corpus's.
            navigation_model: As for `ask`.
            settings: As for `ask`.
            on_step: Called after each tool call, in a thread.

        Returns:
            As `ask`.
        """
        return await in_thread(
            lambda cancelled: self.ask(
                question,
                model=model,
                navigation_model=navigation_model,
                settings=settings,
                on_step=on_step,
                cancelled=cancelled,
            )
        )

    def locate(self, doc_id: str, question: str, *, model: str | ChatModel | None = None) -> Located:
        """Find the sections of one paper that hold an answer: verified tree search (§3.4).

        A model names sections; each is checked for existence, page range and words shared with the question.
        If fewer than half of them pass, the model is asked again, at most twice, and then the five sections
        that share most words are taken. ``extractive`` cannot name sections: with it they are ranked by words
        and vectors, and the result's ``method`` says so.

        Args:
            doc_id: The paper.
            question: The question.
            model: Name sections with this one instead of the corpus's.

        Returns:
            The sections, with confidence, retries and whether the fallback was taken.

        Raises:
            UsageError: If the question has no words or the model's name names none. (``UnknownDocument`` says
                that there is no such paper, ``ModelRequestError`` that the model's service fails.)
        """
        if not question.strip():
            raise UsageError("The question is empty.")
        from vectree.agent.tree_search.search import locate

        chosen = reading_model(self._model if model is None else model)
        return locate(self._library, doc_id, question, model=chosen)

    async def alocate(self, doc_id: str, question: str, *, model: str | ChatModel | None = None) -> Located:
        """`locate` without blocking the event loop.

        Args:
            doc_id: The paper.
            question: The question.
            model: As for `locate`.

        Returns:
            As `locate`.
        """
        return await in_thread(lambda _: self.locate(doc_id, question, model=model))

    def replay(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Run the calls of a trajectory again, without a model.

        Args:
            steps: Steps of an answer, of an error, or read back with ``agent.trajectory.from_jsonl``.

        Returns:
            Each step with what its tool returns now: the same, as long as the papers are the same.
        """
        from vectree.agent.replaying import replay

        return tuple(replay(self._library, steps))

    def conversation(
        self,
        *,
        model: str | ChatModel | None = None,
        navigation_model: str | ChatModel | None = None,
        settings: LoopSettings | None = None,
    ) -> Conversation:
        """Begin a conversation, in which follow-ups know the papers discussed before.

        Args:
            model: Answer with this one instead of the corpus's.
            navigation_model: As for `ask`.
            settings: As for `ask`.

        Returns:
            A conversation; for one thread at a time.
        """
        from vectree.agent.conversation import Conversation

        return Conversation(
            self._library,
            self._answering(model),
            navigator=None if navigation_model is None else resolve_model(navigation_model),
            settings=settings,
        )

    def _answering(self, model: str | ChatModel | None) -> ChatModel:
        return resolve_model(self._model if model is None else model)
