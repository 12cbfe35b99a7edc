"""Whether a question goes on about what was just discussed."""

from __future__ import annotations

import re

_OPENING = re.compile(
    r"\s*(?:and|but|also|so|then|or|what about|how about|what else|anything else|why|more|go on)\b",
    re.IGNORECASE,
)
_NOUN = r"(?:paper|papers|study|studies|work|article|articles|authors?)"
_POINTING = re.compile(
    rf"\b(?:it|its|they|their|them|he|she|his|her|those|these|the (?:two|same)"
    rf"|(?:this|that)(?=\s*[?.!]*$|\s+{_NOUN}\b)|the {_NOUN})\b",
    re.IGNORECASE,
)
_LIBRARY = re.compile(
    r"\b(?:library|corpus|collection|other papers?|another paper|all papers)\b", re.IGNORECASE
)


def is_follow_up(question: str) -> bool:
    """Guess whether a question means the papers discussed before.

    Only a model that does not read the conversation needs the guess; language models see what was said.

    Args:
        question: The question.

    Returns:
        True if it opens like a continuation or points back with a pronoun, and does not speak of the library.
    """
    if _LIBRARY.search(question):
        return False
    return bool(_OPENING.match(question) or _POINTING.search(question))
