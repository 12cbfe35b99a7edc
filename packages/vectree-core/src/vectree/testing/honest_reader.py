"""A chat model that reads a paper rightly, without being one: for tests and for counting what reading costs.

It knows the headings of one document and answers every question of ingestion from them and from the text it
is shown, as a model without faults would. What it is asked, and how often, is therefore what is inherent in
the asking.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from vectree.document import Heading, HeadingSource
from vectree.llm.chat import ChatRequest, Reply, Usage
from vectree.llm.scripted import FunctionModel
from vectree.normal import match_key
from vectree.sentences import sentences
from vectree.tokens import count_tokens

_QUOTED = re.compile(r"(?:^page (\d+) )?<<([0-9a-f]{12})\n(.*?)\n\2>>", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
_GIVEN = re.compile(r" \(given for [^()]*\)$")
_PAGE = re.compile(r"^page (\d+): ")


class HonestReader(FunctionModel):
    """Answers what ingestion asks about one document.

    Args:
        headings: The document's headings; those of synthetic sections are not told.
        context_window: Tokens, or ``None``.
    """

    def __init__(self, headings: Sequence[Heading], *, context_window: int | None = None) -> None:
        self._headings = [each for each in headings if each.source is not HeadingSource.SYNTHETIC]
        answers: dict[str, Callable[[str], dict[str, Any]]] = {
            "HeadingsReply": self._structure,
            "RepairReply": self._repair,
            "StartsReply": self._starts,
            "SummaryReply": self._summary,
            "MetadataReply": self._metadata,
        }
        self._answers = answers
        super().__init__(self._reply, name="honest-reader", context_window=context_window)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all requests so far, by ``count_tokens``."""
        return sum(_size(request) for request in self.requests)

    def _reply(self, request: ChatRequest) -> Reply:
        form = str((request.schema or {}).get("title", ""))
        text = json.dumps(self._answers[form](request.messages[1].text), ensure_ascii=False)
        usage = Usage(prompt_tokens=_size(request), completion_tokens=count_tokens(text), cost=0.0)
        return Reply(text=text, usage=usage)

    def _structure(self, prompt: str) -> dict[str, Any]:
        shown = {int(page) for page, _, _ in _QUOTED.findall(prompt) if page}
        told = [heading for heading in self._headings if heading.page in shown]
        return {
            "headings": [
                {"number": each.number, "title": each.title, "page": each.page, "level": each.level}
                for each in told
            ]
        }

    def _repair(self, prompt: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        for entry, line in _entries(prompt):
            wanted = match_key(_GIVEN.sub("", line))
            heading = next((h for h in self._headings if match_key(h.printed) == wanted), None)
            if heading is not None:
                found.append({"entry": entry, "title": heading.printed, "page": heading.page})
        return {"found": found}

    def _starts(self, prompt: str) -> dict[str, Any]:
        starts: list[dict[str, Any]] = []
        for entry, line in _entries(prompt):
            wanted = match_key(_PAGE.sub("", line))
            begins = any(h.begins_page for h in self._headings if match_key(h.printed) == wanted)
            starts.append({"entry": entry, "begins_page": begins})
        return {"starts": starts}

    def _summary(self, prompt: str) -> dict[str, Any]:
        text = _QUOTED.findall(prompt)[-1][2]
        return {"summary": " ".join(sentences(text)[:2]) or text[:300]}

    def _metadata(self, prompt: str) -> dict[str, Any]:
        hints = _QUOTED.findall(prompt)[0][2]
        known = dict(line.split(": ", 1) for line in hints.splitlines() if ": " in line)
        text = _QUOTED.findall(prompt)[-1][2]
        return {
            "title": known.get("title"),
            "authors": [name for name in known.get("authors", "").split("; ") if name],
            "year": known.get("year"),
            "description": next((each for each in sentences(text) if len(each) > 60), ""),
            "keywords": [],
        }


def _entries(prompt: str) -> list[tuple[int, str]]:
    return [(int(number), line) for number, line in _ENTRY.findall(_QUOTED.sub("", prompt))]


def _size(request: ChatRequest) -> int:
    return sum(count_tokens(message.text) for message in request.messages)
