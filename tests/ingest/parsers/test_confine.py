from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="address space is bounded on Linux")
def test_memory_is_bounded_above_what_is_in_use_already() -> None:
    script = (
        "from vectree.ingest.parsers.confine import confine\n"
        "from vectree.ingest.parse import ParseLimits\n"
        "confine(ParseLimits(memory_bytes=200 << 20))\n"
        "bytearray(100 << 20)\n"
        "try: bytearray(400 << 20)\n"
        "except MemoryError: print('bounded')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.stdout == "bounded\n", ran.stderr
