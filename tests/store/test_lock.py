from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from vectree.errors import CorpusLocked, StoreError
from vectree.store.lock import write_lock

HOLD = """
import sys, time
from pathlib import Path
from vectree.store.lock import write_lock
with write_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_told_so_and_may_try_again(tmp_path: Path) -> None:
    with (
        write_lock(tmp_path),
        pytest.raises(CorpusLocked, match="Another process is writing") as caught,
        write_lock(tmp_path, timeout=0.05),
    ):
        pass
    assert caught.value.retryable
    with write_lock(tmp_path, timeout=0.05):
        pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        with write_lock(tmp_path, timeout=30):
            inside += 1
            most = max(most, inside)
            time.sleep(0.01)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_killed_writer_leaves_no_lock_behind(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(CorpusLocked), write_lock(tmp_path, timeout=0.05):
            pass
        holder.kill()
    with write_lock(tmp_path, timeout=5):
        pass


def test_a_folder_that_cannot_be_written_is_an_error_with_advice(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be locked"), write_lock(blocked, timeout=0.05):
        pass
