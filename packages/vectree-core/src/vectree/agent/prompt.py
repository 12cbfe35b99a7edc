"""The agent's system prompt, filled with the numbers of the corpus (§3.3: about 400 tokens; Appendix F)."""

from __future__ import annotations

from vectree.agent.library import LibraryStats
from vectree.prompts import fill


def system_prompt(stats: LibraryStats) -> str:
    """Write the system prompt.

    Args:
        stats: The corpus.

    Returns:
        The prompt.
    """
    return fill(
        "agent_system", documents=str(stats.documents), years=_years(stats), journals=_journals(stats)
    )


def _years(stats: LibraryStats) -> str:
    if stats.year_first is None or stats.year_last is None:
        return "years unknown"
    return (
        str(stats.year_first)
        if stats.year_first == stats.year_last
        else f"{stats.year_first}-{stats.year_last}"
    )


def _journals(stats: LibraryStats) -> str:
    if not stats.journals:
        return "journals unknown"
    return f"{stats.journals} journal{'' if stats.journals == 1 else 's'}"
