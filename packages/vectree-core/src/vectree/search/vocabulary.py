"""What questions call one thing and papers another: "which corpus?" is answered under "Data".

Only search within a paper uses these words: the paper is chosen, and what is left to find is where it speaks
of its data, its baselines or its results. They weigh less than the words of the question.
"""

from __future__ import annotations

from collections import defaultdict

from vectree.words import content_words, stem

GROUPS = (
    "data dataset corpus corpora sample cohort collection",
    "baseline compare comparison previous competitor",
    "metric measure evaluate score accuracy",
    "model architecture",
    "method approach technique procedure",
    "annotate label rater human",
    "result performance improve outperform increase",
    "size number total amount contain consist",
    "experiment setup",
    "limitation shortcoming weakness future error",
)
"""Words for the same part of a study. Measured on 650 questions of QASPER's training set (gold paper given, the
best pages at 70 % of the best, at most four): mean F1 0.278 without them, 0.302 with them."""


def related_words(query: str) -> tuple[str, ...]:
    """Find the words that papers may use for what a query asks about.

    Args:
        query: Any text.

    Returns:
        Stems in a stable order, without those of the query itself.
    """
    asked = {stem(word) for word in content_words(query)}
    return tuple(sorted({other for word in asked for other in relatives(word)} - asked))


def relatives(stemmed: str) -> frozenset[str]:
    """Find the words for the same part of a study.

    Args:
        stemmed: The stem of a word.

    Returns:
        Stems, the word's own among them; empty for most words.
    """
    return _RELATED.get(stemmed, frozenset())


def _by_stem() -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for group in GROUPS:
        stems = {stem(word) for word in group.split()}
        for each in stems:
            found[each] |= stems
    return {each: frozenset(others) for each, others in found.items()}


_RELATED = _by_stem()
