"""An open corpus: its folder, and the index as it is on disk now."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from vectree.corpus.index_place import IndexPlace
from vectree.corpus.marks import check_template, embedder_of, measured_gates
from vectree.errors import IndexMismatch
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import Embedder
from vectree.index.embedders import DEFAULT_EMBEDDER, resolve_embedder
from vectree.index.entries import Template
from vectree.index.vector_store import VectorStore
from vectree.search.gates import thresholds_for
from vectree.search.hybrid import HybridSearch
from vectree.search.within import WithinSearch
from vectree.store.files import PaperStore
from vectree.store.layout import INDEX, MANIFEST, has_papers
from vectree.store.manifest import EmbedderMark, GatesMark, Manifest, read_manifest

_Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenIndex:
    """The index and what searches it.

    Attributes:
        generation: Which build of the index this is.
        gates: Similarity gates kept in ``corpus.json`` when it was opened.
        measured: Whether search uses them; not if they were measured for another embedder.
        embedder: What made its vectors.
        index: Entries and postings.
        search: Ranks documents.
        within: Ranks the sections of a document; keeps the last documents ready.
    """

    generation: int
    gates: GatesMark | None
    measured: bool
    embedder: Embedder
    index: CorpusIndex
    search: HybridSearch
    within: WithinSearch


class CorpusState:
    """What all parts of a corpus share. Safe to use from several threads.

    Args:
        root: The corpus folder; it need not exist.
        embedder: A name or an embedder; ``None`` for the corpus's own, or the default for a new one.
        index: A word or a vector store; ``None`` for the corpus's own, or ``"exact"`` for a new one.
        offline: Whether embedders may open connections; see ``index.embedders.resolve_embedder``.
        entry_depth: Down to which level sections have entries; ``None`` for the corpus's own, or 1 for a new
            one.
    """

    def __init__(
        self,
        root: Path,
        embedder: str | Embedder | None,
        index: str | VectorStore | None = None,
        *,
        offline: bool | None = None,
        entry_depth: int | None = None,
    ) -> None:
        self.root = root
        self._place = IndexPlace(root, index)
        self.offline = offline
        self.template = None if entry_depth is None else Template.TITLE_FIRST.at_depth(entry_depth)
        self._embedder = None if embedder is None else resolve_embedder(embedder, offline=offline)
        self._store = PaperStore(root)
        self._lock = threading.RLock()
        self._manifest: tuple[_Signature | None, Manifest] | None = None
        self._open: OpenIndex | None = None

    @property
    def store(self) -> PaperStore:
        """The papers of an existing corpus; without one this raises `CorpusNotFound`."""
        self.manifest()
        return self._store

    def manifest(self) -> Manifest:
        """Read ``corpus.json``, if it changed since the last time.

        Returns:
            The manifest; see ``store.manifest.read_manifest`` for what is raised without one.
        """
        with self._lock:
            signature = self._signature()
            if self._manifest is None or signature is None or self._manifest[0] != signature:
                self._manifest = signature, read_manifest(self.root)
            return self._manifest[1]

    def check(self) -> None:
        """Refuse a corpus of another format, and an embedder or a store that the index was not built with."""
        if (self.root / MANIFEST).exists():
            manifest = self.manifest()
            self._place.check(manifest)
            if self._embedder is not None:
                self._check_same(manifest, self._embedder)
            check_template(self.root, manifest, self.template)

    def embedder(self) -> Embedder:
        """The embedder of the corpus, or the one a new corpus will have; no model is loaded.

        Returns:
            The embedder; one that the index was not built with raises `IndexMismatch`.
        """
        if not (self.root / MANIFEST).exists():
            return self._embedder or resolve_embedder(DEFAULT_EMBEDDER, offline=self.offline)
        manifest = self.manifest()
        with self._lock:
            opened = self._opened(manifest)
        found = self._embedder or (opened.embedder if opened else embedder_of(manifest, offline=self.offline))
        self._check_same(manifest, found)
        return found

    def current(self) -> OpenIndex:
        """The index that ``corpus.json`` names now; opened once, and again only after a rebuild.

        Returns:
            The open index.
        """
        with self._lock:
            while (opened := self._opened(self.manifest())) is None:
                self._open = self._open_index(self.manifest())
            return opened

    @property
    def place(self) -> IndexPlace:
        """Where the vectors of the index lie."""
        return self._place

    def use(self, embedder: Embedder, store: VectorStore | None) -> None:
        """Go on with another embedder or store, after the index was rebuilt with it.

        Args:
            embedder: The embedder.
            store: The vector store, if there is one.
        """
        with self._lock:
            self._embedder, self._open = embedder, None
            self._place.use(store)

    def _check_same(self, manifest: Manifest, embedder: Embedder) -> None:
        """An index without papers fits every embedder."""
        had, brought = manifest.embedder, mark_of(embedder)
        if had == brought or not has_papers(self.root):
            return
        raise IndexMismatch(
            f"The corpus was indexed with the embedder {_shown(had)}, not with {_shown(brought)}.",
            hint="Open it without naming an embedder, or rebuild its index: "
            f"vectree reindex --embedder {brought.name}.",
        )

    def _opened(self, manifest: Manifest) -> OpenIndex | None:
        current = (
            self._open is not None
            and self._open.generation == manifest.generation
            and self._open.gates == manifest.gates
        )
        return self._open if current else None

    def _open_index(self, manifest: Manifest) -> OpenIndex:
        embedder, measured = self.embedder(), measured_gates(manifest)
        folder, store = index_folder(self.root, manifest.generation), self._place.store(manifest)
        index = CorpusIndex(folder, embedder, manifest.template, store=store)
        return OpenIndex(
            generation=manifest.generation,
            gates=manifest.gates,
            measured=measured is not None,
            embedder=embedder,
            index=index,
            search=HybridSearch(index, embedder, thresholds_for(embedder, measured)),
            within=WithinSearch(embedder),
        )

    def _signature(self) -> _Signature | None:
        try:
            status = (self.root / MANIFEST).stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


def index_folder(root: Path, generation: int) -> Path:
    """Where a build of the index lies.

    Args:
        root: The corpus folder.
        generation: Which build.

    Returns:
        The folder.
    """
    return root / INDEX / str(generation)


def mark_of(embedder: Embedder) -> EmbedderMark:
    """What ``corpus.json`` keeps of an embedder.

    Args:
        embedder: The embedder.

    Returns:
        Its fingerprint.
    """
    return EmbedderMark(**asdict(embedder.fingerprint))


def _shown(mark: EmbedderMark) -> str:
    return f"{mark.name!r} (revision {mark.revision}, {mark.pooling}, {mark.dimension} dimensions)"
