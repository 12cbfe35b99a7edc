"""The facade: a library of papers in a folder."""

from vectree.corpus.facade import Corpus
from vectree.corpus.reports import (
    AddEvent,
    AddReport,
    DocumentSource,
    FailedSource,
    OnProgress,
    Outcome,
    SyncReport,
)

__all__ = [
    "AddEvent",
    "AddReport",
    "Corpus",
    "DocumentSource",
    "FailedSource",
    "OnProgress",
    "Outcome",
    "SyncReport",
]
