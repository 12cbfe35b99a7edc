"""Small papers for the stages that ask a model, and models that answer by the form they are asked for."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from vectree.document import Box, TextStatus
from vectree.ingest.headings import gather
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.parse import Line, ParsedDocument, ParsedPage
from vectree.llm.chat import ChatRequest, Reply
from vectree.llm.scripted import FunctionModel

BODY = 10.0
SENTENCES = (
    "The membranes were cast from solution and dried for two days in vacuum.",
    "Their conductivity reached ninety units in humid gas at high temperature.",
    "Every sample was measured again on a second instrument without difference.",
    "A control without the salt was treated in exactly the same way.",
)


def prose(count: int, seed: int = 0) -> str:
    """So many sentences, no two paragraphs alike."""
    return " ".join(SENTENCES[(seed + n) % 4].replace(".", f" in series {seed}{n}.") for n in range(count))


def paper(*pages: Sequence[str]) -> ParsedDocument:
    """A document: ``"# Title"`` is set as a heading, ``"= Title"`` looks like text, the rest is prose."""
    return ParsedDocument(pages=tuple(_page(number, blocks) for number, blocks in enumerate(pages, 1)))


def _page(number: int, blocks: Sequence[str]) -> ParsedPage:
    lines: list[Line] = []
    top = 80.0
    for block in blocks:
        marked = block.startswith("# ")
        pieces = [block[2:]] if block[:2] in ("# ", "= ") else textwrap.wrap(block, 88)
        top += 12.0 if marked else 4.0
        for piece in pieces:
            size = 14.0 if marked else BODY
            lines.append(
                Line(
                    text=piece,
                    box=Box(x0=72, y0=top, x1=72 + min(len(piece) * size / 2, 440), y1=top + size),
                    size=size,
                    bold=marked,
                    italic=False,
                    font="Serif-Bold" if marked else "Serif",
                    order=len(lines),
                )
            )
            top += size + 2.0
    raw = "\n".join(line.text for line in lines)
    status = TextStatus.TEXT if lines else TextStatus.BLANK
    return ParsedPage(number=number, width=600, height=800, raw=raw, status=status, lines=tuple(lines))


Answer = dict[str, Any] | list[Any] | str | Callable[[str], Any]


class Answering(FunctionModel):
    """Answers by the form asked for; a list of replies is used up one by one, a function gets the prompt."""

    def __init__(self, *, context_window: int | None = None, **answers: Any) -> None:
        self._answers = answers
        super().__init__(self._reply, name="answering", context_window=context_window)

    def asked(self, form: str) -> list[str]:
        """The prompts with which this form was asked for."""
        return [r.messages[1].text for r in self.requests if _form(r) == form]

    def _reply(self, request: ChatRequest) -> Reply | str:
        answer = self._answers[_form(request)]
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            answer = answer(request.messages[1].text)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, (str, Reply)) else json.dumps(answer)


def _form(request: ChatRequest) -> str:
    return {
        "HeadingsReply": "structure",
        "RepairReply": "repair",
        "StartsReply": "starts",
        "SummaryReply": "summary",
        "MetadataReply": "metadata",
        "_EntailmentReply": "entailment",
    }[str((request.schema or {})["title"])]


@pytest.fixture
def make_paper() -> Callable[..., ParsedDocument]:
    return paper


@pytest.fixture
def make_prose() -> Callable[..., str]:
    return prose


@pytest.fixture
def answering() -> type[Answering]:
    return Answering


@pytest.fixture
def stages(tmp_path: Path) -> Callable[..., ModelStages]:
    def make(model: FunctionModel, **settings: Any) -> ModelStages:
        return ModelStages(model, replies=tmp_path / "replies", **settings)

    return make


@pytest.fixture
def gathered():
    return gather
