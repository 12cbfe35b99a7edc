from __future__ import annotations

from dataclasses import replace

from vectree.corpus.catalogue import Catalogue
from vectree.document import DocumentStatus, Metadata, Record


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
