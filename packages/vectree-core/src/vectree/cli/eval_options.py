"""Options of ``vectree eval``: their forms, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vectree.corpus.models import DEFAULT_MODEL, resolve_model
from vectree.errors import UsageError
from vectree.evaluate.models import LiveModels, Models, ReplayedModels
from vectree.evaluate.records import Benchmark
from vectree.llm.chat import ChatModel
from vectree.llm.names import resolve_model as resolve_named
from vectree.llm.usage import Price

JudgePriceOption = Annotated[
    str | None, typer.Option("--judge-price", metavar="IN,OUT[,CACHED]", help="Price of the judge.")
]
EvalCorpusOption = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        envvar="VECTREE_CORPUS",
        metavar="DIR",
        help="Folder of the corpus [default: vectree-corpus; for qasper one made of its papers].",
    ),
]
EvalModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", envvar="VECTREE_MODEL", metavar="NAME", help="Answers; without it systems retrieve only."
    ),
]
JudgeOption = Annotated[
    str | None, typer.Option("--judge", metavar="NAME", help="Grades; without it there are no grades.")
]
PerMinuteOption = Annotated[
    float | None, typer.Option(min=0.1, help="Requests started in a minute, for each model.")
]
ConcurrencyOption = Annotated[int, typer.Option(min=1, max=64, help="Questions under way at once.")]
RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="DIR", help="Keep replies; what is there is not asked again."),
]
ReplayOption = Annotated[
    Path | None, typer.Option("--replay", metavar="DIR", help="Use recorded replies alone; ask nobody.")
]
CitationOption = Annotated[
    bool | None,
    typer.Option(
        "--citation-support/--no-citation-support",
        help="Have the judge check cited pages, sentence by sentence [default: only for mosaic].",
    ),
]


def read_model(name: str | None, price: Price | None) -> ChatModel | None:
    """Make the model that a name means.

    Args:
        name: ``"openrouter:MODEL"`` and the like. Nothing, or ``"extractive"``, which is a system of its own
            and writes no answers for others, means none.
        price: What it charges.

    Returns:
        The model, or ``None``.
    """
    if name is None or name in ("", DEFAULT_MODEL):
        return None
    return resolve_named(name, price=price) if price else resolve_model(name)


def read_models(
    model: str | None,
    judge: str | None,
    *,
    prices: tuple[Price | None, Price | None],
    temperature: float,
    record: Path | None,
    replay: Path | None,
    concurrency: int,
    per_minute: float | None,
    preparing: Path | None = None,
) -> Models:
    """Make the models of a run.

    Args:
        model: Name of the answering model.
        judge: Name of the judge.
        prices: Of the two.
        temperature: Of the answering model.
        record: Folder to keep replies in.
        replay: Folder to take replies from.
        concurrency: Requests under way at once.
        per_minute: Requests started in a minute.
        preparing: Folder to keep replies in that systems need for their indexes, if nothing is recorded.

    Returns:
        The models.

    Raises:
        UsageError: If replies are to be both kept and replayed.
    """
    if replay is not None and record is not None:
        raise UsageError("--record and --replay exclude each other.")
    if replay is not None:
        return ReplayedModels(replay, judge=judge, temperature=temperature)
    return LiveModels(
        read_model(model, prices[0]),
        read_model(judge, prices[1]),
        temperature=temperature,
        recording=record,
        preparing=preparing,
        concurrency=concurrency,
        per_minute=per_minute,
    )


def read_names(text: str) -> tuple[str, ...]:
    """Read a list of names.

    Args:
        text: Names with commas between.

    Returns:
        Each name once, in order.

    Raises:
        UsageError: If there is none.
    """
    names = tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))
    if not names:
        raise UsageError("Name at least one, with commas between.")
    return names


def read_benchmark(word: str, data: Path | None) -> tuple[Benchmark, Path]:
    """Find out what is to be evaluated.

    Args:
        word: Name of a benchmark, or a question file.
        data: What ``--data`` says.

    Returns:
        The benchmark and its question file.

    Raises:
        UsageError: If a benchmark comes without its file, or the file does not exist.
    """
    named = {benchmark.value: benchmark for benchmark in Benchmark if benchmark is not Benchmark.OWN}
    which = named.get(word, Benchmark.OWN)
    file = data if data is not None or which is not Benchmark.OWN else Path(word)
    if file is None:
        raise UsageError(f"{word} needs its question file.", hint=f"vectree eval {word} --data FILE")
    if not file.is_file():
        raise UsageError(f"There is no question file {str(file)!r}.")
    return which, file
