"""Seven invented papers on one topic, one on another, and a model with a reply to each prompt of the builder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from vectree.agent.library import Library
from vectree.evaluate.mosaic.checks.check import Bench
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.draft import Draft, Quoted
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.mosaic.sources import Source, choose_sources
from vectree.evaluate.records import Papers
from vectree.evaluate.systems.chunk_index import ChunkIndex, build_index
from vectree.evaluate.systems.chunks import passage_chunks
from vectree.index.embedder import HashEmbedder
from vectree.llm.chat import ChatRequest
from vectree.llm.scripted import FunctionModel
from vectree.testing.library import MemoryLibrary, make_paper

TOWNS = ("Narvik", "Tromso", "Kiruna", "Oulu", "Umea", "Luleå", "Bodo")
PROMPTS = {
    "Write one question whose answer": "draft",
    "From them this was written": "repair",
    "Which statements are not borne out": "grounding",
    "Which papers does the answer need": "coverage",
    "Which of them ask for the same thing": "duplicate",
    "Answer from what you know": "closed_book",
    "Answer from this material alone": "answer",
    "Does the answer say what the reference says": "same_answer",
}


def _paper(number: int, town: str) -> Any:
    return make_paper(
        f"lamp{number}",
        title=f"Heated street lamps in {town}",
        description="How street lamps shed snow and ice in winter.",
        authors=(f"Author {town}",),
        year=2010 + number,
        pages=[
            f"We study heated street lamps in {town}.",
            f"The street lamps in {town} shed their ice at {number} degrees below zero. Snow slid off.",
            "Nothing here is about light; we thank the caretakers.",
        ],
        sections=[("1 Introduction", 1, 1), ("2 Street lamps", 2, 2), ("Acknowledgements", 3, 3)],
    )


def make_papers() -> Papers:
    made = [_paper(number, town) for number, town in enumerate(TOWNS, start=1)]
    made.append(
        make_paper(
            "bees", title="Bees", description="How bees find clover.", pages=["Bees dance for clover."]
        )
    )
    names = tuple(sorted(paper.record.doc_id for paper in made))
    return Papers(library=MemoryLibrary(made), doc_ids=names, embedder=HashEmbedder())


def good_draft(kind: Kind = Kind.AGGREGATION, papers: Sequence[int] = (1, 2, 3, 4, 5)) -> Draft:
    return Draft(
        kind=kind,
        question="At which temperatures do heated street lamps of northern towns shed their ice?",
        answer="They do so between one and five degrees below zero.",
        chain=tuple(f"{TOWNS[number - 1]} says {number}." for number in papers),
        evidence=tuple(
            Quoted(doc_id=f"lamp{number}", page=2, quote=f"shed their ice at {number} degrees below zero")
            for number in papers
        ),
    )


class Script:
    """A model with a reply to each prompt; replies are values, or functions of the request's text."""

    def __init__(self) -> None:
        self.replies: dict[str, Any] = {
            "draft": lambda text: as_reply(good_draft(papers=range(1, 8)), text),
            "repair": lambda text: as_reply(good_draft(papers=range(1, 8)), text),
            "grounding": {"unsupported": []},
            "coverage": {"needed": [1, 2, 3, 4, 5, 6, 7]},
            "duplicate": {"same": []},
            "closed_book": {"answer": "At ten degrees."},
            "answer": {"answer": "From one to five."},
            "same_answer": lambda text: {"verdict": "incorrect" if "At ten degrees" in text else "correct"},
        }
        self.asked: list[str] = []
        self.temperatures: dict[str, set[float | None]] = {}
        self.model = FunctionModel(self._reply, name="scripted")

    def _reply(self, request: ChatRequest) -> str:
        text = request.messages[1].text
        name = next(name for phrase, name in PROMPTS.items() if phrase in text)
        self.asked.append(name)
        self.temperatures.setdefault(name, set()).add(request.temperature)
        reply = self.replies[name]
        return json.dumps(reply(text) if callable(reply) else reply)


def as_reply(draft: Draft, prompt: str) -> dict[str, Any]:
    """A draft as a model writes it, with the numbers that papers have in the prompt."""
    heads = [line for line in prompt.splitlines() if line.startswith("Paper ") and "lamps in" in line]
    numbers = {head.split(" in ")[1].split(",")[0]: int(head.split()[1].strip(":")) for head in heads}
    return {
        "question": draft.question,
        "answer": draft.answer,
        "reasoning_chain": list(draft.chain),
        "evidence": [
            {"paper": numbers[TOWNS[int(item.doc_id[-1]) - 1]], "page": item.page, "quote": item.quote}
            for item in draft.evidence
            if TOWNS[int(item.doc_id[-1]) - 1] in numbers
        ],
    }


@pytest.fixture(scope="session")
def lamps() -> Papers:
    return make_papers()


@pytest.fixture(scope="session")
def draft() -> Draft:
    return good_draft()


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture(scope="session")
def sources(lamps: Papers) -> tuple[Source, ...]:
    library: Library = lamps.library
    return choose_sources(library, [f"lamp{number}" for number in range(1, 8)], BuildSettings(pages_each=2))


@pytest.fixture(scope="session")
def chunks(lamps: Papers) -> ChunkIndex:
    return build_index(lamps, passage_chunks)


@pytest.fixture
def bench(lamps: Papers, sources: tuple[Source, ...], script: Script, chunks: ChunkIndex) -> Bench:
    settings = BuildSettings()
    return Bench(
        desk=Desk(script.model, script.model, settings),
        library=lamps.library,
        doc_ids=lamps.doc_ids,
        sources=sources,
        passages=lambda: chunks,
        accepted=(),
        settings=settings,
    )


@pytest.fixture
def having(bench: Bench) -> Callable[..., Bench]:
    """The bench with something changed."""
    return lambda **changes: replace(bench, **changes)
