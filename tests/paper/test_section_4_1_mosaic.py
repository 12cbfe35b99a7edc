"""§4.1: how MOSAIC was built; the builder's defaults are the paper's."""

from __future__ import annotations

from vectree.evaluate.mosaic.checks.battery import CHECKS
from vectree.evaluate.mosaic.settings import BuildSettings, Kind

SETTINGS = BuildSettings()


def test_a_question_needs_five_to_seven_papers() -> None:
    assert (SETTINGS.fewest, SETTINGS.most) == (5, 7)


def test_drafts_at_035_and_checks_at_0() -> None:
    assert (SETTINGS.draft_temperature, SETTINGS.check_temperature) == (0.35, 0.0)


def test_24_inference_13_aggregation_and_12_comparison_questions() -> None:
    assert SETTINGS.counts == {Kind.INFERENCE: 24, Kind.AGGREGATION: 13, Kind.COMPARISON: 12}
    assert SETTINGS.wanted == 49


def test_inference_passes_two_checks_more_and_two_checks_lead_to_repair() -> None:
    everywhere = {check.name for check in CHECKS if check.kinds == frozenset(Kind)}
    inference = {check.name for check in CHECKS if check.kinds == {Kind.INFERENCE}}
    assert everywhere == {"grounding", "answerability", "closed-book leakage", "coverage", "duplication"}
    assert inference == {"single-document sufficiency", "passage retrieval"}
    assert {check.name for check in CHECKS if check.repairable} == {"grounding", "coverage"}
