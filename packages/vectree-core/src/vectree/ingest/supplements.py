"""Supplements: known by what they say or how they are called, and linked with their papers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from vectree.document import Metadata, Record
from vectree.ingest.front import Row, front_rows
from vectree.ingest.parse import ParsedDocument
from vectree.normal import match_key, name_key

_MARK = (
    r"(?:si|s\d{1,2}|sm|esm|som|supp?|suppl|supplement(?:ary|al)?|supporting|appendix|moesm\d*|mmc\d*|additional)"
    r"(?:[-_ .]?(?:information|info|material|materials|methods|data|text|file|files|doc|pdf))?[-_ .]?\d{0,2}"
)
_NAME = re.compile(rf"(?:^|[-_ .(]){_MARK}\)?$", re.IGNORECASE)
_NAME_START = re.compile(r"^(?:supp?|suppl|supplement(?:ary|al)?|supporting)(?:[-_ .]|$)", re.IGNORECASE)
_WORDS = (
    r"(?:(?:electronic |online )?(?:supplement(?:ary|al)|supporting)\s+(?:information|materials?|methods?"
    r"|data|text|notes?|figures?|tables?|online material|appendix|file)s?|supplement|online appendix)"
)
_STATED = re.compile(rf"^\W*{_WORDS}\b(?:\s*(?:for|to|of|accompanying|[:–—-])|\W*$)", re.IGNORECASE)
_FIRST_FIGURE = re.compile(
    r"^\W*(?:supplement(?:ary|al)\s+)?(?:fig(?:ure|\.)?|table)\s*S\s?\d", re.IGNORECASE
)
_FOR_TITLE = re.compile(
    rf"^\W*{_WORDS}\s*(?:for|to|of|accompanying|[:–—-])?\s*(?:the (?:article|paper)\s*)?[:–—-]?\s*", re.I
)
_ROWS = 8
_SHORTEST_TITLE = 20


def is_supplement(document: ParsedDocument, source: str) -> bool:
    """Whether a document is the supplement of another.

    Args:
        document: A parsed document.
        source: Path or name of its file.

    Returns:
        True if its first rows say so ("Supplementary information for …", "Figure S1" as the first words), or
        its file name does (``paper_si.pdf``, ``smith2020-supplement.pdf``).
    """
    stem = _stem(source)
    if _NAME.search(stem) or _NAME_START.search(stem):
        return True
    first = [row for row in front_rows(document) if row.page == 1][:_ROWS]
    return bool(stated_label(first)) or bool(first and _FIRST_FIGURE.match(first[0].text))


def stated_label(rows: Sequence[Row]) -> str:
    """The words with which a document says that it is a supplement.

    Args:
        rows: Its first rows.

    Returns:
        A row such as "Supplementary Information for:"; empty if there is none.
    """
    return next((row.text for row in rows if len(row.text) < 160 and _STATED.match(row.text)), "")


def kin_keys(metadata: Metadata, sources: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """What a document shares with its paper or its supplements; for finding them among many.

    Args:
        metadata: Of the document.
        sources: Its paths, relative to a folder of the corpus, with forward slashes.

    Returns:
        DOI, title and bare names of files. Two documents that ``find_related`` relates have one in common.
    """
    keys: set[tuple[str, ...]] = {("file", *name) for name in map(_bare_name, sources) if name is not None}
    if metadata.doi is not None:
        keys.add(("doi", metadata.doi))
    if (title := _title_key(metadata)) is not None:
        keys.add(("title", title))
    return frozenset(keys)


def find_related(
    supplement: bool, metadata: Metadata, source: str, known: Iterable[Record]
) -> tuple[str, ...]:
    """Find the paper a supplement belongs to, or the supplements of a paper.

    Two documents belong together if they share the DOI or the title (without "Supplementary information
    for"), or if they lie in one folder under names that differ by a supplement's mark only. One of them must
    be a supplement, by its own account or by its name; two that share DOI and title are related even if
    neither says which it is.

    Args:
        supplement: Whether this document is a supplement.
        metadata: Its metadata.
        source: Its path, relative to a folder of the corpus, with forward slashes.
        known: Records of other documents, all or those with a key of ``kin_keys`` in common.

    Returns:
        Their ``doc_id``, sorted.
    """
    related: list[str] = []
    for record in known:
        marked = supplement or _looks_supplementary(record)
        same_work = _same_doi(metadata, record.metadata), _same_title(metadata, record.metadata)
        named_alike = any(_named_alike(source, other) for other in record.sources)
        if (marked and (any(same_work) or named_alike)) or all(same_work):
            related.append(record.doc_id)
    return tuple(sorted(related))


def undecided(supplement: bool, metadata: Metadata, related: Iterable[Record]) -> tuple[str, ...]:
    """Related documents of which nothing tells the paper from its supplement.

    Args:
        supplement: Whether this document is a supplement.
        metadata: Its metadata.
        related: Records that ``find_related`` named.

    Returns:
        ``doc_id`` of those that share DOI and title with this one while neither is marked; worth a warning.
    """
    if supplement or _FOR_TITLE.match(metadata.title):
        return ()
    return tuple(record.doc_id for record in related if not _looks_supplementary(record))


def _looks_supplementary(record: Record) -> bool:
    stems = [_stem(source) for source in record.sources]
    by_name = any(_NAME.search(stem) or _NAME_START.search(stem) for stem in stems)
    title = record.metadata.title
    return by_name or bool(_STATED.match(title)) or bool(_FIRST_FIGURE.match(title))


def _same_doi(one: Metadata, other: Metadata) -> bool:
    return one.doi is not None and one.doi == other.doi


def _same_title(one: Metadata, other: Metadata) -> bool:
    key = _title_key(one)
    if key is None or key != _title_key(other):
        return False
    return not (one.authors and other.authors) or _share_author(one, other)


def _title_key(metadata: Metadata) -> str | None:
    """The title without "Supplementary information for"; ``None`` if it is too short to tell works apart."""
    key = match_key(_FOR_TITLE.sub("", metadata.title))
    return key if len(key) >= _SHORTEST_TITLE else None


def _share_author(one: Metadata, other: Metadata) -> bool:
    surnames = [
        {name_key(name).split()[-1] for name in metadata.authors if name_key(name)}
        for metadata in (one, other)
    ]
    return bool(surnames[0] & surnames[1])


def _named_alike(one: str, other: str) -> bool:
    name = _bare_name(one)
    return name is not None and name == _bare_name(other)


def _bare_name(source: str) -> tuple[str, str] | None:
    """Folder and name without a supplement's mark; ``None`` if nothing else is in the name."""
    bare = _NAME.sub("", _stem(source)).casefold()
    return (str(PurePosixPath(source).parent), bare) if bare else None


def _stem(source: str) -> str:
    return PurePosixPath(source.replace("\\", "/")).stem
