"""Every system by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vectree.errors import UsageError
from vectree.evaluate.records import Benchmark, System


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEntry:
    """A system as ``vectree eval systems`` lists it.

    Attributes:
        name: What ``--systems`` takes.
        title: What tables show.
        summary: One line.
        paper: Where the paper describes it; empty if it does not.
        make: Makes it with its defaults for a benchmark.
    """

    name: str
    title: str
    summary: str
    paper: str
    make: Callable[[Benchmark], System]


SYSTEMS: tuple[SystemEntry, ...] = ()
"""In the order in which they are listed."""


def make_system(name: str, benchmark: Benchmark) -> System:
    """Make a system.

    Args:
        name: Its name.
        benchmark: Decides its defaults.

    Returns:
        The system.

    Raises:
        UsageError: If there is no system of that name.
    """
    for entry in SYSTEMS:
        if entry.name == name:
            return entry.make(benchmark)
    names = ", ".join(entry.name for entry in SYSTEMS)
    raise UsageError(f"There is no system {name!r}.", hint=f"There are {names}.")
