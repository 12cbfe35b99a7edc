"""The seam to a bibliographic service, and when what it says is believed (C08, C09)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, runtime_checkable

from vectree.document import Metadata, Page
from vectree.ingest.bibliography_merge import CROSSREF, merge_fields
from vectree.ingest.titles import agrees
from vectree.normal import match_key, name_key

_FRONT_PAGES = 2
_LONG_TITLE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A work as a service knows it; plain text without markup.

    Attributes:
        doi: Lower case.
        title: With its subtitle.
        authors: Given name before surname.
        surnames: Of the same people.
        year: Of the first publication.
        journal: Full name.
        volume: As printed.
        article_pages: Page range or article number.
    """

    doi: str
    title: str
    authors: tuple[str, ...] = ()
    surnames: tuple[str, ...] = ()
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    article_pages: str | None = None


class LookUpStatus(StrEnum):
    """How a look-up ended.

    ``VERIFIED``: a record agrees with the document. ``UNVERIFIED``: records were found, and none agrees.
    ``NOT_FOUND``: the service has none. ``UNAVAILABLE``: it could not be asked; a later refresh may.
    ``OFFLINE``: it was not asked.
    """

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    NOT_FOUND = "not_found"
    UNAVAILABLE = "unavailable"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """The outcome of a look-up.

    Attributes:
        status: How it ended.
        work: The record, if one agrees.
        detail: Why there is none, or what was rejected; one line for the report.
    """

    status: LookUpStatus
    work: Work | None = None
    detail: str = ""


@runtime_checkable
class BibliographySource(Protocol):
    """A bibliographic service. Safe to use from several threads; never raises for what a service does."""

    def find(self, metadata: Metadata, front: str) -> LookUp:
        """Look a document up.

        Args:
            metadata: What is known of it.
            front: Text of its first pages, to compare records with.

        Returns:
            The record that agrees, or why there is none.
        """
        ...


NOT_ASKED = LookUp(status=LookUpStatus.OFFLINE)


def front_text(pages: Sequence[Page]) -> str:
    """The text that records are compared with.

    Args:
        pages: Pages of a document; only the first ones count.

    Returns:
        Their raw text, which has what stands in heads and feet.
    """
    return "\n".join(f"{page.raw}\n{page.text}" for page in pages[:_FRONT_PAGES])


def same_work(metadata: Metadata, front: str, work: Work, *, by_doi: bool) -> bool:
    """Whether a record is this document's.

    Titles must agree and an author must be shared. The record of a DOI that is printed in the document may
    have its title a little differently; a record found by a search may not, since near neighbours abound.

    Args:
        metadata: What is known of the document.
        front: Text of its first pages.
        work: The record.
        by_doi: Whether it was looked up by the document's DOI.

    Returns:
        Whether to believe it.
    """
    return _titles_agree(metadata.title, front, work.title, by_doi=by_doi) and _author_shared(
        metadata.authors, front, work
    )


def apply_work(metadata: Metadata, look_up: LookUp) -> Metadata:
    """Take over what a look-up found.

    Args:
        metadata: What is known.
        look_up: The outcome.

    Returns:
        The metadata with the record's fields under the order of trust; the same without a record.
    """
    work = look_up.work
    if work is None or look_up.status is not LookUpStatus.VERIFIED:
        return metadata
    if metadata.doi is not None and work.doi != metadata.doi:
        work = replace(
            work, doi=metadata.doi
        )  # a preprint and its article; the printed one is the document's
    values = {
        "title": work.title,
        "authors": list(work.authors),
        "year": work.year,
        "journal": work.journal,
        "volume": work.volume,
        "article_pages": work.article_pages,
        "doi": work.doi,
    }
    return merge_fields(metadata, values, CROSSREF)


def _titles_agree(title: str, front: str, claimed: str, *, by_doi: bool) -> bool:
    printed, wanted, page = match_key(title), match_key(claimed), match_key(front)
    if not wanted:
        return False
    if printed == wanted:
        return True
    if by_doi:
        return agrees(title, claimed) or (len(wanted) >= _LONG_TITLE and wanted in page)
    shorter, longer = sorted((printed, wanted), key=len)
    return len(shorter) >= _LONG_TITLE and longer.startswith(shorter)


def _author_shared(authors: Sequence[str], front: str, work: Work) -> bool:
    wanted = {name_key(name) for name in work.surnames if name_key(name)}
    if not wanted:
        return False
    words = name_key(" \n ".join(authors) if authors else front)
    padded = f" {words} "
    return any(f" {name} " in padded for name in wanted)
