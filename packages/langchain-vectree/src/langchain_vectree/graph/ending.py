"""The node ``finalize``: the last text is the answer; its citations are checked against the pages read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from langchain_vectree.convert.messages import text_of
from langchain_vectree.graph.asking import progress_of
from langchain_vectree.graph.state import AnswerData, Progress, VecTreeState, loop_state
from vectree.agent.checked import check_text
from vectree.agent.library import Library
from vectree.agent.policy import LoopPolicy, Next, Stopped
from vectree.agent.trajectory import step_data
from vectree.errors import NoAnswer
from vectree.evidence import Step


class Ending:
    """Ends runs.

    Args:
        library: The corpus.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    def finalize(self, state: VecTreeState, config: RunnableConfig) -> dict[str, Any]:
        """End a run (Algorithm 1, line 28).

        Args:
            state: Where the run stands.
            config: Of the run; unused.

        Returns:
            An update of the state: the answer with its checked citations. If the model gave no final reply,
            its last non-empty text is added as the last message.

        Raises:
            NoAnswer: If the model never said anything; it carries the steps taken.
        """
        del config
        progress = progress_of(state)
        messages = state["messages"]
        steps = steps_of(messages[progress["since"] :])
        if progress["then"] == Next.FINISH:
            text = text_of(messages[-1]).strip()
            return {"vectree_answer": self._answer(state, steps, text, Stopped.FINAL)}
        reason = Stopped.EMPTY_REPLY if progress["then"] == Next.STOP else Stopped.ROUND_LIMIT
        try:
            text = LoopPolicy().ending(loop_state(progress), reason)
        except NoAnswer as error:
            error.trajectory = tuple(steps)
            raise
        last = AIMessage(text, additional_kwargs={"vectree_stopped": reason.value})
        return {"messages": [last], "vectree_answer": self._answer(state, steps, text, reason)}

    def _answer(self, state: VecTreeState, steps: Sequence[Step], text: str, stopped: Stopped) -> AnswerData:
        progress: Progress = progress_of(state)
        checked = check_text(self._library, text, steps)
        return AnswerData(
            question=_question(state["messages"][: progress["since"]]),
            text=text,
            citations=[asdict(item) | {"status": item.status.value} for item in checked.citations],
            uncited=list(checked.uncited),
            unfound=[
                asdict(item) | {"pages": [list(page) for page in item.pages]} for item in checked.unfound
            ],
            evidence=[asdict(item) for item in checked.evidence],
            trajectory=[step_data(step) for step in steps],
            usage=progress["usage"],
            stopped=stopped.value,
            rounds=progress["rounds"],
            calls=progress["calls"],
            titles=checked.titles,
        )


def steps_of(messages: Sequence[BaseMessage]) -> list[Step]:
    """The tool calls of a run as VecTree records them.

    Args:
        messages: Of the run.

    Returns:
        Steps in the order in which the calls were issued.
    """
    artifacts: list[Any] = [message.artifact for message in messages if isinstance(message, ToolMessage)]
    steps = [_step(artifact) for artifact in artifacts if isinstance(artifact, dict) and "call" in artifact]  # pyright: ignore[reportUnknownArgumentType]
    return sorted(steps, key=lambda step: step.call)


def _step(artifact: dict[str, Any]) -> Step:
    return Step(
        round=artifact["round"],
        call=artifact["call"],
        tool=artifact["tool"],
        layer=artifact.get("layer"),
        arguments=artifact["arguments"],
        tokens=artifact["tokens"],
        error=artifact["error"],
        sources=tuple((str(doc_id), int(page)) for doc_id, page in artifact["sources"]),
    )


def _question(before: Sequence[BaseMessage]) -> str:
    return next((text_of(message) for message in reversed(before) if isinstance(message, HumanMessage)), "")
