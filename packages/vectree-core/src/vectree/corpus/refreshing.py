"""Looking bibliographic data up again, for papers that are in the corpus; nothing is parsed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vectree.corpus.ingest_settings import bibliography_source
from vectree.corpus.session import WriteSession, locked
from vectree.corpus.state import CorpusState
from vectree.document import Metadata, Page, Record
from vectree.errors import UnknownDocument
from vectree.ingest.bibliography_merge import FIELDS
from vectree.ingest.bibliography_source import BibliographySource, LookUp, apply_work, front_text
from vectree.ingest.pipeline import bibliography_report

OnRefreshed = Callable[[str, int, int], None]
"""Called with a ``doc_id``, its ordinal from 1 and the number of papers, before the paper is looked up."""

_FRONT = (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What became of one paper's metadata.

    Attributes:
        doc_id: The paper.
        status: How the look-up ended: ``"verified"``, ``"unverified"``, ``"not_found"``,
            ``"unavailable"``, or ``"offline"``.
        changed: Fields with a new value.
        conflicts: Field → what the service says where it disagrees.
        detail: Why there is no record; empty if there is one.
    """

    doc_id: str
    status: str
    changed: tuple[str, ...] = ()
    conflicts: dict[str, str]
    detail: str = ""


def refresh_metadata(
    state: CorpusState,
    doc_ids: Sequence[str],
    *,
    offline: bool,
    source: BibliographySource | None = None,
    on_paper: OnRefreshed | None = None,
) -> tuple[Refreshed, ...]:
    """Look papers up, and take over what agrees with them.

    Args:
        state: The open corpus.
        doc_ids: Papers; none for all.
        offline: Use earlier answers only; opens no connection.
        source: Stands in for Crossref.
        on_paper: Called for each paper.

    Returns:
        What became of each.

    Raises:
        UnknownDocument: If one of them is not in the corpus; then none is changed.
    """
    asked = source or bibliography_source(state.root, offline=offline)
    with locked(state):
        session = WriteSession(state)
        session.repair()
        wanted = list(dict.fromkeys(doc_ids)) or sorted(record.doc_id for record in session.catalogue)
        records = [session.catalogue.get(doc_id) for doc_id in wanted]
        for doc_id, record in zip(wanted, records, strict=True):
            if record is None:
                raise UnknownDocument(f"There is no document {doc_id[:80]!r} in the corpus.")
        done: list[Refreshed] = []
        for ordinal, record in enumerate((each for each in records if each is not None), 1):
            if on_paper is not None:
                on_paper(record.doc_id, ordinal, len(wanted))
            done.append(_refresh(session, record, asked))
        return tuple(done)


def _refresh(session: WriteSession, record: Record, source: BibliographySource) -> Refreshed:
    front = front_text(_front_pages(session, record))
    look_up = source.find(record.metadata, front)
    metadata = apply_work(record.metadata, look_up)
    if metadata != record.metadata:
        session.revise(replace(record, metadata=metadata))
    report = session.state.store.report(record.doc_id)
    report["bibliography"] = bibliography_report(look_up, metadata)
    report["metadata"] = dict(metadata.provenance)
    session.writer.rewrite_report(record.doc_id, report)
    return _outcome(record, metadata, look_up)


def _front_pages(session: WriteSession, record: Record) -> tuple[Page, ...]:
    numbers = [number for number in _FRONT if number <= record.total_pages]
    return session.state.store.pages(record.doc_id, numbers)


def _outcome(record: Record, metadata: Metadata, look_up: LookUp) -> Refreshed:
    before = record.metadata
    return Refreshed(
        doc_id=record.doc_id,
        status=look_up.status.value,
        changed=tuple(name for name in FIELDS if getattr(before, name) != getattr(metadata, name)),
        conflicts=dict(metadata.conflicts),
        detail=look_up.detail,
    )
