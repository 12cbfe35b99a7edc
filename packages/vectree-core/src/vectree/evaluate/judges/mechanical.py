"""Reading a final answer by fixed rules, where it is unambiguous (Table 10)."""

from __future__ import annotations

import re

from vectree.evaluate.records import Question, letter
from vectree.evaluate.verdicts import Choice, Correctness

_MARKS = re.compile(r"[*_`#>\"'“”]+")
_LEAD = (
    r"(?i:(?:\b(?:final|correct|best|my)\s+)*\b(?:answer|option|choice)\b(?:\s+is)?\s*[:=]?\s*(?:option\s+)?)"
)
_CHOSEN = r"\b(?i:select|choose|pick)\s+(?i:option\s+)?"
_BARE = r"([A-Z])(?=\s*(?:[.,;:)–—-]|$)|\s+(?:because|since)\b|\s+\()"
_LETTERS = (
    re.compile(rf"(?:{_LEAD}|{_CHOSEN})[(\[]([A-Z])[)\]]"),
    re.compile(rf"(?:{_LEAD}|{_CHOSEN}){_BARE}", re.MULTILINE),
    re.compile(r"\A\s*(?:[(\[]([A-Z])[)\]]|([A-Z])[).:])"),
)
_ONLY_A_LETTER = re.compile(r"\s*[(\[]?([A-Za-z])[)\].]*\s*")
_FIRST_WORD = re.compile(r"\A\W*(yes|no)\b(?!\s+(?:one|longer|doubt|single))", re.IGNORECASE)
_STATED = re.compile(r"\banswer(?:\s+is)?\s*[:=]?\s*(yes|no)\b", re.IGNORECASE)


def selected_option(question: Question, answer: str) -> str | None:
    """Find the letter an answer selects.

    Args:
        question: A multiple-choice question.
        answer: What a system answered.

    Returns:
        The letter; ``None`` if no rule applies or the rules find different letters.
    """
    text = _MARKS.sub("", answer)
    alone = _ONLY_A_LETTER.fullmatch(text)
    found = {match[match.lastindex or 0] for pattern in _LETTERS for match in pattern.finditer(text)}
    letters = {alone.group(1).upper()} if alone else found
    allowed = {letter(index) for index in range(len(question.options))}
    return letters.pop() if len(letters) == 1 and letters <= allowed else None


def mechanical_choice(question: Question, answer: str) -> Choice | None:
    """The verdict that the selected letter implies.

    Args:
        question: A multiple-choice question.
        answer: What a system answered.

    Returns:
        The verdict; ``None`` if the letter cannot be read.
    """
    selected = selected_option(question, answer)
    if selected is None:
        return None
    index = ord(selected) - ord("A")
    if index == question.gold_option:
        return Choice.CORRECT
    return Choice.ABSTAIN if index == question.unsure_option else Choice.INCORRECT


def polarity(answer: str) -> bool | None:
    """Read a yes or a no.

    Args:
        answer: What a system answered.

    Returns:
        True for yes; ``None`` if the answer neither opens with one of the words nor names it as the answer,
        or does both differently.
    """
    text = _MARKS.sub("", answer)
    said = {match.group(1).lower() for match in _STATED.finditer(text)}
    if opening := _FIRST_WORD.match(text):
        said.add(opening.group(1).lower())
    return said.pop() == "yes" if len(said) == 1 else None


def mechanical_correctness(question: Question, answer: str) -> Correctness | None:
    """The verdict that a yes or no implies, for questions all of whose references are yes or no.

    Args:
        question: A free-text question.
        answer: What a system answered.

    Returns:
        ``CORRECT`` if any reference has the same polarity, else ``INCORRECT``; ``None`` where a rule cannot
        say.
    """
    kinds = {reference.kind for reference in question.references}
    said = polarity(answer)
    if kinds != {"boolean"} or said is None:
        return None
    wanted = {reference.text.strip().lower() == "yes" for reference in question.references}
    return Correctness.CORRECT if said in wanted else Correctness.INCORRECT
