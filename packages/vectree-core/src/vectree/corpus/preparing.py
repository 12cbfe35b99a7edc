"""Reading papers side by side: a few threads, each driving one reading process, results in order."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue

from vectree.corpus.sources import SourceFile
from vectree.document import DocumentStatus, Metadata, SectionTree
from vectree.errors import ParseError, VecTreeError
from vectree.ingest.parse import Parser
from vectree.ingest.pipeline import Ingested, IngestSettings, ingest
from vectree.store.writer import PaperWriter, StagedPaper

log = logging.getLogger(__name__)

_TICK = 0.1
"""Seconds between two signs of life while a paper is being read."""

_AHEAD = 2
"""Papers read ahead of the one whose turn it is, beside those in the threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Bytes to read.

    Attributes:
        file: The first file that holds them.
        sha256: Their hash.
        copies: Sources of other files with the same bytes.
        read: Reads them in a way of its own, called as ``ingest`` is; ``None`` for the usual one.
    """

    file: SourceFile
    sha256: str
    copies: tuple[str, ...] = ()
    read: Callable[..., Ingested] | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """Every source of these bytes."""
        return (self.file.source, *self.copies)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedPaper:
    """A paper that was read, staged on disk and not yet visible.

    Attributes:
        staged: Its pages, tree, figures and report.
        tree: Its section tree.
        metadata: Its bibliographic data.
        total_pages: Number of physical pages.
        status: Whether its text can be used.
        supplement: Whether it is supplementary material of another paper.
        warnings: Sentences for the reader.
    """

    staged: StagedPaper
    tree: SectionTree
    metadata: Metadata
    total_pages: int
    status: DocumentStatus
    supplement: bool
    warnings: tuple[str, ...]


class Preparing:
    """Reads papers in threads.

    Args:
        writer: Gives each paper a place to be staged.
        parser: Reads the files.
        settings: How they are read.
        workers: Papers read at the same time.
        on_stage: Called in the caller's thread with a source and the stage it has reached.
    """

    def __init__(
        self,
        writer: PaperWriter,
        *,
        parser: Parser,
        settings: IngestSettings,
        workers: int,
        on_stage: Callable[[str, str], None],
    ) -> None:
        self._writer = writer
        self._parser = parser
        self._settings = settings
        self._workers = workers
        self._on_stage = on_stage
        self._stages: SimpleQueue[tuple[str, str]] = SimpleQueue()

    def run(self, jobs: Sequence[Job]) -> Generator[tuple[Job, PreparedPaper | str]]:
        """Read papers; close the iterator to stop early.

        Args:
            jobs: What to read.

        Yields:
            tuple[Job, PreparedPaper | str]: Each job in order, with its paper or the reason why there is
                none. A paper that is not taken is discarded.
        """
        coming = iter(jobs)
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="vectree-read")
        waiting: deque[tuple[Job, Future[PreparedPaper | str]]] = deque()
        try:
            while True:
                free = self._workers + _AHEAD - len(waiting)
                waiting.extend((job, pool.submit(self._prepare, job)) for job in islice(coming, free))
                if not waiting:
                    return
                job, future = waiting[0]
                self._await(future)
                waiting.popleft()
                yield job, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
            pool.shutdown(wait=True)
            for _, future in waiting:
                _discard(future)

    def _await(self, future: Future[PreparedPaper | str]) -> None:
        while not future.done():
            wait([future], timeout=_TICK)
            self._tell()
        self._tell()

    def _tell(self) -> None:
        while True:
            try:
                source, stage = self._stages.get_nowait()
            except Empty:
                return
            self._on_stage(source, stage)

    def _prepare(self, job: Job) -> PreparedPaper | str:
        try:
            return self._read(job)
        except VecTreeError as error:
            return str(error)
        except OSError as error:
            return f"Reading or storing it failed: {error.strerror or error}."
        except Exception as error:
            # One paper must not cost the others, whatever is wrong with it or with us.
            log.exception("reading %s failed unexpectedly", job.file.source)
            return f"It could not be read: {type(error).__name__}: {error}."

    def _read(self, job: Job) -> PreparedPaper:
        path, source = job.file.path, job.file.source
        before = path.stat()
        staged = self._writer.stage()

        def tell(stage: str) -> None:
            self._stages.put((source, stage))

        try:
            found = (job.read or ingest)(
                path,
                parser=self._parser if job.file.part is None else job.file.part.parser,
                figures=staged.figures,
                settings=self._settings,
                on_stage=tell,
            )
            staged.fill(pages=found.pages, tree=found.tree, figures=found.figures, report=found.report)
            after = path.stat()
            if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
                raise ParseError("The file changed while it was read.", hint="Add it again.")
        except BaseException:
            staged.discard()
            raise
        return PreparedPaper(
            staged=staged,
            tree=found.tree,
            metadata=found.metadata,
            total_pages=len(found.pages),
            status=found.status,
            supplement=found.supplement,
            warnings=found.warnings,
        )


def _discard(future: Future[PreparedPaper | str]) -> None:
    if not future.cancelled() and future.exception() is None:
        paper = future.result()
        if isinstance(paper, PreparedPaper):
            paper.staged.discard()
