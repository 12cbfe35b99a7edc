"""LitQA2 of LAB-Bench: multiple-choice questions about one paper each (§4.1).

Every question gets the option that there is not enough information, and its own order of options, drawn from
seed and question id: with one seed for all, the right option would stand at the same letter throughout.

The questions must not end up in training data: results name them by id, and carry the canary of the file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, Field

from vectree.errors import UsageError
from vectree.evaluate.datasets.dataset import Dataset, DocumentHint
from vectree.evaluate.datasets.json_file import read_rows, validated
from vectree.evaluate.datasets.sampling import draw_key
from vectree.evaluate.records import INSUFFICIENT, Benchmark, Grading, Question, Reference

SHUFFLE_SEED = 0
"""Seed of the order of options."""

_RESOLVER = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)


class _Row(BaseModel):
    id: str
    question: str
    ideal: str
    distractors: list[str]
    sources: list[str] = []
    doi: str = ""
    key_passage: str = Field(default="", validation_alias=AliasChoices("key-passage", "key_passage"))
    pdf: str = ""
    gold_pages: list[int] | None = None
    canary: str = ""


def read_litqa2(path: Path, *, seed: int = SHUFFLE_SEED) -> Dataset:
    """Read LitQA2 questions.

    Args:
        path: JSON Lines or a JSON array with the public fields (``id``, ``question``, ``ideal``,
            ``distractors``, ``sources`` or ``doi``, ``key-passage``); ``pdf`` and ``gold_pages`` are used
            where present.
        seed: Of the order of options.

    Returns:
        The questions. Documents are named by DOI; evidence is unknown until the key passages are mapped to
        pages of a corpus, unless the file gives the pages.

    Raises:
        UsageError: If a question names no source.
    """
    questions: list[Question] = []
    documents: dict[str, DocumentHint] = {}
    canary = ""
    for number, raw in enumerate(read_rows(path), start=1):
        row = validated(_Row, _without_nulls(raw), path, f"row {number}")
        dois = [bare_doi(source) for source in (row.sources or [row.doi]) if source.strip()]
        keys = dois or ([row.pdf] if row.pdf else [])
        if not keys:
            raise UsageError(f"{path.name}, row {number}: the question names no source.")
        documents |= {key: DocumentHint(doi=key if dois else "", source=row.pdf) for key in keys}
        questions.append(_question(row, keys, seed))
        canary = canary or row.canary
    return Dataset(benchmark=Benchmark.LITQA2, questions=tuple(questions), documents=documents, canary=canary)


def bare_doi(text: str) -> str:
    """A DOI without its resolver address, in lower case.

    Args:
        text: For example ``"https://doi.org/10.1000/ABC"``.

    Returns:
        ``"10.1000/abc"``.
    """
    return _RESOLVER.sub("", text).strip().lower()


def shuffled_options(key: str, ideal: str, distractors: list[str], *, seed: int) -> tuple[str, ...]:
    """Put options into the order of a question.

    Args:
        key: Id of the question.
        ideal: The right option.
        distractors: The wrong ones.
        seed: Which order.

    Returns:
        All of them and the option of insufficient information, each once.
    """
    every = dict.fromkeys([ideal, *distractors, INSUFFICIENT])
    return tuple(sorted(every, key=lambda option: draw_key(seed, f"{key}\0{option}")))


def _question(row: _Row, keys: list[str], seed: int) -> Question:
    options = shuffled_options(row.id, row.ideal, row.distractors, seed=seed)
    gold = None if row.gold_pages is None else frozenset((keys[0], page) for page in row.gold_pages)
    quotes = (row.key_passage,) if row.key_passage.strip() else ()
    return Question(
        id=row.id,
        text=row.question.strip(),
        benchmark=Benchmark.LITQA2,
        grading=Grading.CHOICE,
        kind="choice",
        references=(Reference(text=row.ideal, evidence=gold or None, quotes=quotes),),
        options=options,
        gold_option=options.index(row.ideal),
        unsure_option=options.index(INSUFFICIENT),
        documents=frozenset(keys),
    )


def _without_nulls(row: dict[str, Any]) -> dict[str, Any]:
    """Columns that a hub fills with null are as good as absent."""
    return {key: value for key, value in row.items() if value is not None}
