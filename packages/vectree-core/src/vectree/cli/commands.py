"""The commands, by name: which module holds each, and what it does in a line.

A module is loaded when its command is called, so that ``vectree --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, or a group of them.

    Attributes:
        modules: Modules that register it on the app when they are loaded.
        help: What it does; the first line of its own help.
    """

    modules: tuple[str, ...]
    help: str


COMMANDS = {
    "add": Command(modules=("collecting",), help="Add papers; a bad file costs only itself."),
    "ask": Command(modules=("asking",), help="Answer a question from pages that were read."),
    "chat": Command(modules=("chatting",), help="Ask question after question; follow-ups know the papers."),
    "locate": Command(modules=("locating",), help="Find the sections of one paper that hold an answer."),
    "search": Command(modules=("reading",), help="Find papers and the sections that match."),
    "tree": Command(modules=("reading",), help="Show a paper's section tree with page ranges."),
    "read": Command(modules=("reading",), help="Print pages of a paper."),
    "figures": Command(modules=("reading",), help="List a paper's figures, or save one."),
    "list": Command(modules=("collecting",), help="List the papers of the corpus."),
    "report": Command(modules=("collecting",), help="Show what happened when a paper was read."),
    "remove": Command(modules=("collecting",), help="Remove papers; their files are left alone."),
    "sync": Command(modules=("syncing",), help="Bring the corpus up to a folder."),
    "reindex": Command(modules=("collecting",), help="Build the index anew, also with another embedder."),
    "calibrate": Command(modules=("calibrating",), help="Measure the embedder's gates on the corpus."),
    "metadata": Command(modules=("maintaining",), help="Bibliographic data of the papers."),
    "check": Command(modules=("maintaining",), help="Checks of what is stored."),
    "import": Command(modules=("exchanging",), help="Take over what other programs made of papers."),
    "export": Command(modules=("exchanging",), help="Write a paper's tree for another program."),
    "eval": Command(
        modules=("evaluating", "eval_results", "eval_building", "eval_fetching"),
        help="Evaluate systems on questions.",
    ),
    "mcp": Command(modules=("serving",), help="Serve the tools to a chatbot (MCP)."),
    "demo": Command(modules=("asking",), help="Read the example papers and ask two questions."),
}
"""In the order in which help shows them."""
