"""What adding papers reports: while it runs, and at its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSource:
    """A document, and the source it was found behind.

    Attributes:
        doc_id: The document.
        source: Label of a folder and the path below it, e.g. ``"papers/2024/ghaffari.pdf"``.
    """

    doc_id: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedSource:
    """A source that could not be read; it is tried again the next time.

    Attributes:
        source: As in ``DocumentSource``.
        reason: What went wrong and what to do, in a sentence or two.
    """

    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddReport:
    """What became of every source, each list in the order of the sources.

    Attributes:
        added: New documents.
        replaced: Documents whose source holds new bytes; they keep their ``doc_id``.
        unchanged: Sources whose bytes are in the corpus already, under this or another name.
        failed: Sources that could not be read. They cost nothing but themselves.
        warnings: Sentences worth reading, e.g. which documents need OCR.
    """

    added: tuple[DocumentSource, ...] = ()
    replaced: tuple[DocumentSource, ...] = ()
    unchanged: tuple[DocumentSource, ...] = ()
    failed: tuple[FailedSource, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport(AddReport):
    """What bringing a corpus up to a folder did, or would do.

    Attributes:
        removed: Documents that went because the last of their sources left the folder, with that source.
        dry_run: Whether nothing was changed. Then new documents have no ``doc_id`` yet (it is empty), and
            files that cannot be read are not known.
    """

    removed: tuple[DocumentSource, ...] = ()
    dry_run: bool = False


class Outcome(StrEnum):
    """What became of a source."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEvent:
    """A sign of life.

    Attributes:
        source: What is being worked on.
        stage: ``"hash"``, a stage of reading such as ``"parse"``, ``"index"``, or ``"done"``.
        done: Sources that are finished.
        total: Sources in all.
        outcome: What became of it, once ``stage`` is ``"done"``.
        reason: Why it failed, if it did.
    """

    source: str
    stage: str
    done: int
    total: int
    outcome: Outcome | None = None
    reason: str = ""


OnProgress = Callable[[AddEvent], None]
"""Called in the thread that called ``add``; what it raises ends the run, and what is finished is kept."""
