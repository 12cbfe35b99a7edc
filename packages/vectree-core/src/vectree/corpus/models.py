"""The one place where a chat model's name becomes a chat model."""

from __future__ import annotations

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel
from vectree.llm.usage import Price

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


def resolve_model(
    model: str | ChatModel | None, *, base_url: str | None = None, price: Price | None = None
) -> ChatModel:
    """Find the chat model that answers questions.

    Args:
        model: A name, a model, which is returned as it is, or ``None`` for the default.
        base_url: Where the service of a name is; by default as the environment or the name says.
        price: What that service charges.

    Returns:
        The model.

    Raises:
        UsageError: If the name names none, or a service needs a key and none is set.
    """
    if model is not None and not isinstance(model, str):
        return model
    if model in (None, "", DEFAULT_MODEL):
        from vectree.agent.extractive import ExtractiveModel

        return ExtractiveModel()
    from vectree.llm.names import resolve_model as by_name

    if ":" not in model:
        raise UsageError(
            f"There is no chat model named {model!r}; there is {DEFAULT_MODEL!r}, and services by SERVICE:MODEL.",
            hint="Write for example openai:NAME, openrouter:NAME, deepseek:NAME, ollama:NAME or llamacpp:NAME.",
        )
    return by_name(model, base_url=base_url, price=price)
