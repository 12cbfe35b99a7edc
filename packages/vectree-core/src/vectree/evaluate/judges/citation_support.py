"""Do the pages a sentence cites support it? The paper leaves sentence-level citations open (§5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from vectree.evaluate.cited import CitedSentence
from vectree.evaluate.judges.judge import Judge
from vectree.evaluate.judges.quoting import quoted
from vectree.evaluate.judges.words import as_word
from vectree.evaluate.records import Unit
from vectree.evaluate.verdicts import Support

MAX_BATCH = 60_000
"""Characters of page text in one request, if the judge's window allows."""


class _Verdict(BaseModel):
    sentence: int
    support: Annotated[Support, BeforeValidator(as_word)]


class _Reply(BaseModel):
    verdicts: list[_Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Sentences judged in one request, and the pages they cite."""

    numbers: tuple[int, ...]
    units: tuple[Unit, ...]


def judge_citations(
    judge: Judge, sentences: Sequence[CitedSentence], page_text: Callable[[Unit], str], *, room: int | None
) -> tuple[Support | None, ...]:
    """Judge every sentence against the pages it cites.

    Args:
        judge: The judge.
        sentences: Sentences of a response with their checked citations.
        page_text: Gives the text of a page that was read.
        room: Characters of page text that fit into a request; ``None`` if that is not known.

    Returns:
        For each sentence what its pages give; ``None`` where it cites no page that was read. A sentence the
        judge passes over counts as not supported. `ModelReplyError` says that the judge gave no usable reply.
    """
    given: list[Support | None] = [None if not sentence.units else Support.NONE for sentence in sentences]
    for batch in _batches(sentences, page_text, min(room or MAX_BATCH, MAX_BATCH)):
        reply = judge.ask(
            "judge_citations",
            _Reply,
            sentences="\n".join(_line(number, sentences[number], batch.units) for number in batch.numbers),
            pages="\n\n".join(
                f"Page {index}:\n{quoted(page_text(unit))}" for index, unit in enumerate(batch.units, start=1)
            ),
        )
        for verdict in reply.verdicts:
            if verdict.sentence - 1 in batch.numbers:
                given[verdict.sentence - 1] = verdict.support
    return tuple(given)


def _line(number: int, sentence: CitedSentence, units: tuple[Unit, ...]) -> str:
    pages = ", ".join(str(units.index(unit) + 1) for unit in sentence.units)
    return f"Sentence {number + 1} (cites page {pages}):\n{quoted(sentence.text)}"


def _batches(
    sentences: Sequence[CitedSentence], page_text: Callable[[Unit], str], size: int
) -> Iterator[_Batch]:
    numbers: list[int] = []
    units: dict[Unit, int] = {}
    for number, sentence in enumerate(sentences):
        added = {unit: len(page_text(unit)) for unit in sentence.units if unit not in units}
        if not sentence.units:
            continue
        if numbers and sum(units.values()) + sum(added.values()) > size:
            yield _Batch(numbers=tuple(numbers), units=tuple(units))
            numbers, units = [], {}
            added = {unit: len(page_text(unit)) for unit in sentence.units}
        numbers.append(number)
        units |= added
    if numbers:
        yield _Batch(numbers=tuple(numbers), units=tuple(units))
