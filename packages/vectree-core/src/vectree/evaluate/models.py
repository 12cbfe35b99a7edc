"""The models of a run: who answers, who judges, and what stands before them.

A request goes through temperature (the same for all systems), recording or replay, and a throttle shared by
all. Recordings lie in one folder for each system and seed, because the three seeds of a question send the
same first request and must not share its reply.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

from vectree.errors import UsageError
from vectree.evaluate.model_wrappers import RecallingModel, TemperedModel
from vectree.llm.chat import ChatModel
from vectree.llm.replay import ReplayModel
from vectree.llm.throttle import CONCURRENCY, ThrottledModel

GENERATOR_TEMPERATURE = 1.0
"""§4.2."""

JUDGES = Path("judge")
_TITLE = "recording.json"
_NOT_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class Models(Protocol):
    """Hands out the models of a run; safe to use from several threads."""

    @property
    def generator_name(self) -> str:
        """Name of the answering model; empty if there is none."""
        ...

    @property
    def judge_name(self) -> str:
        """Name of the judging model; empty if there is none."""
        ...

    @property
    def timed(self) -> bool:
        """Whether wall times mean anything."""
        ...

    @property
    def temperature(self) -> float:
        """Of the answering model."""
        ...

    def for_preparing(self, system: str) -> ChatModel | None:
        """The model a system may use to build its index.

        Args:
            system: Name of the system.

        Returns:
            The model, if there is one.
        """
        ...

    def for_answer(self, system: str, seed: int) -> ChatModel | None:
        """The model that answers.

        Args:
            system: Name of the system.
            seed: The seed.

        Returns:
            The model, if there is one.
        """
        ...

    def for_judging(self) -> ChatModel | None:
        """The model that judges; its requests set their own temperature.

        Returns:
            The model, if there is one.
        """
        ...


class LiveModels:
    """Models that are asked, with their replies recorded if wanted.

    Args:
        generator: Answers questions; ``None`` for retrieval alone.
        judge: Grades answers; ``None`` for no grades.
        temperature: Of the generator.
        recording: Folder to keep replies in; what is there is not asked again. ``None`` records nothing.
        preparing: Folder to keep replies in that systems need for their indexes, if nothing is recorded, so
            that a run that goes on does not pay for an index twice. ``None`` keeps none.
        concurrency: Requests under way at once, for each of the two models.
        per_minute: Requests started in a minute, for each of the two; ``None`` sets no bound.
    """

    timed = True

    def __init__(
        self,
        generator: ChatModel | None,
        judge: ChatModel | None = None,
        *,
        temperature: float = GENERATOR_TEMPERATURE,
        recording: Path | None = None,
        preparing: Path | None = None,
        concurrency: int = CONCURRENCY,
        per_minute: float | None = None,
    ) -> None:
        self.temperature = temperature
        self._recording = recording
        self._generator = _throttled(generator, concurrency, per_minute)
        self._judge = _throttled(judge, concurrency, per_minute)
        own = preparing / file_name(self.generator_name) if preparing else None
        self._preparing = recording or own

    @property
    def generator_name(self) -> str:
        """Name of the answering model; empty if there is none."""
        return self._generator.name if self._generator else ""

    @property
    def judge_name(self) -> str:
        """Name of the judging model; empty if there is none."""
        return self._judge.name if self._judge else ""

    def for_preparing(self, system: str) -> ChatModel | None:
        """The model a system may use to build its index.

        Args:
            system: Name of the system.

        Returns:
            The model, if there is one.
        """
        kept = _recalling(self._generator, self._preparing, preparing_folder(system))
        return _tempered(kept, self.temperature)

    def for_answer(self, system: str, seed: int) -> ChatModel | None:
        """The model that answers.

        Args:
            system: Name of the system.
            seed: The seed.

        Returns:
            The model, if there is one.
        """
        kept = _recalling(self._generator, self._recording, answer_folder(system, seed))
        return _tempered(kept, self.temperature)

    def for_judging(self) -> ChatModel | None:
        """The model that judges; its requests set their own temperature.

        Returns:
            The model, if there is one.
        """
        return _recalling(self._judge, self._recording, JUDGES / file_name(self.judge_name))


class ReplayedModels:
    """Recorded replies in the place of models: the same results, on any machine, without a key.

    Args:
        recording: Folder that a run with `LiveModels` recorded into.
        judge: Name of the judging model; by default the only one that was recorded.
        temperature: Of the generator, as it was then.

    Raises:
        UsageError: If nothing was recorded there, or the judge is not clear.
    """

    timed = False

    def __init__(
        self, recording: Path, *, judge: str | None = None, temperature: float = GENERATOR_TEMPERATURE
    ) -> None:
        self.temperature = temperature
        self._recording = recording
        generators = sorted(recording.glob(f"answer/*/*/{_TITLE}"))
        judges = [ReplayModel(title.parent) for title in sorted(recording.glob(f"{JUDGES}/*/{_TITLE}"))]
        if not generators and not judges:
            raise UsageError(
                f"{str(recording)!r} holds no recorded run.",
                hint="Record one with 'vectree eval … --record'.",
            )
        self._generator = ReplayModel(generators[0].parent) if generators else None
        self._judge = _only(judges, judge)

    @property
    def generator_name(self) -> str:
        """Name of the answering model; empty if there is none."""
        return self._generator.name if self._generator else ""

    @property
    def judge_name(self) -> str:
        """Name of the judging model; empty if there is none."""
        return self._judge.name if self._judge else ""

    def for_preparing(self, system: str) -> ChatModel | None:
        """What the model said while a system built its index.

        Args:
            system: Name of the system.

        Returns:
            The recording; ``None`` if the run had no answering model.
        """
        return self._recorded(preparing_folder(system))

    def for_answer(self, system: str, seed: int) -> ChatModel | None:
        """What the answering model said.

        Args:
            system: Name of the system.
            seed: The seed.

        Returns:
            The recording; ``None`` if the run had no answering model. A system or seed that was not recorded
            raises `UsageError`.
        """
        return self._recorded(answer_folder(system, seed))

    def for_judging(self) -> ChatModel | None:
        """What the judge said.

        Returns:
            The recording, if there is one.
        """
        return self._judge

    def _recorded(self, place: Path) -> ChatModel | None:
        if self._generator is None:
            return None
        return _tempered(ReplayModel(self._recording / place), self.temperature)


def preparing_folder(system: str) -> Path:
    """Where replies lie that a system needed for its index.

    Args:
        system: Name of the system.

    Returns:
        A path inside a recording.
    """
    return Path("prepare") / file_name(system)


def answer_folder(system: str, seed: int) -> Path:
    """Where the answering model's replies lie.

    Args:
        system: Name of the system.
        seed: The seed.

    Returns:
        A path inside a recording.
    """
    return Path("answer") / file_name(system) / f"seed-{seed}"


def file_name(name: str) -> str:
    """Make a name fit for a folder.

    Args:
        name: Name of a model or system.

    Returns:
        Letters, digits, dots, dashes and underscores.
    """
    return _NOT_NAME.sub("-", name).strip("-.") or "unnamed"


def _only(judges: list[ReplayModel], name: str | None) -> ReplayModel | None:
    found = [judge for judge in judges if name is None or judge.name == name]
    if len(found) > 1 or (name is not None and not found):
        names = ", ".join(judge.name for judge in judges) or "none"
        raise UsageError(f"Recorded judges: {names}.", hint="Say which one to replay.")
    return found[0] if found else None


def _tempered(model: ChatModel | None, temperature: float) -> ChatModel | None:
    return TemperedModel(model, temperature) if model else None


def _recalling(model: ChatModel | None, folder: Path | None, place: Path) -> ChatModel | None:
    if model is None or folder is None:
        return model
    return RecallingModel(model, folder / place)


def _throttled(model: ChatModel | None, concurrency: int, per_minute: float | None) -> ChatModel | None:
    if model is None:
        return None
    return ThrottledModel(model, concurrency=concurrency, per_minute=per_minute)
