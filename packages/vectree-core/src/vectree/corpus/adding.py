"""Adding files: hash first, read only what is new, commit paper by paper in the order of the files."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

from vectree.corpus.add_settings import AddSettings
from vectree.corpus.ingest_settings import ingest_settings
from vectree.corpus.labels import Labels
from vectree.corpus.ownership import Ownership
from vectree.corpus.preparing import Job, PreparedPaper, Preparing
from vectree.corpus.reports import (
    AddEvent,
    AddReport,
    DocumentSource,
    FailedSource,
    Outcome,
)
from vectree.corpus.session import WriteSession, locked
from vectree.corpus.sources import SourceFile, Sources, check_paths, find_sources
from vectree.corpus.state import CorpusState
from vectree.document import Record
from vectree.errors import CorpusNotFound
from vectree.ingest.parse import Parser
from vectree.ingest.parsers.choose import resolve_parser
from vectree.ingest.parsers.formats import READABLE
from vectree.ingest.supplements import find_related, undecided
from vectree.store.identity import file_sha256, make_doc_id
from vectree.store.manifest import write_manifest

NOTHING_FOUND = f"Nothing was found that can be added: {READABLE}."


def add_paths(
    state: CorpusState,
    paths: Iterable[str | os.PathLike[str]],
    settings: AddSettings,
    *,
    parser: Parser | None = None,
) -> AddReport:
    """Add files and folders to a corpus, which is made if there is none.

    Args:
        state: The open corpus.
        paths: Files, and folders that are searched at any depth.
        settings: How.
        parser: Reads new files; by default the one that ``settings`` names.

    Returns:
        What became of every file.
    """
    chosen = parser or resolve_parser(settings.parser)
    labels, sources = look_for(state, paths)
    if not sources.files:
        nothing = () if sources.failed or sources.warnings else (NOTHING_FOUND,)
        return AddReport(failed=sources.failed, warnings=(*sources.warnings, *nothing))
    with writing(state, labels) as session:
        report = add_files(session, sources.files, settings, parser=chosen)
    return with_search(report, sources)


def look_for(state: CorpusState, paths: Iterable[str | os.PathLike[str]]) -> tuple[Labels, Sources]:
    """Find what paths stand for; nothing is changed.

    Args:
        state: The corpus, which need not exist.
        paths: Files and folders.

    Returns:
        The labels, with new ones for new folders, and the sources.
    """
    existing = check_paths(paths)
    try:
        known = state.manifest().folders
    except CorpusNotFound:
        known = {}
    labels = Labels(state.root, known)
    return labels, find_sources(existing, labels=labels, corpus=state.root)


@contextmanager
def writing(state: CorpusState, labels: Labels) -> Generator[WriteSession]:
    """Hold the lock of a corpus, which is made if there is none, with the index brought up to the store.

    Args:
        state: The corpus.
        labels: Labels to keep.

    Yields:
        WriteSession: What a writer may do.
    """
    with locked(state, create=True) as manifest:
        session = WriteSession(state)
        session.repair()
        if labels.marks != manifest.folders:
            write_manifest(state.root, replace(manifest, folders=labels.marks))
        yield session


def with_search(report: AddReport, sources: Sources) -> AddReport:
    """Add to a report what the search for files had to say.

    Args:
        report: What became of the files.
        sources: What was found.

    Returns:
        Both.
    """
    return replace(
        report,
        failed=(*sources.failed, *report.failed),
        warnings=(*sources.warnings, *report.warnings),
    )


def add_files(
    session: WriteSession, files: Sequence[SourceFile], settings: AddSettings, *, parser: Parser
) -> AddReport:
    """Add files to a corpus.

    Bytes that the corpus has are not read again; a source that is new for them is noted. New bytes behind a
    known source replace the document that was there, unless it has other sources, which then keep it.

    Args:
        session: The session of the writer.
        files: What to add.
        settings: How.
        parser: Reads new files.

    Returns:
        What became of every file.
    """
    run = Adding(session, settings, parser, total=len(files))
    jobs = run.settle_known(files)
    run.read_new(jobs)
    return run.report([file.source for file in files])


class Adding:
    """One run of a writer over files.

    Args:
        session: The session of the writer.
        settings: How files are added.
        parser: Reads new files.
        total: Number of sources, for signs of life.
    """

    def __init__(self, session: WriteSession, settings: AddSettings, parser: Parser, *, total: int) -> None:
        self._session = session
        self._ownership = Ownership(session)
        self._parser = parser
        self._settings = settings
        self._total = total
        self._outcomes: dict[str, tuple[Outcome, str]] = {}
        self._warnings: list[str] = []
        self._model_loaded = False

    def settle_known(self, files: Sequence[SourceFile]) -> list[Job]:
        """Hash the files, note new sources of known bytes, and return the jobs that remain."""
        catalogue = self._session.catalogue
        jobs: dict[str, Job] = {}
        claimed: dict[str, list[str]] = {}
        for file in files:
            sha256 = self._hash(file)
            if sha256 is None:
                continue
            known = catalogue.with_hash(sha256)
            if known is not None:
                claimed.setdefault(known.doc_id, []).append(file.source)
            if known is not None and not self._settings.reread:
                self._finish(file.source, Outcome.UNCHANGED, known.doc_id)
            elif sha256 in jobs:
                jobs[sha256] = replace(jobs[sha256], copies=(*jobs[sha256].copies, file.source))
            else:
                jobs[sha256] = Job(file=file, sha256=sha256)
        self._ownership.claim(claimed)
        return list(jobs.values())

    def read_new(self, jobs: Sequence[Job]) -> None:
        """Read and commit, paper by paper."""
        if not jobs or self._settings.cancelled():
            return
        preparing = Preparing(
            self._session.writer,
            parser=self._parser,
            settings=ingest_settings(self._session.state.root, self._settings),
            workers=min(self._settings.workers, len(jobs)),
            on_stage=self._tell,
        )
        with closing(preparing.run(jobs)) as papers:
            for job, paper in papers:
                if isinstance(paper, str):
                    self._fail(job, paper)
                else:
                    self._take(job, paper)
                if self._settings.cancelled():
                    return

    def report(self, sources: Sequence[str]) -> AddReport:
        """What became of the sources, in their order."""

        def documents(wanted: Outcome) -> tuple[DocumentSource, ...]:
            return tuple(
                DocumentSource(doc_id=doc_id, source=source)
                for source in sources
                for outcome, doc_id in [self._outcomes.get(source, (None, ""))]
                if outcome is wanted
            )

        failed = documents(Outcome.FAILED)
        return AddReport(
            added=documents(Outcome.ADDED),
            replaced=documents(Outcome.REPLACED),
            unchanged=documents(Outcome.UNCHANGED),
            failed=tuple(FailedSource(source=item.source, reason=item.doc_id) for item in failed),
            warnings=(*self._warnings, *map(_removed, self._ownership.removed)),
        )

    def _hash(self, file: SourceFile) -> str | None:
        self._tell(file.source, "hash")
        if file.part is not None:
            return file.part.sha256
        try:
            return file_sha256(file.path)
        except OSError as error:
            self._finish(file.source, Outcome.FAILED, f"It cannot be read: {error.strerror or error}.")
            return None

    def _take(self, job: Job, paper: PreparedPaper) -> None:
        try:
            if not self._model_loaded:
                # A model that cannot be loaded is found out before anything is stored; the others read on.
                self._session.current.embedder.embed_query("electrolyte")
                self._model_loaded = True
            self._commit(job, paper)
        finally:
            paper.staged.discard()

    def _commit(self, job: Job, paper: PreparedPaper) -> None:
        former = self._session.catalogue.with_hash(job.sha256) or self._ownership.replaced_by(job.sources)
        record = self._record(job, paper, former)
        self._ownership.release(job.sources, to=record.doc_id)
        self._tell(job.file.source, "index")
        self._session.publish(paper.staged, record, paper.tree)
        self._warnings.extend(
            f"{job.file.source}: {warning}" for warning in (*paper.warnings, *self._doubts(paper, record))
        )
        outcome = Outcome.ADDED if former is None else Outcome.REPLACED
        self._finish(job.file.source, outcome, record.doc_id)
        for source in job.copies:
            self._finish(source, Outcome.UNCHANGED, record.doc_id)

    def _record(self, job: Job, paper: PreparedPaper, former: Record | None) -> Record:
        kin = self._session.catalogue.kin(paper.metadata, job.file.source)
        others = [record for record in kin if record is not former]
        doc_id = former.doc_id if former else make_doc_id(paper.metadata, job.sha256, self._session.catalogue)
        return Record(
            doc_id=doc_id,
            sha256=job.sha256,
            sources=former.sources if former and former.sha256 == job.sha256 else job.sources,
            total_pages=paper.total_pages,
            status=paper.status,
            metadata=paper.metadata,
            related=find_related(paper.supplement, paper.metadata, job.file.source, others),
        )

    def _doubts(self, paper: PreparedPaper, record: Record) -> tuple[str, ...]:
        known = map(self._session.catalogue.get, record.related)
        related = [other for other in known if other is not None]
        unclear = undecided(paper.supplement, paper.metadata, related)
        if not unclear:
            return ()
        return (f"It has the title and DOI of {', '.join(unclear)}; which is the supplement is not clear.",)

    def _fail(self, job: Job, reason: str) -> None:
        for source in job.sources:
            self._finish(source, Outcome.FAILED, reason)

    def _finish(self, source: str, outcome: Outcome, detail: str) -> None:
        """Note what became of a source; ``detail`` is its ``doc_id``, or why it failed."""
        self._outcomes[source] = (outcome, detail)
        self._tell(source, "done", outcome, detail if outcome is Outcome.FAILED else "")

    def _tell(self, source: str, stage: str, outcome: Outcome | None = None, reason: str = "") -> None:
        if self._settings.on_progress is not None:
            self._settings.on_progress(
                AddEvent(
                    source=source,
                    stage=stage,
                    done=len(self._outcomes),
                    total=self._total,
                    outcome=outcome,
                    reason=reason,
                )
            )


def _removed(record: Record) -> str:
    return (
        f"{record.doc_id} was removed: {record.source} now holds the bytes of another document of the corpus."
    )
