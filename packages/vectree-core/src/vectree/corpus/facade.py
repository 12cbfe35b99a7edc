"""``Corpus``: everything a user does with a library of papers, in one object."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vectree.agent.library import LibraryStats
from vectree.corpus.adding_methods import AddingMethods, PathLike
from vectree.corpus.asking_methods import AskingMethods
from vectree.corpus.exchange_methods import ExchangeMethods
from vectree.corpus.gate_methods import GateMethods
from vectree.corpus.library import NO_FILTERS, CorpusLibrary
from vectree.corpus.marks import at_depth
from vectree.corpus.models import resolve_model
from vectree.corpus.page_choice import read_pages
from vectree.corpus.reindexing import OnIndexed, rebuild
from vectree.corpus.session import WriteSession, locked
from vectree.corpus.state import CorpusState
from vectree.corpus.threads import in_thread
from vectree.corpus.tool_methods import ToolMethods
from vectree.corpus.upkeep_methods import UpkeepMethods
from vectree.document import Figure, Page, Record, SectionTree
from vectree.errors import UnknownDocument, UsageError
from vectree.evidence import Filters, SearchResult, SectionHit
from vectree.index.embedder import Embedder
from vectree.index.embedders import resolve_embedder
from vectree.index.vector_store import VectorStore
from vectree.llm.chat import ChatModel

DEFAULT_FOLDER = "vectree-corpus"


class Corpus(AddingMethods, AskingMethods, ExchangeMethods, GateMethods, UpkeepMethods, ToolMethods):
    """A library of papers in a folder.

    Reading never waits for writing and always shows what is committed, also by another process. One object
    may be used from several threads; one process writes at a time. Where there is no corpus, everything but
    `add` raises `CorpusNotFound`; an unknown ``doc_id`` raises `UnknownDocument`; damage on disk raises
    `CorpusDamaged`, with the file and what to do.

    Make one with `Corpus.open`.

    Args:
        state: The open corpus.
        model: Answers questions; ``None`` for the default.
    """

    def __init__(self, state: CorpusState, model: ChatModel | None) -> None:
        self._reader = CorpusLibrary(state)
        AddingMethods.__init__(self, state)
        AskingMethods.__init__(self, self._reader, model)
        ExchangeMethods.__init__(self, state)
        GateMethods.__init__(self, state)
        UpkeepMethods.__init__(self, state)
        ToolMethods.__init__(self, self._reader)

    @classmethod
    def open(
        cls,
        path: PathLike = DEFAULT_FOLDER,
        *,
        embedder: str | Embedder | None = None,
        index: str | VectorStore | None = None,
        model: str | ChatModel | None = None,
        create: bool = False,
        offline: bool | None = None,
        entry_depth: int | None = None,
    ) -> Corpus:
        """Open a corpus. A folder that does not exist yet is made by the first `add`.

        Args:
            path: The folder.
            embedder: ``"minilm"``, ``"specter2"``, ``"st:FOLDER"``, ``"openai:MODEL"``, another name that
                ``resolve_embedder`` knows, or an embedder; by default the corpus's own, ``"minilm"`` for a new
                one. One that the index was not built with raises `IndexMismatch`, with the command that
                rebuilds it.
            index: Where the vectors lie: ``"exact"``, ``"chroma:PATH"``, ``"chroma:http://host:port"`` or a
                `VectorStore`; by default the corpus's own, ``"exact"`` for a new one. Another than the
                corpus's raises `IndexMismatch`, with the command that moves it.
            model: Answers questions: ``"extractive"`` (the default, quotes the papers), ``"SERVICE:MODEL"``
                such as ``"openrouter:NAME"`` or ``"ollama:NAME"``, or a chat model.
            create: Make an empty corpus at once if there is none.
            offline: True opens no connection for embedding and refuses endpoints; False also allows models to
                be downloaded from the hub. By default nothing is downloaded, and an endpoint is called if it is
                named. A chat model or a server you name or pass in is yours.
            entry_depth: Down to which level of its tree a paper's sections have index entries; by default the
                corpus's own, 1 for a new one as in the paper.

        Returns:
            The corpus.

        Raises:
            UsageError: If ``path`` is a file.
        """
        root = Path(path).absolute()
        if root.exists() and not root.is_dir():
            raise UsageError(f"{str(root)!r} is a file, not the folder of a corpus.")
        state = CorpusState(root, embedder, index, offline=offline, entry_depth=entry_depth)
        corpus = cls(state, None if model is None else resolve_model(model))
        corpus._state.check()
        if create:
            with locked(corpus._state, create=True):
                pass
        return corpus

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open between calls; ``with`` is for those who like it."""

    def __repr__(self) -> str:
        return f"Corpus.open({str(self._state.root)!r})"

    @property
    def path(self) -> Path:
        """The folder."""
        return self._state.root

    @property
    def embedder(self) -> Embedder:
        """What makes the vectors; no model is loaded by asking."""
        return self._state.embedder()

    def remove(self, *doc_ids: str) -> tuple[str, ...]:
        """Remove documents from the corpus; the files they were read from are left alone.

        Args:
            *doc_ids: Documents.

        Returns:
            The documents removed.

        Raises:
            UnknownDocument: If one of them is not in the corpus; then none is removed.
        """
        wanted = tuple(dict.fromkeys(doc_ids))
        with locked(self._state):
            known = set(self._state.store.doc_ids())
            for doc_id in wanted:
                if doc_id not in known:
                    raise UnknownDocument(
                        f"There is no document {doc_id[:80]!r} in the corpus; nothing was removed."
                    )
            if wanted:
                WriteSession(self._state, without=wanted).remove(wanted)
        return wanted

    def reindex(
        self,
        *,
        embedder: str | Embedder | None = None,
        index: str | VectorStore | None = None,
        entry_depth: int | None = None,
        on_paper: OnIndexed | None = None,
    ) -> int:
        """Build the index anew from the stored papers; searches use the old one until it is complete.

        A rebuild that was interrupted is gone on with. If only the place of the index changes, the vectors are
        taken along.

        Args:
            embedder: Use another embedder from now on; by default the corpus's own.
            index: Keep the vectors there from now on, as for `open`; by default where they are.
            entry_depth: Give sections down to this level entries from now on; by default as it is.
            on_paper: Called with ``doc_id``, ordinal and total before each paper.

        Returns:
            The number of papers indexed.
        """
        state = self._state
        chosen = state.embedder() if embedder is None else resolve_embedder(embedder, offline=state.offline)
        with locked(self._state) as manifest:
            place = self._state.place
            store = place.store(manifest) if index is None else place.find(index)
            planned = at_depth(manifest, entry_depth)
            return rebuild(self._state, planned, chosen, store, on_paper=on_paper)

    def list(self) -> tuple[Record, ...]:
        """List the documents.

        Returns:
            Their records, sorted by ``doc_id``.
        """
        return self._state.store.records()

    def stats(self) -> LibraryStats:
        """Describe the corpus in four numbers.

        Returns:
            Documents, first and last year, journals.
        """
        return self._reader.stats()

    def search(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """Find papers (§3.4): vectors and BM25 over compact entries, gated and fused. ``"*"`` lists.

        Args:
            query: What is looked for.
            top_k: Most results to return; the gates may leave fewer.
            offset: Results to skip.
            filters: Restrictions applied before ranking.

        Returns:
            Papers, best first, with the sections that match.
        """
        return self._reader.search(query, top_k=top_k, offset=offset, filters=filters)

    def within(self, doc_id: str, query: str, *, top_k: int = 5) -> tuple[SectionHit, ...]:
        """Find sections of one paper.

        Args:
            doc_id: The paper.
            query: What is looked for.
            top_k: Most sections to return.

        Returns:
            Sections, best first.
        """
        return self._reader.within(doc_id, query, top_k=top_k)

    def record(self, doc_id: str) -> Record:
        """Look up a document.

        Args:
            doc_id: The document.

        Returns:
            Its record.
        """
        return self._reader.record(doc_id)

    def tree(self, doc_id: str) -> SectionTree:
        """Open a paper's section tree.

        Args:
            doc_id: The paper.

        Returns:
            The tree.
        """
        return self._reader.tree(doc_id)

    def pages(self, doc_id: str, pages: str | int | Iterable[int] | None = None) -> tuple[Page, ...]:
        """Read pages.

        Args:
            doc_id: The paper.
            pages: ``"3-5,9"``, a number, or numbers, counted from 1; all by default.

        Returns:
            The pages, each once, in page order.
        """
        store = self._state.store
        return store.consistent(doc_id, lambda record: read_pages(store, record, pages))

    def figures(self, doc_id: str) -> tuple[Figure, ...]:
        """List a paper's figures.

        Args:
            doc_id: The paper.

        Returns:
            Figures in page order.
        """
        return self._reader.figures(doc_id)

    def figure(self, doc_id: str, name: str) -> bytes:
        """Read a figure.

        Args:
            doc_id: The paper.
            name: Its recorded name.

        Returns:
            The encoded image.
        """
        return self._reader.figure_bytes(doc_id, name)

    def report(self, doc_id: str) -> dict[str, Any]:
        """What happened when a paper was read: pages, headings, rates, seconds by stage, warnings.

        Args:
            doc_id: The paper.

        Returns:
            Plain JSON.
        """
        return self._state.store.report(doc_id)

    async def asearch(
        self, query: str, *, top_k: int = 10, offset: int = 0, filters: Filters = NO_FILTERS
    ) -> SearchResult:
        """`search` without blocking the event loop.

        Args:
            query: What is looked for.
            top_k: Most results to return.
            offset: Results to skip.
            filters: Restrictions applied before ranking.

        Returns:
            As `search`.
        """
        return await in_thread(lambda _: self.search(query, top_k=top_k, offset=offset, filters=filters))
