"""The half of an index that lies in a vector store: what is put there, when, and what is swept."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from vectree.errors import CorpusDamaged, VectorStoreError
from vectree.index.embedder import Vectors
from vectree.index.entry_keys import entry_key, segment_keys, stored_entries
from vectree.index.rows import REINDEX
from vectree.index.segment import Prepared, Segment
from vectree.index.snapshot import Snapshot
from vectree.index.vector_store import VectorSpace

_LOG = logging.getLogger(__name__)


class StoredVectors:
    """One build's entries in a vector store; the caller holds the index's lock.

    Args:
        name: Name of the space.
        space: The space.
    """

    def __init__(self, name: str, space: VectorSpace) -> None:
        self.name = name
        self.space = space
        self._keys: dict[str, list[str]] = {}

    def keys(self, segments: Sequence[Segment]) -> list[list[str]]:
        """The keys of segments' entries; made once for each segment.

        Args:
            segments: All segments of a state.

        Returns:
            A list for each segment.
        """
        known = self._keys
        self._keys = {
            segment.name: known.get(segment.name) or segment_keys(self.name, segment) for segment in segments
        }
        return list(self._keys.values())

    def put(self, papers: Sequence[Prepared]) -> set[str]:
        """Put the entries of papers; they count once a manifest names them.

        Args:
            papers: Papers with their vectors.

        Returns:
            Their keys.
        """
        entries = [entry for paper in papers for entry in stored_entries(self.name, paper)]
        self.space.put(entries)
        return {entry.key for entry in entries}

    def known(self, doc_id: str, digests: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Vectors of a document by the digests of their texts, as far as the store gives them back.

        Args:
            doc_id: The document.
            digests: Of its entries, in order.

        Returns:
            Digest → vector.
        """
        keys = {entry_key(self.name, doc_id, place, digest): digest for place, digest in enumerate(digests)}
        return {keys[key]: vector for key, vector in self.space.vectors(list(keys)).items()}

    def delete(self, keys: Iterable[str]) -> None:
        """Delete what no manifest names any more; if the store fails now, a later `sweep` makes up for it.

        Args:
            keys: The entries.
        """
        gone = sorted(keys)
        if not gone:
            return
        try:
            self.space.delete(gone)
        except VectorStoreError as error:
            _LOG.warning("%d entries were left behind in the vector store: %s", len(gone), error)

    def sweep(self, snapshot: Snapshot) -> None:
        """Delete leftovers of a process that died, if there are any and the store can list them.

        Args:
            snapshot: The state that counts.
        """
        count = self.space.count()
        if count is not None and count > snapshot.entries and (found := self.space.keys()) is not None:
            self.delete(set(found) - set(snapshot.keys))

    def check(self, snapshot: Snapshot) -> None:
        """Refuse a store that lost entries.

        Args:
            snapshot: A committed state.

        Raises:
            CorpusDamaged: If the store holds fewer entries than the state.
        """
        count = self.space.count() if snapshot.entries else None
        if count is not None and count < snapshot.entries:
            raise CorpusDamaged(
                f"The vector store holds {count:,} of {snapshot.entries:,} entries of the index.",
                hint=REINDEX,
            )

    def notice(self, former: Snapshot, latest: Snapshot) -> None:
        """Tell the store what another process put.

        Args:
            former: The state that this process knew.
            latest: The state that it found.
        """
        if new := set(latest.keys) - set(former.keys) - {""}:
            self.space.notice(sorted(new))
