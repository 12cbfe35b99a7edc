"""How files are added; kept apart from the adding, which loads everything that reads papers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from vectree.corpus.reports import OnProgress
from vectree.errors import UsageError
from vectree.llm.chat import ChatModel

STRUCTURES = ("auto", "llm", "layout")
"""Who finds the headings; see ``ingest.model.reading``."""

MAX_WORKERS = 4
"""Papers read at the same time unless asked otherwise; more only compete for the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSettings:
    """How files are added.

    Attributes:
        password: For encrypted files.
        use_bookmarks: Whether the files' bookmarks may serve as headings.
        parser: How PDFs are read: ``"auto"``, ``"pdfium"`` or ``"marker"``; see ``ingest.parsers.choose``.
        model: Takes part in reading; ``None`` for rules alone.
        structure: Who finds the headings, where there is a model: ``"auto"``, ``"llm"`` or ``"layout"``.
        paper_exact: Follow the paper to the letter, for reproducing its rates.
        offline: Open no connection for bibliographic data.
        reread: Whether to read also what is there already, for instance with a model now.
        jobs: Papers read at the same time; ``None`` for one a core, at most ``MAX_WORKERS``.
        on_progress: Called with signs of life.
        cancelled: Asked between papers; the run ends when it returns True, and what is finished is kept.
    """

    password: str | None = field(default=None, repr=False)
    use_bookmarks: bool = True
    parser: str = "auto"
    model: ChatModel | None = None
    structure: str = "auto"
    paper_exact: bool = False
    offline: bool = True
    reread: bool = False
    jobs: int | None = None
    on_progress: OnProgress | None = None
    cancelled: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"jobs is {self.jobs}; at least 1 is needed.")
        if self.structure not in STRUCTURES:
            raise UsageError(
                f"There is no structure mode {self.structure!r}; there are {', '.join(STRUCTURES)}."
            )
        if self.paper_exact and self.structure == "layout":
            raise UsageError("The paper's way needs a model for the headings; structure is 'layout'.")
        if self.model is None and (self.paper_exact or self.structure == "llm"):
            raise UsageError(
                "A model is to find the headings, and none is named.",
                hint="Name one (--model openai:…), or leave the headings to layout.",
            )

    @property
    def workers(self) -> int:
        """Papers read at the same time."""
        return self.jobs or min(MAX_WORKERS, os.cpu_count() or 1)
