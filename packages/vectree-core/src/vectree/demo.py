"""What the demo reads and asks: the example papers and two questions about them."""

from __future__ import annotations

from pathlib import Path

from vectree.errors import UsageError

QUESTIONS = (
    "At which temperature and pressure was the garnet hot-pressed, and what density did it reach?",
    "Compare the ionic conductivity at 25 °C and the activation energy of the four electrolytes.",
)
"""One question that a single paper answers, and one that needs all of them."""


def papers_folder() -> Path:
    """Find the example papers: inside the installed package, or in the repository of an editable install.

    Returns:
        The folder of PDFs.

    Raises:
        UsageError: If there are none.
    """
    package = Path(__file__).parent
    for folder in (package / "demo_papers", package.parents[3] / "examples" / "papers"):
        if any(folder.glob("*.pdf")):
            return folder
    raise UsageError(
        "The example papers are not installed.", hint="Run the demo in a checkout of the repository."
    )
