"""Where a service is and which key opens it: from the caller, else from the environment."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from vectree.errors import UsageError

OPENAI_URL = "https://api.openai.com/v1"
_KEY_FOR_NO_KEY = "none"  # the SDK insists on one; services that need none ignore it


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A service that speaks the Chat Completions API.

    Attributes:
        base_url: Where it is, up to and without ``/chat/completions``.
        api_key: Its key; empty if it needs none. Never shown.
    """

    base_url: str
    api_key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """Host and port, to show to people: no password that a URL may hold, no path."""
        port = urlsplit(self.base_url).port
        return f"{self.hostname}:{port}" if port else self.hostname

    @property
    def hostname(self) -> str:
        """Host alone."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def local(self) -> bool:
        """Whether the service runs on the user's own machine or network."""
        return is_local(self.hostname)

    @property
    def key_to_send(self) -> str:
        """The key, or a word in its place."""
        return self.api_key or _KEY_FOR_NO_KEY

    def without_key(self, text: str) -> str:
        """Take the key out of a text that a service sent.

        Args:
            text: Any text.

        Returns:
            The text with stars in place of the key.
        """
        return text.replace(self.api_key, "***") if self.api_key else text


def find_endpoint(
    *,
    base_url: str | None,
    api_key: str | None,
    default_url: str = OPENAI_URL,
    url_variables: Sequence[str] = ("VECTREE_BASE_URL", "OPENAI_BASE_URL"),
    key_variables: Sequence[str] = ("VECTREE_API_KEY", "OPENAI_API_KEY"),
) -> Endpoint:
    """Settle where a service is and which key opens it.

    Args:
        base_url: As the caller says; ``None`` asks the environment.
        api_key: As the caller says; ``None`` asks the environment, an empty string means that none is needed.
        default_url: Where it is if nobody says.
        url_variables: Environment variables that may hold the URL, first one first.
        key_variables: Environment variables that may hold the key, first one first.

    Returns:
        The endpoint. No key is needed on the user's own machine or network.

    Raises:
        UsageError: If the URL is none, a key is missing, or a key cannot be sent.
    """
    url = (base_url or _from_environment(url_variables) or default_url).strip().rstrip("/")
    url = url.removesuffix("/chat/completions")
    host = _host(url)
    key = (_from_environment(key_variables) if api_key is None else api_key).strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(
            "The API key holds characters that no key has.", hint="Copy it again, without quotes."
        )
    if not key and api_key is None and not is_local(host):
        raise UsageError(
            f"{host} asks for an API key, and none is set.", hint=f"Set {' or '.join(key_variables)}."
        )
    return Endpoint(base_url=url, api_key=key)


def _from_environment(variables: Sequence[str]) -> str:
    return next((value for name in variables if (value := os.environ.get(name, "").strip())), "")


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and (parts.port is None or parts.port > 0)
        host = parts.hostname if named else None
    except ValueError:
        host = None
    if not host:
        raise UsageError(
            "The base URL of a model service is a host with http:// or https:// before it; this one is not.",
            hint="Write it like http://localhost:11434/v1.",
        )
    return host


def is_local(host: str) -> bool:
    """Whether a host is this machine or in its own network.

    Args:
        host: Name or address, without a port.

    Returns:
        True for loopback and private addresses, and for names that have no domain.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".internal"))
    return address.is_loopback or address.is_private or address.is_unspecified
