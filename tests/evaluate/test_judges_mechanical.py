"""Reading final answers by rule (Table 10): certain, or nothing."""

from __future__ import annotations

import pytest

from vectree.evaluate.judges.mechanical import (
    mechanical_choice,
    mechanical_correctness,
    polarity,
    selected_option,
)
from vectree.evaluate.records import INSUFFICIENT, Benchmark, Grading, Question, Reference
from vectree.evaluate.verdicts import Choice, Correctness

QUESTION = Question(
    id="c",
    text="?",
    benchmark=Benchmark.LITQA2,
    grading=Grading.CHOICE,
    references=(Reference(text="Argon"),),
    options=("Neon", "Argon", "Helium", INSUFFICIENT),
    gold_option=1,
    unsure_option=3,
)


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(b)", "B"),
        ("B.", "B"),
        ("**B**", "B"),
        ("B. Argon", "B"),
        ("B) Argon, since the paper says so.", "B"),
        ("(B) Argon", "B"),
        ("The correct answer is **B. Argon** (Lee et al., 2021, lee2021-aa, p.3).", "B"),
        ("Neon glows red. Final answer: C", "C"),
        ("The answer is (D).", "D"),
        ("I choose option B because of page 4.", "B"),
        ("Answer: B\n\nThe paper states that.", "B"),
        ("The best option is B, since A is excluded.", "B"),
        ("Answer: A common choice would be neon.", None),
        ("A common choice is neon.", None),
        ("The answer is Argon.", None),
        ("Answer: B. On reflection, the answer is C.", None),
        ("The answer is X.", None),
        ("", None),
        ("Either B or C may hold.", None),
    ],
)
def test_the_selected_letter(answer: str, letter: str | None) -> None:
    assert selected_option(QUESTION, answer) == letter


def test_the_letter_implies_the_verdict() -> None:
    assert mechanical_choice(QUESTION, "B") is Choice.CORRECT
    assert mechanical_choice(QUESTION, "D") is Choice.ABSTAIN
    assert mechanical_choice(QUESTION, "A") is Choice.INCORRECT
    assert mechanical_choice(QUESTION, "It is argon.") is None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Yes", True),
        ("No.", False),
        ("**Yes**, they fine-tune BERT.", True),
        ("no, only English data", False),
        ("The answer is yes.", True),
        ("Answer: No", False),
        ("No one compared them.", None),
        ("There is no evidence.", None),
        ("They report yes in Table 2.", None),
        ("Yes. But the answer is no.", None),
        ("Noise is added.", None),
        ("", None),
    ],
)
def test_polarity(answer: str, said: bool | None) -> None:
    assert polarity(answer) is said


def _boolean(*texts: str, kind: str = "boolean") -> Question:
    return Question(
        id="q",
        text="?",
        benchmark=Benchmark.QASPER,
        grading=Grading.CORRECTNESS,
        references=tuple(Reference(text=text, kind=kind) for text in texts),
    )


def test_any_reference_of_the_same_polarity_suffices() -> None:
    assert mechanical_correctness(_boolean("Yes"), "Yes, twice.") is Correctness.CORRECT
    assert mechanical_correctness(_boolean("Yes"), "No.") is Correctness.INCORRECT
    assert mechanical_correctness(_boolean("Yes", "No"), "No.") is Correctness.CORRECT


def test_questions_with_other_references_are_not_mechanical() -> None:
    mixed = _boolean("Yes", kind="boolean")
    assert mechanical_correctness(mixed, "They did it twice.") is None
    assert mechanical_correctness(_boolean("Yes", kind="abstractive"), "Yes") is None
