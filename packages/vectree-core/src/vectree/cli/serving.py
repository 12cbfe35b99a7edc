"""The command that serves chatbots: mcp."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from vectree import __version__
from vectree._extras import require
from vectree.agent.library import Library
from vectree.cli import output
from vectree.cli.app import app
from vectree.cli.options import DEFAULT_CORPUS, CorpusOption
from vectree.corpus import Corpus
from vectree.errors import UsageError

_HOST = "127.0.0.1"
_PORT = 8365
_MAX_PORT = 65_535


@app.command()
def mcp(
    corpus: CorpusOption = DEFAULT_CORPUS,
    http: Annotated[
        bool, typer.Option("--http", help="Streamable HTTP on a port, instead of standard input and output.")
    ] = False,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help=f"With --http: interface [default: {_HOST}].")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", help=f"With --http: port, 0 for a free one [default: {_PORT}].")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --http: a further name clients may use; may be repeated."),
    ] = None,
) -> None:
    """Serve the seven tools to a chatbot over the Model Context Protocol."""
    if not http and (host is not None or port is not None or allow_host):
        raise UsageError("--host, --port and --allow-host need --http.")
    if port is not None and not 0 <= port <= _MAX_PORT:
        raise UsageError(f"--port {port}: a port is a number from 0 to {_MAX_PORT}.")
    require("mcp.server.lowlevel", extra="mcp")
    from vectree.mcp import transports  # needs the extra
    from vectree.mcp.server import make_server

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="vectree mcp: %(message)s")
    server = make_server(_library(corpus), version=__version__)
    if not http:
        transports.serve_stdio(server)
        return
    address = transports.HttpAddress(
        host=host or _HOST, port=_PORT if port is None else port, names=tuple(allow_host or ())
    )
    if not address.local:
        output.write(
            f"warning: there is no login; whoever reaches {address.host} can read the papers", sys.stderr
        )
    transports.serve_http(server, address, on_ready=lambda url: output.write(f"serving {url}", sys.stderr))


def _library(folder: Path) -> Library:
    """Open the corpus now, so that a wrong folder is told at once and not to a model."""
    library = Corpus.open(folder).library
    library.stats()
    return library
