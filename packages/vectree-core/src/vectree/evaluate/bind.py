"""From a benchmark's own names of documents to the ``doc_id`` of a corpus, and from key passages to pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vectree.document import Record
from vectree.evaluate.datasets.dataset import Dataset, DocumentHint
from vectree.evaluate.papers import records
from vectree.evaluate.passages import find_passage
from vectree.evaluate.records import Benchmark, Papers, Question, Reference
from vectree.normal import match_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Questions that a corpus can be asked.

    Attributes:
        questions: Documents named by ``doc_id``.
        left_out: Id of a question that cannot be asked to the reason.
        mapped: How many key passages were found on a page.
        unmapped: How many were not.
    """

    questions: tuple[Question, ...]
    left_out: dict[str, str]
    mapped: int = 0
    unmapped: int = 0


def bind(dataset: Dataset, papers: Papers) -> Bound:
    """Name documents as the corpus does.

    A question is left out if a document it needs is not in the corpus, as in the paper (§4.1). References
    that name no gold pages but quote their source get the pages on which the quotation stands.

    Args:
        dataset: Questions with the benchmark's names.
        papers: The corpus.

    Returns:
        The questions that can be asked, and why others cannot.
    """
    known = find_documents(dataset.documents, records(papers))
    kept: list[Question] = []
    left_out: dict[str, str] = {}
    mapped = unmapped = 0
    for question in dataset.questions:
        wanted = question.documents | (question.scope or frozenset())
        missing = sorted(name for name in wanted if name not in known)
        if missing:
            left_out[question.id] = f"not in the corpus: {', '.join(missing[:3])}"
            continue
        bound = rename(question, known)
        if (
            question.benchmark is not Benchmark.QASPER
        ):  # its evidence is mapped; what is open points at figures
            references = tuple(_with_pages(reference, bound, papers) for reference in bound.references)
            for old, new in zip(bound.references, references, strict=True):
                mapped += old.evidence is None and new.evidence is not None
                unmapped += bool(old.quotes) and new.evidence is None
            bound = replace(bound, references=references)
        kept.append(bound)
    return Bound(questions=tuple(kept), left_out=left_out, mapped=mapped, unmapped=unmapped)


def find_documents(hints: Mapping[str, DocumentHint], known: Iterable[Record]) -> dict[str, str]:
    """Find a benchmark's documents in a catalogue.

    In order of trust: the ``doc_id`` itself, the content hash, the DOI, the source path, the title.

    Args:
        hints: The benchmark's name of a document to what is known of it.
        known: The catalogue.

    Returns:
        The benchmark's name to ``doc_id``, for those that were found.
    """
    catalogue = tuple(known)
    by_id = {record.doc_id: record.doc_id for record in catalogue}
    by_hash = {record.sha256: record.doc_id for record in catalogue}
    by_doi = {record.metadata.doi: record.doc_id for record in catalogue if record.metadata.doi}
    by_title = {key: record.doc_id for record in catalogue if (key := match_key(record.metadata.title))}
    found: dict[str, str] = {}
    for name, hint in hints.items():
        doc_id = (
            by_id.get(name)
            or by_hash.get(hint.sha256)
            or by_doi.get(hint.doi.lower())
            or _by_source(hint.source, catalogue)
            or by_title.get(match_key(hint.title) or " ")
        )
        if doc_id is not None:
            found[name] = doc_id
    return found


def rename(question: Question, known: Mapping[str, str]) -> Question:
    """Name the documents of a question as a corpus does.

    Args:
        question: The question.
        known: The benchmark's name to ``doc_id``; must hold every document of the question.

    Returns:
        The same question.
    """
    references = tuple(
        reference
        if reference.evidence is None
        else replace(reference, evidence=frozenset((known[doc], page) for doc, page in reference.evidence))
        for reference in question.references
    )
    scope = None if question.scope is None else frozenset(known[doc] for doc in question.scope)
    documents = frozenset(known[doc] for doc in question.documents)
    return replace(question, references=references, scope=scope, documents=documents)


def _by_source(source: str, catalogue: Iterable[Record]) -> str | None:
    """The one document whose source path ends as this one does."""
    if not source:
        return None
    wanted = source.replace("\\", "/").rsplit("/", 1)[-1]
    ending = {
        record.doc_id
        for record in catalogue
        for path in record.sources
        if path in (source, wanted) or path.endswith(f"/{wanted}") or _member(path, wanted)
    }
    return ending.pop() if len(ending) == 1 else None


def _member(path: str, wanted: str) -> bool:
    """Whether a path names this member of a file that holds many documents: ``file#id``."""
    return wanted.startswith("#") and path.endswith(wanted)


def _with_pages(reference: Reference, question: Question, papers: Papers) -> Reference:
    if reference.evidence is not None or not reference.quotes:
        return reference
    units: set[tuple[str, int]] = set()
    for doc_id in sorted(question.documents):
        total = papers.library.record(doc_id).total_pages
        texts = [page.text for page in papers.library.pages(doc_id, range(1, total + 1))]
        for quote in reference.quotes:
            units |= {(doc_id, page) for page in find_passage(quote, texts).pages}
    return replace(reference, evidence=frozenset(units) or None)
