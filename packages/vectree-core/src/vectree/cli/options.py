"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_CORPUS = Path("vectree-corpus")

CorpusOption = Annotated[
    Path,
    typer.Option("--corpus", envvar="VECTREE_CORPUS", metavar="DIR", help="Folder of the corpus."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="One JSON document on standard output, all else on standard error.")
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        envvar="VECTREE_MODEL",
        metavar="NAME",
        help="Chat model; 'extractive' quotes the papers and needs no network.",
    ),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        envvar="VECTREE_EMBEDDER",
        metavar="NAME",
        help="Embedding model of a new corpus [default: minilm].",
    ),
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", envvar="VECTREE_OFFLINE", help="Open no network connection at all.")
]
DocumentArgument = Annotated[str, typer.Argument(metavar="DOC", help="A doc_id, as 'vectree list' shows it.")]
