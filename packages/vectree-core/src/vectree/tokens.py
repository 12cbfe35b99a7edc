"""The one rule for counting tokens."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text: characters divided by four, rounded up.

    The same rule serves every bound and every reported size, so that figures can be compared between
    models. Deviation: the paper does not name its tokenizer.

    Args:
        text: Any text.

    Returns:
        Estimated number of tokens; 0 only for the empty text.
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)
