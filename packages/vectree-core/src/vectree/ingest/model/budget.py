"""How much text goes into one request: the paper's bounds, and never more than the model can take."""

from __future__ import annotations

from dataclasses import dataclass

from vectree.tokens import CHARACTERS_PER_TOKEN

_SHARE = 0.65
"""Our tokens are four characters; a model's own are shorter, most of all where there are formulas."""

_INSTRUCTIONS = 1_300
"""Tokens kept for the instructions, the schema, and a useless reply that is shown to the model again."""

_LEAST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What fits into a model.

    Attributes:
        window: Tokens a request and its reply may have together; ``None`` if unknown, then nothing is bounded
            but by the paper.
    """

    window: int | None = None

    def reply(self, wanted: int) -> int:
        """Bound a reply.

        Args:
            wanted: Tokens that are enough for it.

        Returns:
            At most an eighth of the window: small models are prone to go on until they are stopped.
        """
        return wanted if self.window is None else max(min(wanted, self.window // 8), 64)

    def quoted(self, wanted: int, *, reply: int) -> int:
        """Bound the text that is quoted in a request.

        Args:
            wanted: Tokens the paper allows.
            reply: Tokens wanted for the reply.

        Returns:
            Tokens by ``count_tokens``.
        """
        hard = self.hard(reply=reply)
        return wanted if hard is None else min(wanted, hard)

    def hard(self, *, reply: int) -> int | None:
        """The most that the model can take, whatever the paper allows.

        Args:
            reply: Tokens wanted for the reply.

        Returns:
            Tokens by ``count_tokens``; ``None`` if the window is unknown.
        """
        if self.window is None:
            return None
        return max(int((self.window - self.reply(reply)) * _SHARE) - _INSTRUCTIONS, _LEAST)


def cut_parts(text: str, tokens: int) -> list[str]:
    """Cut a text into parts of a size, at paragraphs, else at lines, else at words, else anywhere.

    Args:
        text: Any text.
        tokens: Most tokens of a part.

    Returns:
        The parts in order; joined they are the text. Empty for an empty text.
    """
    size = max(tokens, 1) * CHARACTERS_PER_TOKEN
    parts: list[str] = []
    start = 0
    while len(text) - start > size:
        end = _cut(text, start, start + size)
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]] if text[start:] else parts


def _cut(text: str, start: int, limit: int) -> int:
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, start + (limit - start) // 2, limit)
        if place >= 0:
            return place + len(mark)
    return limit
