"""Two processes on one corpus, one adding papers and one searching: does the reader ever miss one?

The writer adds one small Markdown paper after another and says when each is committed. The reader searches all
the while, in one object that stays open: the number of papers must never go down, every paper that was
committed before a search must be found by it, and nothing may fail.

    python benchmarks/two_processes.py --folder /tmp/two --seconds 60 [--index chroma:/tmp/two-vectors]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from vectree.corpus import Corpus

SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru")


def word(number: int) -> str:
    """A word that no other paper has, and that shares no beginning with a number."""
    return "".join(SYLLABLES[int(digit)] for digit in f"{number:04d}") + "ite"


def write(folder: Path, seconds: float, index: str) -> None:
    """Add papers until the time is over; print the number of each that is committed."""
    corpus = Corpus.open(folder / "corpus", embedder="hash", index=index)
    until, number = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        path = folder / "papers" / f"{number:04d}.md"
        own = " ".join(word((number * 7 + place * 1_111) % 10_000) for place in range(1, 5))
        path.write_text(
            f"# Conductivity of {word(number)}\n\n## Results\n\n{word(number)} {own} conducts well.\n"
        )
        corpus.add(path)
        print(number, flush=True)
        number += 1


def follow(lines: Sequence[str], committed: list[int]) -> None:
    """Take note of what the writer says."""
    for line in lines:
        committed.append(int(line))


def check(corpus: Corpus, number: int, least: int) -> int:
    """Search for a committed paper; returns how many papers there are."""
    result = corpus.search(f"conductivity of {word(number)}")
    assert any(word(number) in hit.title for hit in result.hits), f"paper {number} is missing"
    total = corpus.search("*", top_k=1).total_matches
    assert total >= least, f"{total} papers after {least}"
    return total


def main() -> None:
    """Start the writer, search until it ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="a folder that does not exist yet")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--index", default="exact")
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.write:
        write(chosen.folder, chosen.seconds, chosen.index)
        return
    (chosen.folder / "papers").mkdir(parents=True)
    command = [sys.executable, __file__, "--write", "--folder", str(chosen.folder)]
    command += ["--seconds", str(chosen.seconds), "--index", chosen.index]
    committed: list[int] = []
    searches, total = 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        listener = threading.Thread(target=follow, args=(writer.stdout, committed))
        listener.start()
        corpus = Corpus.open(chosen.folder / "corpus")
        while writer.poll() is None:
            if not committed:
                time.sleep(0.01)
                continue
            newest = len(committed)
            total = check(corpus, committed[newest - 1 - searches % min(newest, 7)], max(total, newest))
            searches += 1
        listener.join()
    assert writer.returncode == 0, f"the writer ended with {writer.returncode}"
    assert corpus.search("*", top_k=1).total_matches == len(committed)
    print(
        f"{len(committed)} papers added, {searches} pairs of searches, none missed one, counts never went down"
    )


if __name__ == "__main__":
    main()
