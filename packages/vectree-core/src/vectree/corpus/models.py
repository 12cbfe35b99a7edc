"""The one place where a chat model's name becomes a chat model."""

from __future__ import annotations

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel

DEFAULT_MODEL = "extractive"


def resolve_model(model: str | ChatModel | None) -> ChatModel:
    """Find a chat model.

    Args:
        model: A name, a model, which is returned as it is, or ``None`` for the default.

    Returns:
        The model.

    Raises:
        UsageError: If there is no model of that name.
    """
    if model is not None and not isinstance(model, str):
        return model
    if model in (None, DEFAULT_MODEL):
        from vectree.agent.extractive import ExtractiveModel

        return ExtractiveModel()
    raise UsageError(
        f"There is no chat model named {model!r}; there is {DEFAULT_MODEL!r}.",
        hint="From Python, pass any object with the methods of vectree.llm.ChatModel.",
    )
