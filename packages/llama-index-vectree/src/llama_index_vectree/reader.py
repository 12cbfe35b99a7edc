"""Pages of a corpus as LlamaIndex documents, to put into another index; also a reader of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from llama_index_vectree.convert.nodes import page_document
from vectree.corpus.facade import Corpus
from vectree.errors import ParseError, UsageError

PathLike = str | Path


class VecTreeReader(BaseReader):
    """Reads pages out of a corpus, one document a page, with the ids that `VecTreeRetriever` gives them.

    Given a file it adds the file to the corpus first, which costs nothing the second time, and reads the pages of
    that paper. So it also serves in ``SimpleDirectoryReader(file_extractor={".pdf": VecTreeReader(corpus)})``.

    Args:
        corpus: The corpus.
    """

    def __init__(self, corpus: Corpus) -> None:
        if not isinstance(corpus, Corpus):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may be untyped
            raise UsageError(
                f"{type(corpus).__name__!r} is no corpus.",
                hint='Pass the result of Corpus.open("papers-corpus").',
            )
        self._corpus = corpus

    def lazy_load_data(
        self,
        file: PathLike | None = None,
        extra_info: dict[str, Any] | None = None,
        *,
        doc_ids: Iterable[str] | None = None,
        **load_kwargs: Any,
    ) -> Iterator[Document]:
        """Read pages one after another; pages without text are left out.

        Args:
            file: Add this file to the corpus and read it. By default the corpus is read as it is.
            extra_info: Metadata for every document.
            doc_ids: Only these papers.
            **load_kwargs: None is known; ``fs``, another file system than the local one, is refused.

        Yields:
            Document: One a page, in page order, papers in the order asked for or by ``doc_id``.

        Raises:
            UsageError: If an argument is unknown, or both a file and papers are asked for.
        """
        if load_kwargs:
            raise UsageError(
                f"Unknown arguments {sorted(load_kwargs)}; files are read from the local disk only."
            )
        if file is not None and doc_ids is not None:
            raise UsageError("Ask for a file or for papers, not for both.")
        if file is not None:
            doc_ids = self._added(Path(file))
        wanted = [record.doc_id for record in self._corpus.list()] if doc_ids is None else list(doc_ids)
        for doc_id in wanted:
            yield from self._pages(doc_id, extra_info or {})

    def _pages(self, doc_id: str, extra: dict[str, Any]) -> Iterator[Document]:
        record, tree = self._corpus.record(doc_id), self._corpus.tree(doc_id)
        for page in self._corpus.pages(doc_id):
            if page.text.strip():
                yield page_document(record, tree, page, extra)

    def _added(self, file: Path) -> list[str]:
        report = self._corpus.add(file)
        if report.failed:
            raise ParseError(f"{file.name} cannot be read: {report.failed[0].reason}")
        return [document.doc_id for document in (*report.added, *report.replaced, *report.unchanged)]
