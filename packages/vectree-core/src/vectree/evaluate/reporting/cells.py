"""Figures as they stand in a table, and tables as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vectree.evaluate.metrics.bootstrap import Interval
from vectree.evaluate.metrics.seeds import SeedMean
from vectree.evaluate.reporting.series import Series

UNMEASURED = "—"
"""Stands where nothing was measured."""

FLAG = " †"
"""Stands after a system whose figures must not be taken as measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of the report.

    Attributes:
        title: Heading, with the paper's number if it has one.
        columns: Heads of the columns.
        rows: Cells.
        notes: Sentences under the table.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Write the table.

        Returns:
            A heading, the table, and its notes.
        """
        if not self.rows:
            return f"### {self.title}\n\nNot measured."
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        body = "\n".join("| " + " | ".join(map(_escaped, line)) + " |" for line in lines)
        notes = "".join(f"\n\n{note}" for note in self.notes)
        return f"### {self.title}\n\n{body}{notes}"


def share(value: SeedMean | Interval | float | None) -> str:
    """A figure between 0 and 1.

    Args:
        value: The figure.

    Returns:
        Three decimals.
    """
    if value is None:
        return UNMEASURED
    return f"{value if isinstance(value, int | float) else value.mean:.3f}"


def with_interval(interval: Interval | None) -> str:
    """A figure between 0 and 1 with its confidence interval.

    Args:
        interval: The interval.

    Returns:
        ``"0.925 [0.85, 0.98]"``.
    """
    if interval is None:
        return UNMEASURED
    return f"{interval.mean:.3f} [{interval.low:.2f}, {interval.high:.2f}]"


def count(value: SeedMean | float | None) -> str:
    """A number of things.

    Args:
        value: The number.

    Returns:
        Rounded, thousands set apart; one decimal below 100 unless it is whole.
    """
    if value is None:
        return UNMEASURED
    number = float(value) if isinstance(value, int | float) else value.mean
    return f"{number:,.0f}" if number >= 100 or number.is_integer() else f"{number:,.1f}"


def seconds(value: SeedMean | float | None) -> str:
    """A duration.

    Args:
        value: Seconds.

    Returns:
        One decimal; three below one second.
    """
    if value is None:
        return UNMEASURED
    number = float(value) if isinstance(value, int | float) else value.mean
    return f"{number:.1f}" if number >= 1 else f"{number:.3f}"


def money(value: SeedMean | float | None) -> str:
    """US dollars.

    Args:
        value: The amount; ``None`` where a price is not known.

    Returns:
        Four decimals.
    """
    if value is None:
        return UNMEASURED
    return f"${value if isinstance(value, int | float) else value.mean:.4f}"


def title(series: Series) -> str:
    """A system as the first cell of its row.

    Args:
        series: Its results.

    Returns:
        Its title, flagged if its figures must not be taken as measured.
    """
    return series.row.title + (FLAG if series.unmeasured else "")


def flags(all_series: Sequence[Series]) -> tuple[str, ...]:
    """Explain the flags of a table.

    Args:
        all_series: Its systems.

    Returns:
        One sentence for each reason.
    """
    reasons = dict.fromkeys(series.unmeasured for series in all_series if series.unmeasured)
    return tuple(f"† Not to be taken as measured: {reason}." for reason in reasons)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
