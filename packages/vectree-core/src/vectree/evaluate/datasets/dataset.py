"""What a benchmark file yields: questions, and what is known of the documents they ask about."""

from __future__ import annotations

from dataclasses import dataclass, field

from vectree.evaluate.records import Benchmark, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentHint:
    """How a benchmark's document may be recognised in a corpus; every field may be empty.

    Attributes:
        doi: Lower-case DOI without a resolver address.
        source: Path or file name it was added from; of ``"folder/paper.pdf"`` the end must agree.
        sha256: Hash of its bytes.
        title: Its title.
    """

    doi: str = ""
    source: str = ""
    sha256: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A benchmark as read from a file.

    Questions name documents by the benchmark's own keys (an arXiv id, a DOI, …). ``evaluate.bind`` replaces
    them by the ``doc_id`` of a corpus.

    Attributes:
        benchmark: Which one.
        questions: In the order of the file.
        documents: Key of a document to what is known of it.
        warnings: What was left out, one sentence each.
        canary: A sentence that asks not to train on the data, if the file carries one.
    """

    benchmark: Benchmark
    questions: tuple[Question, ...]
    documents: dict[str, DocumentHint] = field(default_factory=lambda: dict[str, DocumentHint]())
    warnings: tuple[str, ...] = ()
    canary: str = ""
