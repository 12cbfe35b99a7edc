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
        help="Chat model: 'extractive' quotes the papers and needs no network; or SERVICE:NAME, as openai:NAME.",
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Where the model's service is [default: as SERVICE or VECTREE_BASE_URL says].",
    ),
]
NavigationModelOption = Annotated[
    str | None,
    typer.Option(
        "--navigation-model",
        envvar="VECTREE_NAVIGATION_MODEL",
        metavar="NAME",
        help="Cheaper chat model that finds papers and sections; --model reads the pages and answers.",
    ),
]
CompactOption = Annotated[
    int | None,
    typer.Option(
        "--compact-above",
        min=0,
        metavar="TOKENS",
        help="Take old page texts out of the conversation once they exceed this [default: never].",
    ),
]
ImagesOption = Annotated[
    bool,
    typer.Option("--images/--no-images", help="Whether the model reads images; if not, it gets captions."),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        envvar="VECTREE_EMBEDDER",
        metavar="NAME",
        help="Embedding model of a new corpus: minilm, specter2, st:FOLDER, openai:MODEL… [default: minilm].",
    ),
]
ConnectionOption = Annotated[
    bool | None,
    typer.Option(
        "--offline/--online",
        envvar="VECTREE_OFFLINE",
        help="Open no connection at all, or also download models and ask Crossref [default: neither; "
        "a service that is named is called].",
    ),
]
EntryDepthOption = Annotated[
    int | None,
    typer.Option(
        "--entry-depth",
        min=1,
        max=4,
        metavar="N",
        help="Index sections down to this level, 1 to 4 [default: as the corpus; 1, the paper's, for a new one].",
    ),
]
IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index",
        envvar="VECTREE_INDEX",
        metavar="WORD",
        help="Where vectors lie: exact, chroma:PATH or chroma:http://host:port [default: the corpus's own].",
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
