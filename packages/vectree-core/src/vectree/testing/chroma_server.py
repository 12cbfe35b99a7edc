"""A Chroma server on the loopback interface for as long as a test or a benchmark lasts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx

PATIENCE = 60.0
"""Seconds that the server may take to answer for the first time."""


@contextmanager
def running_chroma(folder: Path) -> Generator[str]:
    """Run ``chroma run`` on a free port, as a user starts it, and stop it at the end.

    Args:
        folder: Where it keeps its data; made if it is not there.

    Yields:
        str: Its address, ``http://127.0.0.1:PORT``.
    """
    port = _free_port()
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"ANONYMIZED_TELEMETRY": "False"},
    )
    try:
        _wait(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            httpx.get(f"{address}/api/v2/heartbeat", timeout=1).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise RuntimeError("'chroma run' does not answer")
