"""From how files are added to how each of them is read: the model behind its limits, Crossref, the caches."""

from __future__ import annotations

from pathlib import Path

from vectree.corpus.add_settings import AddSettings
from vectree.ingest.bibliography_source import BibliographySource
from vectree.ingest.crossref import CachedAnswers, Crossref
from vectree.ingest.model.reading import Structure
from vectree.ingest.pipeline import IngestSettings
from vectree.llm.throttle import CONCURRENCY, ThrottledModel
from vectree.store.layout import CACHE

REPLIES = "replies"
CROSSREF = "crossref"


def ingest_settings(root: Path, settings: AddSettings) -> IngestSettings:
    """Say how a document is read.

    Args:
        root: The corpus folder.
        settings: How files are added.

    Returns:
        Settings for all documents of one run: they share the bound on requests under way.
    """
    model = settings.model
    return IngestSettings(
        use_bookmarks=settings.use_bookmarks,
        password=settings.password,
        structure=Structure(settings.structure),
        paper_exact=settings.paper_exact,
        model=ThrottledModel(model, concurrency=CONCURRENCY) if model is not None else None,
        replies=replies_folder(root),
        bibliography=bibliography_source(root, offline=settings.offline),
    )


def replies_folder(root: Path) -> Path:
    """Where a model's replies are kept.

    Args:
        root: The corpus folder.

    Returns:
        A folder that may be deleted at any time; it need not exist.
    """
    return root / CACHE / REPLIES


def bibliography_source(root: Path, *, offline: bool) -> BibliographySource:
    """The service that bibliographic data are looked up at.

    Args:
        root: The corpus folder.
        offline: Whether only earlier answers may be used.

    Returns:
        Crossref, or what it answered before.
    """
    folder = root / CACHE / CROSSREF
    return CachedAnswers(folder) if offline else Crossref(folder)
