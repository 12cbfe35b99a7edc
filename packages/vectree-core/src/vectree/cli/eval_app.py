"""The frame of ``vectree eval``: its commands, and benchmarks or files in the place of one."""

from __future__ import annotations

from typing import Any, cast

import typer
from typer.core import TyperGroup

from vectree.cli.app import app
from vectree.evaluate.records import Benchmark

RUN = "run"
"""The command behind ``vectree eval qasper``, ``vectree eval my-questions.jsonl`` and the like."""

_FILES = (".json", ".jsonl", ".gz")


class _EvalGroup(TyperGroup):
    """Takes the name of a benchmark, or of a question file, as the command that runs it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = set(self.list_commands(ctx))
        if args and args[0] not in known and _is_benchmark(args[0]):
            args = [RUN, *args]
        return super().resolve_command(ctx, args)


eval_app = typer.Typer(
    name="eval",
    cls=_EvalGroup,
    help="Evaluate systems on questions: vectree eval qasper|litqa2|mosaic|FILE --data FILE --systems A,B. "
    "'vectree eval run --help' shows the options.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(eval_app)


@eval_app.callback()
def _frame(context: typer.Context) -> None:
    """Hand settings from a file on to the commands below."""
    group = cast("TyperGroup", context.command)
    settings = dict(context.default_map or {})
    context.default_map = {command: settings for command in group.list_commands(context)}


def _is_benchmark(word: str) -> bool:
    named = word in {benchmark.value for benchmark in Benchmark if benchmark is not Benchmark.OWN}
    return named or (not word.startswith("-") and word.lower().endswith(_FILES))
