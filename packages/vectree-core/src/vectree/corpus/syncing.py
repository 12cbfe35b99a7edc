"""Bringing a corpus up to a folder: what is new is added, what changed replaced, what left it removed.

A document leaves only when the last of its sources does, and a source counts as gone only when its file is:
a file that cannot be read now, a folder that cannot be opened, a file of a kind that is passed over keep
their documents. Files are added before anything is removed, so that one that was moved or renamed stays the
document it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from vectree.corpus.add_settings import AddSettings
from vectree.corpus.adding import add_files, look_for, with_search, writing
from vectree.corpus.catalogue import Catalogue
from vectree.corpus.reports import AddReport, DocumentSource, FailedSource, SyncReport
from vectree.corpus.session import WriteSession
from vectree.corpus.sources import PART_MARK, Sources
from vectree.corpus.state import CorpusState
from vectree.document import Record
from vectree.errors import CorpusNotFound, UsageError
from vectree.ingest.parse import Parser
from vectree.ingest.parsers.choose import resolve_parser
from vectree.store.identity import file_sha256


def sync_folder(
    state: CorpusState,
    folder: str | os.PathLike[str],
    settings: AddSettings,
    *,
    dry_run: bool = False,
    allow_empty: bool = False,
    parser: Parser | None = None,
) -> SyncReport:
    """Make the documents that came from a folder those that are in it now.

    Args:
        state: The open corpus, which is made if there is none.
        folder: The folder; documents from elsewhere are left alone.
        settings: How files are added.
        dry_run: Only say what would be done.
        allow_empty: Also remove everything if the folder holds no file that can be added.
        parser: Reads new files; by default the one that ``settings`` names.

    Returns:
        What was done.

    Raises:
        UsageError: If it is no folder, or holds nothing while the corpus has documents from it.
    """
    if Path(folder).is_file():
        raise UsageError(f"{str(folder)!r} is a file.", hint="Name a folder, or add the file.")
    chosen = parser or resolve_parser(settings.parser)
    labels, sources = look_for(state, [folder])
    gone = _Gone(sources)
    leaving = gone.of(_records(state))
    if leaving and not sources.files and not allow_empty:
        raise UsageError(
            f"{str(folder)!r} holds nothing that can be added, but {len(leaving)} documents came from it; "
            "nothing was removed.",
            hint="If it is meant to be empty, allow that (--allow-empty); else check that it is mounted.",
        )
    if dry_run:
        return _foreseen(sources, _records(state), gone)
    if not sources.files and not leaving:
        return _as_sync(with_search(AddReport(), sources))
    with writing(state, labels) as session:
        report = add_files(session, sources.files, settings, parser=chosen)
        removed = () if settings.cancelled() else _remove(session, gone)
    return replace(_as_sync(with_search(report, sources)), removed=removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaving:
    """A document and the sources that do not lead to it any more."""

    record: Record
    gone: tuple[str, ...]

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(source for source in self.record.sources if source not in self.gone)


class _Gone:
    """Tells which sources left the folder.

    Args:
        sources: What the folder holds now.
    """

    def __init__(self, sources: Sources) -> None:
        self._here = {file.source for file in sources.files} | {failure.source for failure in sources.failed}
        self._containers = sources.containers
        self._folders = sorted(sources.folders, key=lambda item: len(item[1]), reverse=True)

    def of(self, records: Iterable[Record]) -> tuple[_Leaving, ...]:
        """The documents that lose sources."""
        leaving = (
            _Leaving(record=record, gone=tuple(source for source in record.sources if self._is_gone(source)))
            for record in records
        )
        return tuple(each for each in leaving if each.gone)

    def _is_gone(self, source: str) -> bool:
        if source in self._here:
            return False
        place = next(((path, start) for path, start in self._folders if source.startswith(start)), None)
        if place is None:
            return False
        folder, start = place
        rest = source.removeprefix(start)
        cuts = [at for at, char in enumerate(rest) if char == PART_MARK]
        if any(start + rest[:at] in self._containers for at in cuts):
            return True  # the file is here and complete, but no longer holds this document
        return not any(_may_exist(folder / rest[:at]) for at in (*cuts, len(rest)) if at)


def _may_exist(path: Path) -> bool:
    """Whether a file is there, or cannot be seen for another reason than that it is not."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True


def _records(state: CorpusState) -> tuple[Record, ...]:
    try:
        return state.store.records()
    except CorpusNotFound:
        return ()


def _remove(session: WriteSession, gone: _Gone) -> tuple[DocumentSource, ...]:
    removed: list[DocumentSource] = []
    for each in gone.of(tuple(session.catalogue)):
        if each.left:
            session.set_sources(each.record, each.left)
        else:
            removed.append(DocumentSource(doc_id=each.record.doc_id, source=each.record.source))
    session.remove([item.doc_id for item in removed])
    return tuple(removed)


def _foreseen(sources: Sources, records: Sequence[Record], gone: _Gone) -> SyncReport:
    """What would be done, as far as it can be told without reading the papers."""
    catalogue = Catalogue(records)
    added: list[DocumentSource] = []
    replaced: list[DocumentSource] = []
    unchanged: list[DocumentSource] = []
    failed: list[FailedSource] = []
    for file in sources.files:
        try:
            sha256 = file.part.sha256 if file.part is not None else file_sha256(file.path)
        except OSError as error:
            reason = f"It cannot be read: {error.strerror or error}."
            failed.append(FailedSource(source=file.source, reason=reason))
            continue
        known, former = catalogue.with_hash(sha256), catalogue.with_source(file.source)
        if known is not None:
            unchanged.append(DocumentSource(doc_id=known.doc_id, source=file.source))
        elif former is not None and former.sources == (file.source,):
            replaced.append(DocumentSource(doc_id=former.doc_id, source=file.source))
        else:
            added.append(DocumentSource(doc_id="", source=file.source))
    staying = {item.doc_id for item in unchanged}
    report = SyncReport(
        added=tuple(added),
        replaced=tuple(replaced),
        unchanged=tuple(unchanged),
        failed=(*sources.failed, *failed),
        warnings=sources.warnings,
        removed=tuple(
            DocumentSource(doc_id=each.record.doc_id, source=each.record.source)
            for each in gone.of(records)
            if not each.left and each.record.doc_id not in staying
        ),
        dry_run=True,
    )
    return report


def _as_sync(report: AddReport) -> SyncReport:
    return SyncReport(**{field.name: getattr(report, field.name) for field in fields(AddReport)})
