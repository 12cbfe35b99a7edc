"""Rules for every test: no sockets, no paid model, no home directory, unless a test opts in."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
SHARED_DATA = REPOSITORY.parent / "shared" / "data"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_connect = socket.socket.connect


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = request.node.get_closest_marker("network") is not None

    def connect(self: socket.socket, address: object) -> None:
        local = self.family == getattr(socket, "AF_UNIX", None)
        if local or (allowed and isinstance(address, tuple) and address[0] in _LOOPBACK):
            return _connect(self, address)  # type: ignore[arg-type]
        raise AssertionError(f"a test tried to open a connection to {address!r}")

    monkeypatch.setattr(socket.socket, "connect", connect)
    for name in ("VECTREE_CORPUS", "VECTREE_MODEL", "VECTREE_EMBEDDER", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def example_papers() -> Path:
    """The folder of typeset example papers."""
    return REPOSITORY / "examples" / "papers"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real papers to measure on; they are not part of the repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder of real papers (../shared/data) is not on this machine")
    return SHARED_DATA
