"""Several questions in a row, with what was discussed kept for follow-ups (Appendix F, third kind of question).

Only questions, answers and the names of papers are kept, not the page texts: a follow-up reads again what it
needs. Everything kept is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vectree.agent.follow_up import is_follow_up
from vectree.agent.library import Library
from vectree.agent.loop import Earlier, LoopSettings, answer_question
from vectree.agent.scope import ScopedLibrary
from vectree.agent.trajectory import pages_read
from vectree.errors import UnknownDocument
from vectree.evidence import Answer, Step
from vectree.llm.chat import ChatModel, Message, Role
from vectree.prompts import fill
from vectree.tree.outline import clip

MAX_TURNS = 6
"""Questions and answers that are shown to the model again."""

MAX_PAPERS = 20
"""Papers that stay known, the least recently used leave first."""

_MAX_ANSWER = 4_000
_MAX_TITLE = 120
_FORGETFUL = "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A question that was answered."""

    question: str
    answer: str
    papers: tuple[str, ...]


class Conversation:
    """A session of questions. For one thread at a time.

    A language model is shown the last questions and answers and the doc_ids of the papers already discussed.
    The ``extractive`` model reads neither; for it, a question that points back to the last answer is asked
    about the papers of that answer alone (`scope_of`).

    Args:
        library: The corpus.
        model: Answers.
        navigator: A cheaper model for the rounds in layers 0 and 1; ``None`` for none.
        settings: Of the loop.
    """

    def __init__(
        self,
        library: Library,
        model: ChatModel,
        *,
        navigator: ChatModel | None = None,
        settings: LoopSettings | None = None,
    ) -> None:
        self._library = library
        self._model = model
        self._navigator = navigator
        self._settings = settings or LoopSettings()
        self._turns: list[_Turn] = []
        self._pages: dict[str, set[int]] = {}

    @property
    def papers(self) -> tuple[str, ...]:
        """The papers that were read, by ``doc_id``, the last one used first."""
        return tuple(reversed(self._pages))

    def forget(self) -> None:
        """Begin anew: no paper is known, nothing was asked."""
        self._turns.clear()
        self._pages.clear()

    def scope_of(self, question: str) -> tuple[str, ...]:
        """The papers to which a question is limited because the model does not read the conversation.

        Args:
            question: The question.

        Returns:
            Papers of the last answer, by ``doc_id``; empty for the whole library.
        """
        if self._model.name != _FORGETFUL or not self._turns or not is_follow_up(question):
            return ()
        return tuple(doc_id for doc_id in self._turns[-1].papers if self._title(doc_id) is not None)

    def ask(
        self,
        question: str,
        *,
        on_step: Callable[[Step], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Answer:
        """Answer the next question.

        A run that fails or is interrupted leaves the conversation as it was, but for the papers it read.

        Args:
            question: The question.
            on_step: Called after each tool call, in order.
            cancelled: Asked before each model call and each tool call; the run ends when it returns True.

        Returns:
            The answer. A citation of a page that was read for an earlier question counts as read. Errors are
            those of `answer_question`.
        """
        scope = self.scope_of(question)
        steps: list[Step] = []

        def note(step: Step) -> None:
            steps.append(step)
            if on_step is not None:
                on_step(step)

        try:
            answer = answer_question(
                question,
                library=ScopedLibrary(self._library, frozenset(scope)) if scope else self._library,
                model=self._model,
                settings=self._with_papers(),
                navigator=self._navigator,
                earlier=self._earlier(),
                on_step=note,
                cancelled=cancelled,
            )
        finally:
            self._remember(steps)
        self._turns.append(_Turn(question=question, answer=answer.text, papers=_papers_of(answer)))
        del self._turns[:-MAX_TURNS]
        return answer

    def _with_papers(self) -> LoopSettings:
        known = [(doc_id, title) for doc_id in self.papers if (title := self._title(doc_id)) is not None]
        if not known:
            return self._settings
        lines = "\n".join(f"- {doc_id}: {clip(title, _MAX_TITLE)}" for doc_id, title in known)
        notes = filter(None, (self._settings.note, fill("conversation", papers=lines)))
        return replace(self._settings, note="\n\n".join(notes))

    def _earlier(self) -> Earlier:
        messages: list[Message] = []
        for turn in self._turns:
            messages.append(Message(role=Role.USER, text=turn.question[:_MAX_ANSWER]))
            messages.append(Message(role=Role.ASSISTANT, text=turn.answer[:_MAX_ANSWER]))
        pages = frozenset((doc_id, page) for doc_id, pages in self._pages.items() for page in pages)
        return Earlier(messages=tuple(messages), pages=pages)

    def _remember(self, steps: list[Step]) -> None:
        for doc_id, page in pages_read(steps):
            self._pages[doc_id] = self._pages.pop(doc_id, set[int]()) | {page}
        for doc_id in list(self._pages)[:-MAX_PAPERS]:
            del self._pages[doc_id]

    def _title(self, doc_id: str) -> str | None:
        """A paper's title; ``None`` once it has left the library."""
        try:
            return self._library.record(doc_id).metadata.title
        except UnknownDocument:
            return None


def _papers_of(answer: Answer) -> tuple[str, ...]:
    """The papers an answer cites, else those it read."""
    cited = [citation.doc_id for citation in answer.citations if citation.read]
    return tuple(dict.fromkeys(cited or [item.doc_id for item in answer.evidence]))
