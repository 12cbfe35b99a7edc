from __future__ import annotations

from dataclasses import replace

import pytest

from vectree.corpus.catalogue import Catalogue
from vectree.document import DocumentStatus, Metadata, Record
from vectree.ingest.supplements import kin_keys


def record(doc_id: str, *sources: str, related: tuple[str, ...] = ()) -> Record:
    return Record(
        doc_id=doc_id,
        sha256=f"hash of {doc_id}",
        sources=sources,
        total_pages=1,
        status=DocumentStatus.OK,
        metadata=Metadata(title=doc_id),
        related=related,
    )


def test_records_are_found_by_name_hash_and_source() -> None:
    a = record("a-0000", "p/a.pdf", "p/copy.pdf")
    catalogue = Catalogue([a, record("b-0000", "p/b.pdf")])
    assert (
        catalogue.get("a-0000") == catalogue.with_hash(a.sha256) == catalogue.with_source("p/copy.pdf") == a
    )
    assert catalogue.get("x") is catalogue.with_hash("x") is catalogue.with_source("x") is None


def test_a_changed_record_is_no_longer_found_by_what_it_lost() -> None:
    a = record("a-0000", "p/a.pdf", "p/b.pdf")
    catalogue = Catalogue([a])
    catalogue.put(replace(a, sha256="other", sources=("p/b.pdf",)))
    assert catalogue.with_hash(a.sha256) is None
    assert catalogue.with_source("p/a.pdf") is None
    assert "a-0000" in catalogue
    catalogue.drop("a-0000")
    catalogue.drop("a-0000")
    assert list(catalogue) == []
    assert catalogue.with_source("p/b.pdf") is None


def test_a_source_that_moved_on_stays_with_its_new_owner() -> None:
    a, b = record("a-0000", "p/x.pdf"), record("b-0000", "p/y.pdf")
    catalogue = Catalogue([a, b])
    catalogue.put(replace(b, sources=("p/y.pdf", "p/x.pdf")))
    catalogue.put(replace(a, sources=()))
    assert catalogue.with_source("p/x.pdf") == replace(b, sources=("p/y.pdf", "p/x.pdf"))


def test_links_are_made_mutual_and_dead_ones_are_dropped() -> None:
    catalogue = Catalogue(
        [
            record("a-0000", related=("b-0000", "gone-0000")),
            record("b-0000"),
            record("c-0000", related=("c-0000",)),
        ]
    )
    fixed = {item.doc_id: item.related for item in catalogue.unlinked()}
    assert fixed == {"a-0000": ("b-0000",), "b-0000": ("a-0000",), "c-0000": ()}
    for item in catalogue.unlinked():
        catalogue.put(item)
    assert catalogue.unlinked() == ()


def test_kin_are_found_by_doi_title_or_bare_name_without_looking_at_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title, doi = "Ion transport in cold glass membranes", "10.1234/glass"
    records = [record(f"other-{n:04d}", f"p/other{n}.pdf") for n in range(300)]
    by_doi = replace(record("a-0000", "q/a.pdf"), metadata=Metadata(title="A", doi=doi))
    by_title = replace(
        record("b-0000", "q/b.pdf"), metadata=Metadata(title=f"Supporting information for {title}")
    )
    by_name = record("c-0000", "p/main_si.pdf")
    catalogue = Catalogue([*records, by_doi, by_title, by_name])
    wanted = Metadata(title=title, doi=doi)
    assert catalogue.kin(wanted, "p/main.pdf") == (by_doi, by_title, by_name)
    seen: list[Metadata] = []
    monkeypatch.setattr(
        "vectree.corpus.catalogue.kin_keys",
        lambda metadata, sources: seen.append(metadata) or kin_keys(metadata, sources),
    )
    assert catalogue.kin(wanted, "p/main.pdf") == (by_doi, by_title, by_name)
    assert seen == [wanted]


def test_kin_follow_changes_of_the_records() -> None:
    a = record("a-0000", "p/main_si.pdf")
    catalogue = Catalogue([a])
    wanted = Metadata(title="Anything")
    assert catalogue.kin(wanted, "p/main.pdf") == (a,)
    moved = replace(a, sources=("q/main_si.pdf",))
    catalogue.put(moved)
    assert catalogue.kin(wanted, "p/main.pdf") == ()
    assert catalogue.kin(wanted, "q/main.pdf") == (moved,)
    catalogue.drop("a-0000")
    assert catalogue.kin(wanted, "q/main.pdf") == ()
