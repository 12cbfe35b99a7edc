"""A progress bar on standard error, where a person is watching; nothing in pipes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator


@contextlib.contextmanager
def progress_bar(task: str) -> Generator[Callable[[int, int, str], None]]:
    """Show a bar while the body runs.

    Args:
        task: What is being done, in a word or two.

    Yields:
        A function to call with the items done, the items in all, and what is being worked on.
    """
    if not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[what]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task(task, total=None, what="")
        yield lambda done, total, what: bar.update(shown, completed=done, total=total, what=what[-50:])
