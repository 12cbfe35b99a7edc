"""The one place where the name of a model becomes a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vectree.errors import UsageError
from vectree.llm.chat import ChatModel
from vectree.llm.endpoint import OPENAI_URL, find_endpoint
from vectree.llm.usage import FREE, Price

if TYPE_CHECKING:
    from vectree.llm.openai import ServiceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service known by a prefix.

    Attributes:
        base_url: Where it is.
        url_variables: Environment variables that may say otherwise.
        key_variables: Environment variables that may hold its key. No service is sent another's key.
        own_machine: Whether it is software that people run themselves; free of charge where it is local.
    """

    base_url: str
    url_variables: tuple[str, ...] = ("VECTREE_BASE_URL",)
    key_variables: tuple[str, ...] = ("VECTREE_API_KEY",)
    own_machine: bool = False


SERVICES: dict[str, Service] = {
    "openai": Service(
        base_url=OPENAI_URL,
        url_variables=("VECTREE_BASE_URL", "OPENAI_BASE_URL"),
        key_variables=("VECTREE_API_KEY", "OPENAI_API_KEY"),
    ),
    "openrouter": Service(
        base_url="https://openrouter.ai/api/v1", key_variables=("OPENROUTER_API_KEY", "VECTREE_API_KEY")
    ),
    "deepseek": Service(
        base_url="https://api.deepseek.com", key_variables=("DEEPSEEK_API_KEY", "VECTREE_API_KEY")
    ),
    "ollama": Service(base_url="http://localhost:11434/v1", own_machine=True),
    "vllm": Service(base_url="http://localhost:8000/v1", own_machine=True),
    "llamacpp": Service(base_url="http://localhost:8080/v1", own_machine=True),
}
"""What may stand before the colon of a model's name, besides ``replay``."""

_REPLAY = "replay"


def resolve_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    context_window: int | None = None,
    price: Price | None = None,
    settings: ServiceSettings | None = None,
) -> ChatModel:
    """Make the model that a name means.

    ``openai:MODEL`` with a base URL reaches every service that speaks the Chat Completions API; the other
    prefixes know where their service is. ``replay:FOLDER`` gives recorded replies.

    Args:
        name: ``PREFIX:MODEL``.
        base_url: Where the service is, if not where the prefix says.
        api_key: Its key, if not in the environment.
        context_window: Tokens a request and its reply may have together.
        price: What it charges.
        settings: How it is called.

    Returns:
        The model.

    Raises:
        UsageError: If the name is not of this form, or a key is missing. (``MissingExtra`` says that the
            ``openai`` extra is not installed.)
    """
    from vectree.llm.openai import OpenAICompatibleModel
    from vectree.llm.replay import ReplayModel

    prefix, _, model = name.strip().partition(":")
    if prefix == _REPLAY and model:
        return ReplayModel(Path(model))
    service = SERVICES.get(prefix)
    if service is None or not model:
        forms = ", ".join(f"{known}:MODEL" for known in SERVICES)
        raise UsageError(
            f"{name!r} names no model; allowed are {forms}, and {_REPLAY}:FOLDER.",
            hint="Any other compatible service is reached by openai:MODEL and a base URL (VECTREE_BASE_URL).",
        )
    endpoint = find_endpoint(
        base_url=base_url,
        api_key=api_key,
        default_url=service.base_url,
        url_variables=service.url_variables,
        key_variables=service.key_variables,
    )
    if price is None and service.own_machine and endpoint.local:
        price = FREE
    return OpenAICompatibleModel(
        model,
        base_url=endpoint.base_url,
        api_key=endpoint.api_key,
        context_window=context_window,
        price=price,
        settings=settings,
        name=f"{prefix}:{model}",
    )
