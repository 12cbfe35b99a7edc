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
ParserOption = Annotated[
    str,
    typer.Option(
        "--parser",
        envvar="VECTREE_PARSER",
        metavar="NAME",
        help="Reads PDFs: 'pdfium', 'marker', or 'auto': Marker only for scanned and garbled documents.",
    ),
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", envvar="VECTREE_OFFLINE", help="Open no network connection at all.")
]
DocumentArgument = Annotated[str, typer.Argument(metavar="DOC", help="A doc_id, as 'vectree list' shows it.")]
ReaderOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="VECTREE_READER",
        metavar="NAME",
        help="Chat model that takes part in reading: doubtful headings, summaries, metadata [default: none].",
    ),
]
StructureOption = Annotated[
    str,
    typer.Option(
        "--structure",
        metavar="MODE",
        help="Who finds headings, with a model: auto (the model where layout leaves doubt), llm, layout.",
    ),
]
PaperExactOption = Annotated[
    bool, typer.Option("--paper-exact", help="Follow the paper to the letter, to reproduce its rates.")
]
OnlineOption = Annotated[
    bool,
    typer.Option(
        "--offline/--online", envvar="VECTREE_OFFLINE", help="Whether Crossref may be asked for metadata."
    ),
]
