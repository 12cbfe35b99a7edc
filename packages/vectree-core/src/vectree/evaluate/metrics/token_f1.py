"""Token overlap of two short answers, by the SQuAD normalisation that QASPER's official evaluator uses."""

from __future__ import annotations

import re
import string
from collections import Counter

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def answer_tokens(text: str) -> list[str]:
    """Normalise an answer and split it into tokens.

    Args:
        text: The answer.

    Returns:
        Lower-case tokens without ASCII punctuation and English articles, duplicates kept.
    """
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def token_f1(prediction: str, reference: str) -> float:
    """F1 of the tokens of two answers.

    Args:
        prediction: What was answered.
        reference: What should have been.

    Returns:
        0 to 1; 0 if they share no token, also if both have none.
    """
    found, wanted = answer_tokens(prediction), answer_tokens(reference)
    shared = sum((Counter(found) & Counter(wanted)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(found), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)
