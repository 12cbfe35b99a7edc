"""Which document a source leads to, when files are copied, renamed, swapped or overwritten.

A source leads to one document; a document has at least one source. A document whose source is found to hold
other bytes keeps its other sources. Without any, it gives its place to the new bytes, or goes if these are
another document of the corpus already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vectree.corpus.session import WriteSession
from vectree.document import Record


class Ownership:
    """Moves sources between documents.

    Args:
        session: The session of the writer.
    """

    def __init__(self, session: WriteSession) -> None:
        self._session = session
        self.removed: list[Record] = []
        """Documents that lost their last source to another one."""

    def claim(self, found: Mapping[str, Sequence[str]]) -> None:
        """Give documents the sources that their bytes were found behind.

        All are moved before any document is left without one, so that two files that swapped their names stay
        the documents they are.

        Args:
            found: ``doc_id`` → sources.
        """
        catalogue = self._session.catalogue
        after: dict[str, list[str]] = {}

        def sources(record: Record) -> list[str]:
            return after.setdefault(record.doc_id, list(record.sources))

        for doc_id, claimed in found.items():
            owner = catalogue.get(doc_id)
            for source in claimed if owner else ():
                former = catalogue.with_source(source)
                if owner and source not in owner.sources:
                    sources(owner).append(source)
                if former and former is not owner:
                    sources(former).remove(source)
        for doc_id, left in after.items():
            self._set(doc_id, left)

    def replaced_by(self, sources: Sequence[str]) -> Record | None:
        """Find the document whose place new bytes take.

        Args:
            sources: What the new bytes were found behind.

        Returns:
            A document that nothing but these sources led to, if there is one.
        """
        owners = (self._session.catalogue.with_source(source) for source in sources)
        return next((owner for owner in owners if owner and set(owner.sources) <= set(sources)), None)

    def release(self, sources: Sequence[str], *, to: str) -> None:
        """Take sources from the documents they led to so far.

        Args:
            sources: What new bytes were found behind.
            to: The document made of these bytes.
        """
        for source in sources:
            owner = self._session.catalogue.with_source(source)
            if owner is not None and owner.doc_id != to:
                self._set(owner.doc_id, [other for other in owner.sources if other != source])

    def _set(self, doc_id: str, sources: Sequence[str]) -> None:
        record = self._session.catalogue.get(doc_id)
        if record is None:
            return
        if sources:
            self._session.set_sources(record, sources)
        else:
            self._session.remove([doc_id])
            self.removed.append(record)
