"""The one place where a chat model's name becomes a chat model."""

from __future__ import annotations

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel

DEFAULT_MODEL = "extractive"


def reading_model(model: str | ChatModel | None) -> ChatModel | None:
    """Find the chat model that takes part in reading papers.

    Args:
        model: A name, a model, or ``None``.

    Returns:
        The model; ``None`` for rules alone, which is also what the extractive model of questions stands for.
        A name that names none raises ``UsageError``.
    """
    if model is None or (isinstance(model, str) and model in ("", DEFAULT_MODEL)):
        return None
    if not isinstance(model, str):
        return None if model.name == DEFAULT_MODEL else model
    from vectree.llm.names import resolve_model as by_name

    return by_name(model)


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
