"""Bibliographic data looked up again: offline unless asked, nothing parsed anew (C10)."""

from __future__ import annotations

from typing import Any

import pytest

from vectree.corpus import Corpus, refreshing
from vectree.corpus.refreshing import refresh_metadata
from vectree.document import Metadata
from vectree.errors import UnknownDocument
from vectree.ingest.bibliography_source import LookUp, LookUpStatus, Work

TITLE = "Garnet electrolytes conduct lithium"


class Service:
    """Knows one work."""

    def __init__(self, status: LookUpStatus = LookUpStatus.VERIFIED, **work: Any) -> None:
        self.asked: list[tuple[str, str]] = []
        known = {"doi": "10.1234/g", "title": TITLE, "surnames": ("Meyer",), **work}
        self._answer = LookUp(
            status=status, work=Work(**known) if status is LookUpStatus.VERIFIED else None, detail="as told"
        )

    def find(self, metadata: Metadata, front: str) -> LookUp:
        self.asked.append((metadata.title, front))
        return self._answer


@pytest.fixture
def doc_id(corpus: Corpus, desk: Any) -> str:
    desk.write("a.pdf", TITLE)
    (added,) = corpus.add(desk.folder).added
    desk.read.clear()
    return added.doc_id


def refresh(corpus: Corpus, service: Service, *doc_ids: str) -> tuple[refreshing.Refreshed, ...]:
    return refresh_metadata(corpus._state, doc_ids, offline=False, source=service)


def test_c10_a_later_refresh_fills_the_fields_without_reading_the_file(
    corpus: Corpus, desk: Any, doc_id: str
) -> None:
    service = Service(volume="12", year=2022, journal="Journal of Ionics")
    (done,) = refresh(corpus, service)
    assert (done.doc_id, done.status) == (doc_id, "verified")
    assert done.changed == ("year", "journal", "volume", "doi")
    assert desk.read == []
    metadata = corpus.record(doc_id).metadata
    assert (metadata.doi, metadata.volume, metadata.year) == ("10.1234/g", "12", 2022)
    assert metadata.provenance["volume"] == "crossref"
    assert f"{TITLE} page 1" in service.asked[0][1]
    report = corpus.report(doc_id)
    assert report["bibliography"]["crossref"] == "verified"
    assert report["metadata"]["volume"] == "crossref"
    assert report["index"]["entries"] == 2


def test_search_sees_what_was_refreshed(corpus: Corpus, doc_id: str) -> None:
    refresh(corpus, Service(year=1999, journal="Journal of Ionics"))
    (hit,) = corpus.search("garnet electrolytes lithium").hits
    assert (hit.doc_id, hit.year) == (doc_id, 1999)


@pytest.mark.parametrize("status", [s for s in LookUpStatus if s is not LookUpStatus.VERIFIED])
def test_c10_without_a_record_nothing_changes_and_the_report_says_why(
    corpus: Corpus, doc_id: str, status: LookUpStatus
) -> None:
    before = corpus.record(doc_id)
    (done,) = refresh(corpus, Service(status), doc_id)
    assert (done.status, done.changed) == (status.value, ())
    assert corpus.record(doc_id) == before
    assert corpus.report(doc_id)["bibliography"] == {
        "crossref": status.value, "detail": "as told", "conflicts": {},
    }  # fmt: skip


def test_conflicts_are_kept_beside_the_field(corpus: Corpus, doc_id: str) -> None:
    (done,) = refresh(corpus, Service(title=TITLE, journal="Ionics Letters"))
    metadata = corpus.record(doc_id).metadata
    assert metadata.journal == "Ionics Letters"
    assert done.conflicts == metadata.conflicts


def test_offline_is_the_default_and_opens_no_connection(corpus: Corpus, doc_id: str) -> None:
    (done,) = corpus.refresh_metadata()
    assert (done.status, done.changed) == ("offline", ())


def test_an_unknown_document_changes_nothing(corpus: Corpus, doc_id: str) -> None:
    service = Service()
    with pytest.raises(UnknownDocument):
        refresh(corpus, service, doc_id, "nobody2000-aaaa")
    assert service.asked == []


def test_progress_is_told(corpus: Corpus, doc_id: str) -> None:
    told: list[tuple[str, int, int]] = []
    corpus.refresh_metadata(on_paper=lambda *event: told.append(event))
    assert told == [(doc_id, 1, 1)]
