"""The text side of Search-o1: queries in a reply, steps of reasoning, what was learned from a search."""

from __future__ import annotations

import re

BEGIN_QUERY, END_QUERY = "<|begin_search_query|>", "<|end_search_query|>"
BEGIN_RESULT, END_RESULT = "<|begin_search_result|>", "<|end_search_result|>"

NOTHING = "No helpful information found."
LIMIT_REACHED = "The search limit is reached; no further search is possible. Answer from what you have."
REPEATED = "This query was asked before; its result stands above."

_FINAL = "**Final Information**"
_KEPT_STEPS = 5
_MARKS = re.compile(r"<\|(?:begin|end)_search_(?:query|result)\|>")


def stopped_at_query(text: str) -> str:
    """Cut a reply where generation would have stopped.

    Args:
        text: What the model said; it may have run on and invented a result.

    Returns:
        The text up to the end of its first complete query; all of it if there is none.
    """
    begin = text.find(BEGIN_QUERY)
    end = text.find(END_QUERY, begin) if begin >= 0 else -1
    return text if end < 0 else text[: end + len(END_QUERY)]


def query_of(text: str) -> str | None:
    """The query that a reply ends with.

    Args:
        text: As cut by ``stopped_at_query``.

    Returns:
        The query on one line; ``None`` if the reply does not end with a complete one that has words.
    """
    if not text.endswith(END_QUERY) or BEGIN_QUERY not in text:
        return None
    return " ".join(text[: -len(END_QUERY)].rpartition(BEGIN_QUERY)[2].split()) or None


def result_block(information: str) -> str:
    """Wrap what was learned.

    Args:
        information: A text; marks in it are taken out.

    Returns:
        The block that goes back to the model.
    """
    return f"{BEGIN_RESULT}{without_marks(information)}{END_RESULT}"


def without_marks(text: str) -> str:
    """Take the marks of queries and results out of a text.

    Args:
        text: Any text.

    Returns:
        The text without them.
    """
    return _MARKS.sub("", text).strip()


def information_of(reply: str) -> str:
    """What a reading of passages yielded.

    Args:
        reply: What the model said.

    Returns:
        The text after the last marker on one line; ``NOTHING`` without a marker or without text.
    """
    _, marker, after = reply.rpartition(_FINAL)
    return (" ".join(after.split()) or NOTHING) if marker else NOTHING


def condensed(reasoning: str) -> str:
    """Shorten reasoning for the reader of passages.

    Args:
        reasoning: Everything so far.

    Returns:
        Numbered steps. Of more than five: the first, the last four, and those that hold a query or a result;
        gaps are shown as dots.
    """
    steps = [step.strip() for step in re.split(r"\n\s*\n", reasoning) if step.strip()]
    kept: list[str] = []
    for number, step in enumerate(steps, start=1):
        near = number == 1 or number > len(steps) - (_KEPT_STEPS - 1)
        if len(steps) <= _KEPT_STEPS or near or _MARKS.search(step):
            kept.append(f"Step {number}: {step}")
        elif kept[-1] != "...":
            kept.append("...")
    return "\n\n".join(kept)
