"""Bibliographic fields by rules, each with the place it came from (§3.2, first step of the metadata)."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.document import Metadata
from vectree.ingest.authors import find_authors, info_authors, same_surname
from vectree.ingest.doi import own_doi
from vectree.ingest.front import Row, body_size, front_rows
from vectree.ingest.imprint import find_imprint
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.supplements import stated_label
from vectree.ingest.titles import find_title, joined, title_again, title_from_name, usable_info_title
from vectree.normal import one_line

RULES = "rules"
FILE = "file"
FILE_NAME = "file name"

_MAX_TITLE = 500


def find_bibliography(document: ParsedDocument, source: str) -> Metadata:
    """Read title, authors, year, journal, volume, pages and DOI.

    Args:
        document: A parsed document.
        source: Name of the source file, for a title of last resort.

    Returns:
        Metadata with the origin of every field that has a value; description and keywords stay empty.
    """
    rows = front_rows(document)
    title, title_rows, title_origin = _title(document, rows, source)
    authors, authors_origin = _authors(document, rows, title_rows)
    imprint = find_imprint(document)
    doi = own_doi(document)
    fields = {
        "title": (title, title_origin),
        "authors": (authors, authors_origin),
        "year": (imprint.year, imprint.year_source),
        "journal": (imprint.journal, RULES),
        "volume": (imprint.volume, RULES),
        "article_pages": (imprint.pages, RULES),
        "doi": doi or (None, ""),
    }
    return Metadata(
        title=title,
        authors=authors,
        year=imprint.year,
        journal=imprint.journal,
        volume=imprint.volume,
        article_pages=imprint.pages,
        doi=doi[0] if doi else None,
        provenance={name: origin for name, (value, origin) in fields.items() if value},
    )


def _title(document: ParsedDocument, rows: Sequence[Row], source: str) -> tuple[str, list[Row], str]:
    info_title = one_line(document.info.get("title", ""))
    title, title_rows = find_title(rows, body_size(document), info_title)
    if title:
        above = [row for row in rows if row.page == title_rows[0].page and row.top < title_rows[0].top]
        if label := stated_label(above):  # two documents of one title would look like one
            title = f"{label.rstrip(' .:')}: {title}"
        return title[:_MAX_TITLE], title_rows, RULES
    if usable_info_title(info_title):
        return info_title[:_MAX_TITLE], [], FILE
    return title_from_name(source), [], FILE_NAME


def _authors(
    document: ParsedDocument, rows: Sequence[Row], title_rows: Sequence[Row]
) -> tuple[tuple[str, ...], str]:
    """Printed names; the file's own list where it begins alike and is longer, or where none are printed."""
    printed = find_authors(rows, title_rows) if title_rows else ()
    if not printed and title_rows:
        again = title_again(rows, joined(title_rows), page=title_rows[0].page + 1)
        printed = find_authors(rows, again) if again else ()
    claimed = info_authors(document.info.get("author", ""))
    if claimed and (not printed or (len(claimed) > len(printed) and same_surname(printed[0], claimed[0]))):
        return claimed, FILE
    return printed, RULES
