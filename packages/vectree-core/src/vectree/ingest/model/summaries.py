"""Section summaries by a model (§3.2): leaves from their whole body, parents from their preamble.

Every section has its summary by rules already; a model's takes its place where it can be used. A section
under 200 tokens keeps its text, one without text is never asked about, and lists of references keep their
first words. Sections that share a page are summarised from their own slice of it. A number that the section
does not hold is objected to once; if it comes again, the summary is marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, Field, field_validator

from vectree.document import Node, Page, SectionTree, SummarySource
from vectree.ingest.model.budget import cut_parts
from vectree.ingest.model.numbers import unsupported_numbers
from vectree.ingest.model.quoting import quote
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.prose import plain_text
from vectree.ingest.summarize import is_back_matter
from vectree.normal import one_line
from vectree.prompts import fill
from vectree.tokens import count_tokens
from vectree.tree.outline import clip
from vectree.tree.slices import section_texts
from vectree.tree.walk import map_nodes, walk

MAX_SUMMARY = 1_600
"""Characters of a summary; a model that writes more is cut at a word."""

_REPLY_TOKENS = 1_500
_TEXT_TOKENS = 30_000
_MAX_PARTS = 24
_TITLE = 200


class SummaryReply(BaseModel):
    """A summary."""

    summary: str = Field(min_length=20, description="Two to four sentences.")

    @field_validator("summary", mode="before")
    @classmethod
    def _joined(cls, value: Any) -> Any:
        return one_line(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """A tree with summaries.

    Attributes:
        tree: The tree.
        unconfirmed: Node id → numbers of its summary that the section does not hold.
        cut: Ids of sections so long that their end was not read.
    """

    tree: SectionTree
    unconfirmed: dict[str, tuple[str, ...]] = field(default_factory=lambda: dict[str, tuple[str, ...]]())
    cut: tuple[str, ...] = ()


def summarize_with_model(
    stages: ModelStages, tree: SectionTree, pages: Sequence[Page], title: str, *, every: bool = False
) -> Summarised:
    """Let a model summarise the sections that are long enough to need it.

    Args:
        stages: The model.
        tree: The tree with summaries by rules.
        pages: Every page.
        title: Title of the document.
        every: Also lists of references and formalities, as the paper does.

    Returns:
        The tree; where the model said nothing usable the summary by rules stands.
    """
    texts = section_texts(tree, pages, title_block=False)
    wanted = [
        node
        for node in walk(tree)
        if node.summary_source is SummarySource.EXTRACTIVE and (every or not is_back_matter(node.printed))
    ]
    writer = _Writer(stages, clip(title, _TITLE), texts)
    if not wanted:
        return Summarised(tree=tree)
    with ThreadPoolExecutor(stages.concurrency, thread_name_prefix="vectree-summary") as pool:
        futures = [pool.submit(writer.summarize, node) for node in wanted]
        try:
            written = [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    summaries = {node.id: made for node, made in zip(wanted, written, strict=True) if made is not None}
    return Summarised(
        tree=map_nodes(tree, lambda node: _with(node, summaries)),
        unconfirmed={node_id: made.missing for node_id, made in summaries.items() if made.missing},
        cut=tuple(node_id for node_id, made in summaries.items() if made.cut),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """A summary, the numbers in it that the section does not hold, and whether its end was not read."""

    text: str
    missing: tuple[str, ...] = ()
    cut: bool = False


def _with(node: Node, summaries: Mapping[str, _Summary]) -> Node:
    made = summaries.get(node.id)
    if made is None:
        return node
    source = SummarySource.MODEL_UNCONFIRMED if made.missing else SummarySource.MODEL
    return replace(node, summary=made.text, summary_source=source)


class _Writer:
    """Summarises the sections of one document."""

    def __init__(self, stages: ModelStages, paper: str, texts: Mapping[str, str]) -> None:
        self._stages = stages
        self._paper = paper
        self._texts = texts
        self._room = stages.budget.quoted(_TEXT_TOKENS, reply=_REPLY_TOKENS)

    def summarize(self, node: Node) -> _Summary | None:
        """The summary of one section; ``None`` if no reply could be used."""
        section = clip(node.printed, _TITLE)
        body = plain_text(self._texts[node.id], node.printed)
        if not body.strip():
            return None
        parts = cut_parts(body, self._room)
        written = [self._checked(section, part) for part in parts[:_MAX_PARTS]]
        usable = [each for each in written if each is not None]
        if not usable:
            return None
        made = self._joined(section, usable) if len(usable) > 1 else usable[0]
        return replace(made, cut=len(usable) < len(parts))

    def _checked(self, section: str, text: str) -> _Summary | None:
        """One part summarised, and once more if it has numbers of its own."""
        first = self._ask("ingest_summary", section, text)
        if first is None or not first.missing:
            return first
        again = self._ask("ingest_summary_again", section, text, numbers=", ".join(first.missing[:12]))
        if again is None:
            return first
        return min(first, again, key=lambda summary: len(summary.missing))

    def _joined(self, section: str, parts: Sequence[_Summary]) -> _Summary:
        """One summary of the summaries of parts; these one after the other if the model gives none."""
        text = "\n\n".join(part.text for part in parts)
        missing = tuple(number for part in parts for number in part.missing)
        joined = self._ask("ingest_summary_join", section, text) if count_tokens(text) <= self._room else None
        if joined is None or joined.missing:
            return _Summary(text=clip(text, MAX_SUMMARY), missing=missing)
        return _Summary(text=joined.text, missing=unsupported_numbers(joined.text, *self._confirmed(parts)))

    @staticmethod
    def _confirmed(parts: Sequence[_Summary]) -> list[str]:
        return [part.text for part in parts if not part.missing]

    def _ask(self, prompt: str, section: str, text: str, **values: str) -> _Summary | None:
        filled = fill(prompt, paper=quote(self._paper), section=quote(section), text=quote(text), **values)
        reply = self._stages.ask("summaries", filled, SummaryReply, reply_tokens=_REPLY_TOKENS)
        if reply is None:
            return None
        missing = unsupported_numbers(reply.summary, text, section)
        return _Summary(text=clip(reply.summary, MAX_SUMMARY), missing=missing)
