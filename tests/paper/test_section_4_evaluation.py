"""§4 and appendices A to F: constants of the evaluation."""

from __future__ import annotations

import inspect

import pytest

from vectree.evaluate.judges.judge import TEMPERATURE
from vectree.evaluate.judges.truncation import ORIGINAL, UNTRUNCATED
from vectree.evaluate.metrics.bootstrap import LEVEL
from vectree.evaluate.metrics.composite import COSINE_WEIGHT, F1_WEIGHT, composite
from vectree.evaluate.models import GENERATOR_TEMPERATURE, LiveModels
from vectree.evaluate.running.plan import SEEDS
from vectree.evaluate.verdicts import Choice, Correctness


def test_section_4_2_generator_at_1_0_judge_at_0_0_three_seeds() -> None:
    assert (GENERATOR_TEMPERATURE, TEMPERATURE, len(SEEDS)) == (1.0, 0.0, 3)
    assert inspect.signature(LiveModels).parameters["temperature"].default == 1.0


def test_section_4_3_a_partial_judgment_receives_zero_in_the_headline() -> None:
    assert Correctness.PARTIAL.strict == 0.0


def test_section_4_4_intervals_are_95_percent() -> None:
    assert LEVEL == 0.95


def test_equation_5() -> None:
    assert (F1_WEIGHT, COSINE_WEIGHT) == (0.75, 0.25)
    assert composite(0.41, 0.95) == pytest.approx(0.75 * 0.41 + 0.25 * 0.95)


def test_appendix_f_verdicts() -> None:
    assert [each.value for each in Correctness] == ["correct", "partial", "incorrect"]
    assert [each.value for each in Choice] == ["correct", "incorrect", "abstain"]


def test_the_original_truncation_is_an_option_and_not_the_default() -> None:
    assert (ORIGINAL.context, ORIGINAL.statements, ORIGINAL.text) == (10_000, 5_000, 3_000)
    assert (UNTRUNCATED.context, UNTRUNCATED.statements, UNTRUNCATED.text) == (None, None, None)
