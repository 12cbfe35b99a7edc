"""Running the calls of a trajectory again, to see what the model saw or whether a corpus still answers so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vectree.agent.library import Library
from vectree.agent.tools import run_tool
from vectree.evidence import Step
from vectree.tokens import count_tokens


def replay(library: Library, steps: Iterable[Step]) -> Iterator[Step]:
    """Run the calls of a trajectory again, without a model.

    On the corpus of the run every step comes back as it was. Calls whose arguments could not be read fail
    again in the same way.

    Args:
        library: The corpus.
        steps: Steps of a run, in order.

    Yields:
        Step: Each step with what the tool returns now.
    """
    for step in steps:
        unreadable = step.arguments.get("unreadable")
        arguments = unreadable if isinstance(unreadable, str) else step.arguments
        result = run_tool(library, step.tool, arguments)
        yield replace(
            step,
            tokens=count_tokens(result.text),
            error=result.text if result.error else "",
            sources=result.sources,
        )
