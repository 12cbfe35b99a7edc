"""The command line's frame: version, settings, and errors as one line with an exit code.

Exit codes: 0 all good; 1 some inputs failed, no answer, or a service error; 2 wrong usage.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from vectree import __version__
from vectree.cli import output
from vectree.cli.commands import COMMANDS
from vectree.cli.settings import read_settings
from vectree.errors import UsageError, VecTreeError

EXIT_FAILED = 1
EXIT_USAGE = 2


class _Group(TyperGroup):
    """Loads a command when it is called, and turns our errors into one line and an exit code."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = COMMANDS.get(cmd_name)
        if command is None:
            return None
        # Loading the modules registers their commands on the app; the group is then built with them.
        for module in command.modules:
            import_module(f"vectree.cli.{module}")
        return get_group(app).commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])

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
    context.default_map = {command: settings for command in COMMANDS}
