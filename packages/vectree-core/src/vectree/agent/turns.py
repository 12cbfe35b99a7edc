"""Who is asked in a round, where a cheaper model navigates (§5: smaller navigation models).

Off by default. Layers 0 and 1 are found and read by the navigation model; page text is read, and the answer
written, by the main one. Precisely: a round is asked of the navigation model unless the last calls before it
returned text or a figure of a page. Once the navigation model stops calling tools, the main model has
the rest of the run; what the navigation model said then is no answer and is dropped, but its reply has used a
round like any other.
"""

from __future__ import annotations

from collections.abc import Iterable

from vectree.evidence import Step


def navigates(newest: Iterable[Step]) -> bool:
    """Whether the navigation model may be asked next.

    Args:
        newest: Steps of the last round with calls; none at the beginning.

    Returns:
        True unless one of them returned text or a figure of a page.
    """
    return not any(step.sources for step in newest)
