"""The benchmark of a minute, run for a few seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "two_processes.py"


@pytest.mark.parametrize("index", ["exact", "chroma:{}/vectors"], ids=["exact", "chroma"])
def test_c32_a_reader_misses_nothing_that_a_writing_process_has_committed(tmp_path: Path, index: str) -> None:
    command = [sys.executable, "-W", "error", str(SCRIPT), "--folder", str(tmp_path / "two")]
    command += ["--seconds", "4", "--index", index.format(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr
    assert "counts never went down" in done.stdout
    assert done.stderr == ""
