"""What a run is asked to do, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from vectree.errors import UsageError
from vectree.evaluate.grading import Grader
from vectree.evaluate.models import Models
from vectree.evaluate.records import Benchmark, Follower, Papers, Question, System
from vectree.evaluate.results.rows import RunRow

SEEDS = (1, 2, 3)
"""Generation seeds (§4.2)."""

GIVE_UP_AFTER = 8
"""Answers in a row that may fail before a run ends: a wrong key should not fail a thousand times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run goes about it.

    Attributes:
        seeds: One answer a question for each.
        concurrency: Questions under way at once.
        retry_errors: Whether answers and grades that failed in an earlier run are asked for again.
        give_up_after: Failures in a row that end the run.
    """

    seeds: tuple[int, ...] = SEEDS
    concurrency: int = 4
    retry_errors: bool = True
    give_up_after: int = GIVE_UP_AFTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run.

    Attributes:
        header: Written to the results first.
        questions: Questions of one benchmark, documents named as in the corpus.
        systems: Systems, each with another name.
        papers: The corpus.
        models: Who answers and who judges.
        grader: Grades answers; ``None`` for no grades.
        settings: How to go about it.
    """

    header: RunRow
    questions: tuple[Question, ...]
    systems: tuple[System, ...]
    papers: Papers
    models: Models
    grader: Grader | None = None
    settings: RunSettings = field(default_factory=RunSettings)

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of all questions."""
        return self.header.benchmark

    def check(self) -> None:
        """Refuse a plan that cannot be carried out.

        Raises:
            UsageError: If it has no questions or no seeds, names a system twice, or a system can do nothing
                without a model and there is none.
        """
        if not self.questions:
            raise UsageError("There is no question to ask.", hint="Are the papers in the corpus?")
        if not self.settings.seeds or not self.systems:
            raise UsageError("A run needs at least one system and one seed.")
        names = [system.name for system in self.systems]
        if len(set(names)) < len(names):
            raise UsageError(f"A system is named twice: {', '.join(names)}.")
        helpless = [system.name for system in self.systems if system.needs_model]
        if helpless and not self.models.generator_name:
            raise UsageError(
                f"Without a model these systems can do nothing: {', '.join(helpless)}.",
                hint="Name one with --model.",
            )

    def in_order(self) -> tuple[System, ...]:
        """The systems, those that follow another one after it.

        Returns:
            The systems.

        Raises:
            UsageError: If the one that is followed is not in the plan.
        """
        first = [system for system in self.systems if not isinstance(system, Follower)]
        after = [system for system in self.systems if isinstance(system, Follower)]
        for system in after:
            if system.follows not in {each.name for each in first}:
                raise UsageError(
                    f"{system.name!r} is matched to {system.follows!r}, which is not among the systems.",
                    hint=f"Add {system.follows} to --systems.",
                )
        return (*first, *after)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a run did.

    Attributes:
        answered: Answers written.
        failed: Answers that failed.
        graded: Grades written.
        ungraded: Grades that failed.
        kept: Answers that were there already.
        stopped: Why the run ended early; empty if it did not.
    """

    answered: int = 0
    failed: int = 0
    graded: int = 0
    ungraded: int = 0
    kept: int = 0
    stopped: str = ""
