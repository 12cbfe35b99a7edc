"""The pure rules; how they play out in a run is in ``test_loop`` and ``tests/paper/test_algorithm_1``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectree.agent.policy import LoopPolicy, LoopState, Next, Stopped
from vectree.errors import NoAnswer

POLICY = LoopPolicy()


def test_calls_are_counted_whatever_becomes_of_them() -> None:
    state, then = POLICY.advance(LoopState(calls=4), text="", calls=3)
    assert (state.calls, state.rounds, then) == (7, 1, Next.ACT)


def test_text_beside_calls_is_kept_and_does_not_end_the_run() -> None:
    state, then = POLICY.advance(LoopState(), text="Let me look.", calls=1)
    assert (state.last_text, then) == ("Let me look.", Next.ACT)


def test_white_space_is_no_text() -> None:
    state, then = POLICY.advance(LoopState(last_text="before"), text=" \n", calls=0)
    assert (state.last_text, then) == ("before", Next.NUDGE)


def test_an_empty_reply_is_nudged_once_and_costs_a_round_and_no_call() -> None:
    state, then = POLICY.advance(LoopState(), text="", calls=0)
    assert (then, state.rounds, state.calls) == (Next.NUDGE, 1, 0)
    _, then = POLICY.advance(state, text="", calls=0)
    assert then is Next.STOP


def test_an_empty_last_reply_is_not_nudged() -> None:
    _, then = POLICY.advance(LoopState(rounds=29), text="", calls=0)
    assert then is Next.STOP


def test_the_reminder_names_the_number_of_calls_from_the_tenth_on() -> None:
    assert [bool(POLICY.reminder(call)) for call in range(1, 13)] == [False] * 9 + [True] * 3
    assert "12 tool calls" in POLICY.reminder(12)


def test_the_ending_is_the_last_text_or_an_error_that_says_why() -> None:
    assert POLICY.ending(LoopState(last_text="so far")) == "so far"
    with pytest.raises(NoAnswer, match="round limit after 30 rounds and 31 tool calls"):
        POLICY.ending(LoopState(rounds=30, calls=31))
    with pytest.raises(NoAnswer, match="cancelled"):
        POLICY.ending(LoopState(), Stopped.CANCELLED)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["", " ", "text"]), st.integers(0, 5)), max_size=60))
def test_no_sequence_of_replies_exceeds_the_rounds(replies: list[tuple[str, int]]) -> None:
    state, then = LoopState(), Next.ACT
    for text, calls in replies:
        if not POLICY.may_ask(state) or then in (Next.FINISH, Next.STOP):
            break
        state, then = POLICY.advance(state, text=text, calls=calls)
    assert state.rounds <= POLICY.max_rounds
    assert state.nudges <= 1
    assert state.calls == sum(calls for _, calls in replies[: state.rounds])
