"""How stored headings verify, by the paper's literal rule and by ours, before and after repair.

    python benchmarks/verification.py ../shared/data/pdfs

Three readings of every PDF: bookmarks and layout without a model; a model that names every heading rightly; and
one whose every fifth page is wrong by three, so that there is something to repair. Both models answer repair
questions rightly. Rates are over all headings of all documents; a heading counts once, whatever found it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from section_trees import read

from vectree.document import HeadingSource, Match
from vectree.errors import ParseError
from vectree.ingest.headings import FoundHeadings, conclude, gather
from vectree.ingest.model.reading import Structure, read_structure
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.page_text import render_pages
from vectree.ingest.parse import ParsedDocument
from vectree.llm.chat import ChatModel, ChatRequest, Reply
from vectree.testing.honest_reader import HonestReader
from vectree.tree.build import build_tree
from vectree.tree.walk import walk

_EVERY = 5
_SLIP = 3


class Slipping:
    """A reader whose every fifth page is wrong.

    Args:
        reader: Answers rightly.
        pages: Pages of the document.
    """

    def __init__(self, reader: HonestReader, pages: int) -> None:
        self._reader = reader
        self._pages = pages
        self.name = "slipping reader"
        self.context_window = reader.context_window

    def complete(self, request: ChatRequest) -> Reply:
        """Answer, with wrong pages where headings are asked for."""
        reply = self._reader.complete(request)
        said = json.loads(reply.text)
        for heading in said.get("headings", [])[::_EVERY]:
            page = heading["page"] + _SLIP
            heading["page"] = page if page <= self._pages else max(1, heading["page"] - _SLIP)
        return Reply(text=json.dumps(said), usage=reply.usage)


@dataclass(slots=True)
class Tally:
    """Counts over documents."""

    claimed: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    nodes: Counter[str] = field(default_factory=Counter)

    def add(self, document: ParsedDocument, found: FoundHeadings, rounds: int) -> None:
        """Count a document; its tree is built, and a stored node that does not verify is counted."""
        self.claimed += found.claimed
        self.dropped += len(found.dropped)
        self.rounds[rounds] += 1
        rates = {
            "paper before": found.paper_rate_before,
            "paper after": found.paper_rate,
            "ours before": found.verified_rate_before,
            "ours after": found.verified_rate,
        }
        self.passed.update({name: round((rate or 0) * found.claimed) for name, rate in rates.items()})
        rendered = render_pages(document, found.headings)
        for node in walk(build_tree(rendered.headings, rendered.pages)):
            unverified = node.match is Match.NONE
            self.nodes[
                "synthetic" if node.synthetic else "UNVERIFIED" if unverified else str(node.match)
            ] += 1

    def row(self, name: str) -> str:
        """One line of the table."""
        rates = "  ".join(f"{rate} {count / max(self.claimed, 1):.3f}" for rate, count in self.passed.items())
        nodes = ", ".join(f"{count} {kind}" for kind, count in sorted(self.nodes.items()))
        rounds = ", ".join(f"{n} in {count}" for n, count in sorted(self.rounds.items()))
        return (
            f"{name}: {self.claimed} claimed, {self.dropped} dropped\n  {rates}\n  nodes: {nodes}\n"
            f"  repair rounds: {rounds} documents"
        )


def by_model(document: ParsedDocument, model: ChatModel) -> tuple[FoundHeadings, int]:
    """The headings that a model names, and the rounds of repair that they took."""
    gathered = gather(document)
    layout = conclude(gathered)
    pages = render_pages(document, layout.headings, verifier=gathered.verifier).pages
    read_by = read_structure(ModelStages(model), gathered, layout, pages, structure=Structure.LLM)
    return read_by.found, int(read_by.report.get("repair_rounds", 0))


def main() -> int:
    """Read every PDF three times and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with PDFs")
    options = parser.parse_args()
    tallies = {name: Tally() for name in ("bookmarks and layout", "right model", "slipping model")}
    documents = 0
    for path in sorted(options.folder.glob("*.pdf")):
        try:
            document = read(path)
        except ParseError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        documents += 1
        layout = conclude(gather(document))
        truth = [each for each in layout.headings if each.source is not HeadingSource.SYNTHETIC]
        tallies["bookmarks and layout"].add(document, layout, 0)
        tallies["right model"].add(document, *by_model(document, HonestReader(truth)))
        slipping = Slipping(HonestReader(truth), len(document.pages))
        tallies["slipping model"].add(document, *by_model(document, slipping))
    print(f"{documents} documents")
    for name, tally in tallies.items():
        print(tally.row(name))
    return int(any(tally.nodes["UNVERIFIED"] for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
