"""The rules of Algorithm 1 as pure functions, free of messages and models.

The core loop and the framework adapters are driven by the same rules: 30 rounds; every issued call counts
when it is issued; the reminder from the tenth call on; the calls of the last round are executed; at the end
the last non-empty text, else ``NoAnswer``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from vectree.errors import NoAnswer
from vectree.prompts import fill, template

MAX_ROUNDS = 30
"""§3.3: the loop permits up to 30 iterations; the paper's L."""

REMINDER_FROM = 10
"""§3.3 and Algorithm 1, line 25: the synthesis reminder is appended from the tenth tool call onward."""


class Next(StrEnum):
    """What the loop does with a reply.

    ``ACT``: run its calls. ``FINISH``: its text is the answer. ``NUDGE``: it was empty; ask once more.
    ``STOP``: end with the last non-empty text.
    """

    ACT = "act"
    FINISH = "finish"
    NUDGE = "nudge"
    STOP = "stop"


class Stopped(StrEnum):
    """Why a run ended: ``Answer.stopped``."""

    FINAL = "final"
    ROUND_LIMIT = "round limit"
    EMPTY_REPLY = "empty reply"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopState:
    """Where a run stands. Plain values, so that a checkpointer can keep it.

    Attributes:
        rounds: Replies the model has given.
        calls: Tool calls the model has issued; the paper's c.
        nudges: Times it was asked to go on after an empty reply.
        last_text: Its last non-empty text.
    """

    rounds: int = 0
    calls: int = 0
    nudges: int = 0
    last_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopPolicy:
    """The counting rules of §3.3 and Algorithm 1.

    Attributes:
        max_rounds: Most model replies.
        reminder_from: Ordinal of the first tool call whose result carries the reminder.
        max_nudges: Times an empty reply is answered with a request to go on. Deviation: the paper has no rule
            for empty replies; a nudge uses a round and is no tool call.
    """

    max_rounds: int = MAX_ROUNDS
    reminder_from: int = REMINDER_FROM
    max_nudges: int = 1

    def may_ask(self, state: LoopState) -> bool:
        """Whether the model may be asked for another reply.

        Args:
            state: Where the run stands.

        Returns:
            False once all rounds are used.
        """
        return state.rounds < self.max_rounds

    def advance(self, state: LoopState, *, text: str, calls: int) -> tuple[LoopState, Next]:
        """Take in a reply.

        Args:
            state: Where the run stood before it.
            text: What the model said.
            calls: Tool calls it issued: repeated, malformed, unknown and failing ones too.

        Returns:
            Where the run stands now, and what to do.
        """
        said = text if text.strip() else ""
        after = LoopState(
            rounds=state.rounds + 1,
            calls=state.calls + calls,
            nudges=state.nudges,
            last_text=said or state.last_text,
        )
        if calls:
            return after, Next.ACT
        if said:
            return after, Next.FINISH
        if state.nudges < self.max_nudges and self.may_ask(after):
            nudged = LoopState(
                rounds=after.rounds, calls=after.calls, nudges=after.nudges + 1, last_text=after.last_text
            )
            return nudged, Next.NUDGE
        return after, Next.STOP

    def hand_over(self, state: LoopState) -> LoopState:
        """Take in a reply of a navigation model that issued no call: it uses a round and is no answer.

        Args:
            state: Where the run stood before it.

        Returns:
            Where the run stands now.
        """
        return replace(state, rounds=state.rounds + 1)

    def reminder(self, call: int) -> str:
        """The note appended to a tool result.

        Args:
            call: Ordinal of the call in the run, from 1.

        Returns:
            The synthesize-now note from the tenth call on, else nothing.
        """
        return fill("synthesize_now", calls=str(call)) if call >= self.reminder_from else ""

    def nudge(self) -> str:
        """The message that answers an empty reply.

        Returns:
            A request to go on.
        """
        return template("empty_reply")

    def ending(self, state: LoopState, reason: Stopped = Stopped.ROUND_LIMIT) -> str:
        """The answer of a run that ends without a final reply (Algorithm 1, line 28).

        Args:
            state: Where the run stands.
            reason: Why it ends.

        Returns:
            The last non-empty text.

        Raises:
            NoAnswer: If the model never said anything.
        """
        if state.last_text:
            return state.last_text
        raise NoAnswer(
            f"No answer: {reason} after {state.rounds} rounds and {state.calls} tool calls, and no text.",
            hint="Ask again, ask more narrowly, or use another model.",
        )
