"""What a run will take, before anything is paid: calls, tokens, money (the dry run)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vectree.evaluate.records import (
    Estimate,
    Grading,
    Papers,
    Question,
    Selective,
    System,
    documents_asked,
)
from vectree.llm.usage import Price
from vectree.tokens import count_tokens

INSTRUCTIONS = 350
"""Tokens of a judge's instructions, the form of its reply included."""

ANSWER = 350
"""Tokens of an answer that is yet to be written."""

VERDICT = 60
"""Tokens of a verdict with its sentence."""

STATEMENTS = 400
"""Tokens of an answer taken apart into statements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a part of a run is expected to take.

    Attributes:
        name: Name of the system, or of the judge.
        calls: Requests.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens generated.
        cost: US dollars; ``None`` if the price is not known.
    """

    name: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """What a run is expected to take.

    Attributes:
        answers: Answers to be written.
        systems: One entry for each system, its index included.
        judge: Grading of all of them; ``None`` without a judge.
    """

    answers: int
    systems: tuple[Expected, ...]
    judge: Expected | None

    @property
    def cost(self) -> float | None:
        """US dollars in all; ``None`` if a price is not known."""
        costs = [each.cost for each in (*self.systems, *([self.judge] if self.judge else []))]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None


def estimate_run(
    *,
    questions: Sequence[Question],
    systems: Sequence[System],
    papers: Papers,
    seeds: int,
    generator: bool = True,
    price: Price | None = None,
    judge: str = "",
    judge_price: Price | None = None,
) -> RunEstimate:
    """Foresee a run. Nothing is asked of any model.

    Args:
        questions: What will be asked.
        systems: Who will answer.
        papers: The corpus.
        seeds: Answers to each question.
        generator: Whether there is an answering model; without one nothing is sent.
        price: Of the answering model.
        judge: Name of the judge; empty for none.
        judge_price: Of the judge.

    Returns:
        The estimate: an order of magnitude, since agents decide for themselves how much to read.
    """
    expected: list[Expected] = []
    judging = Estimate()
    for system in systems:
        if isinstance(system, Selective):
            system.expect(documents_asked(questions))
        total = system.estimate(papers, None)
        for question in questions:
            each = system.estimate(papers, question)
            total = _add(total, each, seeds)
            judging = _add(judging, grading_estimate(question, each), seeds)
        expected.append(priced(system.name, total if generator else Estimate(), price))
    return RunEstimate(
        answers=len(questions) * len(systems) * seeds,
        systems=tuple(expected),
        judge=priced(judge, judging, judge_price) if judge else None,
    )


def grading_estimate(question: Question, answer: Estimate) -> Estimate:
    """What grading one answer takes.

    Args:
        question: The question.
        answer: What answering it is expected to take.

    Returns:
        Calls and tokens of the judge.
    """
    asked = INSTRUCTIONS + count_tokens(question.asked)
    references = sum(count_tokens(reference.text) for reference in question.references)
    if question.grading is not Grading.SYNTHESIS:
        return Estimate(calls=1, prompt_tokens=asked + references + ANSWER, completion_tokens=VERDICT)
    prompts = (
        asked + ANSWER,  # statements of the answer
        asked + references,  # statements of the reference
        asked + references,  # facts of the reference
        asked + 2 * STATEMENTS,  # factuality
        asked + references + ANSWER,  # coverage
        asked + STATEMENTS + answer.context_tokens,  # faithfulness
    )
    return Estimate(
        calls=len(prompts), prompt_tokens=sum(prompts), completion_tokens=3 * STATEMENTS + 3 * VERDICT
    )


def _add(total: Estimate, each: Estimate, times: int) -> Estimate:
    return Estimate(
        calls=total.calls + times * each.calls,
        prompt_tokens=total.prompt_tokens + times * each.prompt_tokens,
        completion_tokens=total.completion_tokens + times * each.completion_tokens,
        context_tokens=total.context_tokens + times * each.context_tokens,
    )


def priced(name: str, total: Estimate, price: Price | None) -> Expected:
    """Put a price on an estimate.

    Args:
        name: Name of the part.
        total: Its calls and tokens.
        price: What the model charges.

    Returns:
        Whole calls and tokens, with their cost where the price is known or nothing is asked.
    """
    prompt, completion = round(total.prompt_tokens), round(total.completion_tokens)
    cost = 0.0 if not total.calls else None
    if cost is None and price is not None:
        cost = price.cost(prompt_tokens=prompt, completion_tokens=completion)
    return Expected(
        name=name, calls=round(total.calls), prompt_tokens=prompt, completion_tokens=completion, cost=cost
    )
