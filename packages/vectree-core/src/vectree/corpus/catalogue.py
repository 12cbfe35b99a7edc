"""The records of a corpus while a writer works on it: found by hash and by source, kept true to the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from vectree.document import Metadata, Record
from vectree.ingest.supplements import kin_keys


class Catalogue:
    """Records by ``doc_id``, hash and source.

    Args:
        records: What the store holds.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._records: dict[str, Record] = {}
        self._by_hash: dict[str, str] = {}
        self._by_source: dict[str, str] = {}
        self._by_kin: defaultdict[tuple[str, ...], set[str]] | None = None
        for record in records:
            self.put(record)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._records

    def get(self, doc_id: str) -> Record | None:
        """Look up a record.

        Args:
            doc_id: The document.

        Returns:
            Its record, or ``None``.
        """
        return self._records.get(doc_id)

    def with_hash(self, sha256: str) -> Record | None:
        """Find the document made of these bytes.

        Args:
            sha256: Their hash.

        Returns:
            Its record, or ``None``.
        """
        return self._records.get(self._by_hash.get(sha256, ""))

    def with_source(self, source: str) -> Record | None:
        """Find the document that was last seen behind a source.

        Args:
            source: The source.

        Returns:
            Its record, or ``None``.
        """
        return self._records.get(self._by_source.get(source, ""))

    def kin(self, metadata: Metadata, source: str) -> tuple[Record, ...]:
        """Find the documents that may be a document's paper or its supplements.

        Args:
            metadata: Of the document.
            source: Where it comes from.

        Returns:
            Records with its DOI, its title or the bare name of its file, by ``doc_id``.
        """
        if self._by_kin is None:
            self._by_kin = defaultdict(set)
            for record in self:
                _note_kin(self._by_kin, record)
        found: set[str] = set()
        for key in kin_keys(metadata, [source]) & self._by_kin.keys():
            found |= self._by_kin[key]
        return tuple(self._records[doc_id] for doc_id in sorted(found))

    def put(self, record: Record) -> None:
        """Take note of a new or changed record.

        Args:
            record: The record.
        """
        self.drop(record.doc_id)
        self._records[record.doc_id] = record
        self._by_hash[record.sha256] = record.doc_id
        self._by_source.update(dict.fromkeys(record.sources, record.doc_id))
        if self._by_kin is not None:
            _note_kin(self._by_kin, record)

    def drop(self, doc_id: str) -> None:
        """Forget a document.

        Args:
            doc_id: The document; nothing happens if it is unknown.
        """
        record = self._records.pop(doc_id, None)
        if record is None:
            return
        if self._by_hash.get(record.sha256) == doc_id:
            del self._by_hash[record.sha256]
        for source in record.sources:
            if self._by_source.get(source) == doc_id:
                del self._by_source[source]
        if self._by_kin is not None:
            for key in kin_keys(record.metadata, record.sources):
                self._by_kin[key].discard(doc_id)

    def unlinked(self) -> tuple[Record, ...]:
        """Records whose links to related documents are not mutual, put right.

        Returns:
            Changed records: a link that one side lacks is added to it, one that leads nowhere is dropped.
        """
        wanted: dict[str, set[str]] = {doc_id: set() for doc_id in self._records}
        for record in self:
            for other in record.related:
                if other in wanted and other != record.doc_id:
                    wanted[record.doc_id].add(other)
                    wanted[other].add(record.doc_id)
        return tuple(
            replace(record, related=tuple(sorted(wanted[record.doc_id])))
            for record in self
            if set(record.related) != wanted[record.doc_id]
        )


def _note_kin(by_kin: defaultdict[tuple[str, ...], set[str]], record: Record) -> None:
    for key in kin_keys(record.metadata, record.sources):
        by_kin[key].add(record.doc_id)
