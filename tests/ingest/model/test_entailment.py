from __future__ import annotations

import pytest

from vectree.ingest.model.entailment import judge_summary

ASKED = {"section": "2 Methods", "text": "The films were cast.", "summary": "Films were cast and sold."}


@pytest.mark.parametrize(
    ("reply", "supported", "parts"),
    [
        ({"supported": True}, True, ()),
        ({"supported": False, "unsupported": ["and sold"]}, False, ("and sold",)),
        ({"supported": True, "unsupported": ["and sold"]}, False, ("and sold",)),
        ({"supported": "yes", "unsupported": None}, True, ()),
        ({"supported": False, "unsupported": "and sold"}, False, ("and sold",)),
    ],
)
def test_a_verdict_is_read(answering, stages, reply, supported, parts) -> None:
    verdict = judge_summary(stages(answering(entailment=reply)), **ASKED)
    assert verdict is not None
    assert (verdict.supported, verdict.unsupported, verdict.whole) == (supported, parts, True)


def test_no_verdict_is_no_verdict(answering, stages) -> None:
    assert judge_summary(stages(answering(entailment="perhaps")), **ASKED) is None


def test_a_section_that_was_cut_is_said_to_be(answering, stages) -> None:
    model = answering(entailment={"supported": True}, context_window=2_000)
    verdict = judge_summary(stages(model), **{**ASKED, "text": "The films were cast. " * 2_000})
    assert verdict is not None
    assert verdict.whole is False
