"""The command line."""

from __future__ import annotations

import sys

from vectree.cli.app import app
from vectree.cli.output import make_printable

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; the ``vectree`` script's entry point."""
    make_printable(sys.stdout)
    make_printable(sys.stderr)
    app()
