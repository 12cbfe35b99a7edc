"""Thinking aloud: some services leave it in the text of a reply."""

from __future__ import annotations

import re

_TAG = r"(?:think|thinking|thought|reasoning)"
_BLOCK = re.compile(rf"\s*<(?P<tag>{_TAG})\s*>.*?</(?P=tag)\s*>\s*", re.DOTALL | re.IGNORECASE)
_END = re.compile(rf"</{_TAG}\s*>\s*", re.IGNORECASE)
_VALUE = ("{", "[", '"', "```")


def without_thought(text: str) -> str:
    """Drop the thoughts that stand before a reply.

    Args:
        text: What a model wrote. A think-block counts at the very beginning only; its opening mark may be
            missing, since some chat templates write it into the prompt.

    Returns:
        The reply alone; the text as it is if it has no such beginning, or if it is JSON.
    """
    while block := _BLOCK.match(text):
        text = text[block.end() :]
    if text.lstrip().startswith(_VALUE):
        return text
    end = _END.search(text)
    return text[end.end() :] if end else text
