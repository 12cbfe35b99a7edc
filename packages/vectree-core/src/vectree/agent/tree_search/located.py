"""The nouns of verified tree search: sections that were located, and what the checks made of each attempt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from vectree.document import PageRange
from vectree.evidence import RunUsage


class Method(StrEnum):
    """Where the sections come from.

    ``MODEL``: named by a model, and passed the checks. ``LEXICAL``: the fallback, ranked by the words they
    share with the question. ``HYBRID``: there was no model; ranked by words and vectors together.
    """

    MODEL = "model"
    LEXICAL = "lexical"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedSection:
    """A section in which the answer is looked for.

    Attributes:
        node_id: The node in the document's tree.
        title: Number and title.
        path: Titles from the top-level section down to this one, joined by " > ".
        pages: Covering page range.
        shared: Words of the question that stand in its title or summary; stopwords do not count.
    """

    node_id: str
    title: str
    path: str
    pages: PageRange
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedNode:
    """A node that a model named.

    Attributes:
        written: The identifier as the model wrote it.
        node_id: The node that it means; empty if there is none.
        problem: Why it does not pass, as a clause; empty if it passes.
    """

    written: str
    node_id: str = ""
    problem: str = ""

    @property
    def passed(self) -> bool:
        """Whether it passed every check."""
        return not self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One reply of the model and what the checks made of it.

    Attributes:
        nodes: The nodes it named, each once.
        problem: What was wrong with the reply as a whole; empty if it could be read.
    """

    nodes: tuple[CheckedNode, ...] = ()
    problem: str = ""

    @property
    def confidence(self) -> float:
        """Share of the named nodes that pass, 0 to 1; 0 if none is named."""
        return sum(node.passed for node in self.nodes) / len(self.nodes) if self.nodes else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The sections of a paper in which the answer to a question is looked for.

    Attributes:
        doc_id: The paper.
        question: As asked.
        method: Where the sections come from.
        sections: The sections, best first.
        attempts: What the model named, in order; empty without a model.
        usage: What it cost.
        model: Name of the model; empty without one.
    """

    doc_id: str
    question: str
    method: Method
    sections: tuple[LocatedSection, ...]
    attempts: tuple[Attempt, ...] = ()
    usage: RunUsage = field(default_factory=RunUsage)
    model: str = ""

    @property
    def confidence(self) -> float | None:
        """Confidence of the last attempt, which says that nodes exist and fit, not that they hold the answer.

        ``None`` without a model, since then nothing was checked.
        """
        return self.attempts[-1].confidence if self.attempts else None

    @property
    def retries(self) -> int:
        """How often the model was asked again."""
        return max(len(self.attempts) - 1, 0)

    @property
    def fallback(self) -> bool:
        """Whether the model's nodes were given up for lexical ones."""
        return self.method is Method.LEXICAL
