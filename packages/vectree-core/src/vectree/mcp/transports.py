"""How a server is reached: standard input and output of its process, or HTTP on a port."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from vectree.errors import UsageError

PATH = "/mcp"
"""Where the endpoint lies."""

_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
_SECONDS_TO_FINISH = 3
"""Granted to running calls when the server is told to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAddress:
    """Where to listen.

    Attributes:
        host: Name or address of an interface.
        port: Port; 0 takes a free one.
        names: Further names by which clients may address the server.
    """

    host: str
    port: int
    names: Sequence[str] = ()

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def serve_stdio(server: Server[Any]) -> None:
    """Serve one client over standard input and output, until it closes the input.

    Standard output carries the protocol alone: what anything else prints meanwhile goes to standard error.

    Args:
        server: The server.
    """

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with _ended_by_interrupt():
        asyncio.run(run())


@contextlib.contextmanager
def _ended_by_interrupt() -> Generator[None]:
    """Let Ctrl-C end the process at once; a server that only reads has nothing to clean up.

    Nothing can interrupt the thread that waits for input, and Python would wait for that thread at exit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def serve_http(server: Server[Any], address: HttpAddress, on_ready: Callable[[str], None]) -> None:
    """Serve any number of clients over streamable HTTP, until the process is told to stop.

    Requests that name another host, or come from a page of another origin, are refused (DNS rebinding).
    There is no login: whoever reaches the port can read the papers. Sessions hold nothing, so a restarted
    server goes on where the old one stopped.

    Args:
        server: The server.
        address: Where to listen.
        on_ready: Called with the endpoint's URL once connections are accepted.

    Raises:
        UsageError: If the address cannot be listened on.
    """
    listener = _listen(address)
    with listener:
        port: int = listener.getsockname()[1]
        host = f"[{address.host}]" if ":" in address.host else address.host
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=_security([host, *address.names]),
        )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=_SECONDS_TO_FINISH,
        )
        on_ready(f"http://{host}:{port}{PATH}")
        uvicorn.Server(config).run(sockets=[listener])


def _listen(address: HttpAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"Cannot listen on {address.host}, port {address.port}: {reason}.",
            hint="Choose another --host or --port.",
        ) from error


def _security(names: Sequence[str]) -> TransportSecuritySettings:
    """The names of this server, with any port and without one."""
    known = list(dict.fromkeys([*_LOCAL_NAMES, *names]))
    hosts = [form for name in known for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts],
    )
