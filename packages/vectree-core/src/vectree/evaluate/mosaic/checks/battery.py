"""All checks, in the order in which they are made: those that cost least come first."""

from __future__ import annotations

from vectree.evaluate.mosaic.checks.check import Check
from vectree.evaluate.mosaic.checks.coverage import find_uncovered
from vectree.evaluate.mosaic.checks.duplication import find_duplicate
from vectree.evaluate.mosaic.checks.grounding import find_ungrounded
from vectree.evaluate.mosaic.checks.who_can_answer import (
    find_flat_retrieval,
    find_leak,
    find_sufficient_paper,
    find_unanswerable,
)
from vectree.evaluate.mosaic.settings import Kind

_INFERENCE = frozenset({Kind.INFERENCE})

DUPLICATION = Check(name="duplication", find=find_duplicate)

CHECKS = (
    Check(name="grounding", find=find_ungrounded, repairable=True),
    Check(name="coverage", find=find_uncovered, repairable=True),
    DUPLICATION,
    Check(name="closed-book leakage", find=find_leak),
    Check(name="answerability", find=find_unanswerable),
    Check(name="passage retrieval", find=find_flat_retrieval, kinds=_INFERENCE),
    Check(name="single-document sufficiency", find=find_sufficient_paper, kinds=_INFERENCE),
)
"""§4.1: all kinds go through the first five, questions of inference through all; grounding and coverage may
be repaired."""
