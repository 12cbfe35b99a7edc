"""What the options of the asking commands mean."""

from __future__ import annotations

from vectree.agent.compaction import Compaction
from vectree.agent.loop import LoopSettings
from vectree.corpus.models import DEFAULT_MODEL
from vectree.errors import UsageError


def loop_settings(model: str, *, images: bool, compact_above: int | None) -> LoopSettings:
    """Settings of the loop from options.

    Args:
        model: Name of the model that answers.
        images: Whether it reads images.
        compact_above: Tokens of page text above which old ones are taken out; ``None`` for never.

    Returns:
        The settings.

    Raises:
        UsageError: If page texts are to be taken out for the extractive model, which has nothing else to quote.
    """
    if compact_above is None:
        return LoopSettings(images=images)
    if model == DEFAULT_MODEL:
        raise UsageError(
            f"--compact-above is not for {DEFAULT_MODEL!r}: it quotes page texts, which would be gone.",
            hint="Leave it out; this model has no limit on what it reads.",
        )
    return LoopSettings(images=images, compaction=Compaction(page_tokens=compact_above))
