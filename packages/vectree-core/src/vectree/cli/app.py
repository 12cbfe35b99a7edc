"""The command line's frame: version, settings, and errors as one line with an exit code.

Exit codes: 0 all good; 1 some inputs failed, no answer, or a service error; 2 wrong usage.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from vectree import __version__
from vectree.cli import output
from vectree.cli.settings import read_settings
from vectree.errors import UsageError, VecTreeError

EXIT_FAILED = 1
EXIT_USAGE = 2


class _Group(TyperGroup):
    """Turns the errors we raise on purpose into one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except VecTreeError as error:
            output.write_error(error)
            raise typer.Exit(EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED) from error
        except KeyboardInterrupt:
            output.write("interrupted; what was finished is kept", sys.stderr)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="vectree",
    cls=_Group,
    help="Ask a library of papers a question; every citation names a page that was really read.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        output.write(f"vectree {__version__}", sys.stdout)
        raise typer.Exit()


@app.callback()
def _frame(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    settings = read_settings(Path.cwd())
    group = cast("TyperGroup", context.command)
    context.default_map = {command: settings for command in group.list_commands(context)}
