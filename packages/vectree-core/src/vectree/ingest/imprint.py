"""What a journal prints about itself on an article: its name, year, volume and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from vectree.ingest.front import front_bands, front_lines
from vectree.ingest.parse import ParsedDocument
from vectree.normal import one_line

EARLIEST_YEAR = 1600
"""Years before this are no years of publication."""

_MAX_LINE = 220
_DATED_PAGES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Imprint:
    """Where and when a document appeared, as far as it says so itself.

    Attributes:
        journal: Journal or venue.
        year: Year of publication.
        volume: Volume as printed.
        pages: Page range or article number as printed.
        year_source: ``"rules"`` or ``"file"``.
    """

    journal: str | None = None
    year: int | None = None
    volume: str | None = None
    pages: str | None = None
    year_source: str = "rules"


_YEAR = r"(?P<year>(?:1[6-9]|20)\d\d)"
_VOLUME = r"(?P<volume>\d{1,4}[A-Z]?)"
_PAGES = r"(?P<pages>[A-Za-z]{0,6}\d[\w.]{0,11}(?:\s?[–—-]\s?[A-Za-z]?\d{1,6})?)"
_ISSUE = r"(?:\s?\([\w–/ -]{1,12}\))?"
_ARTICLE = r"(?:[Aa]rt(?:icle|\.)\s*(?:ID|no\.?)?\s*)?"
_JOURNAL = r"(?P<journal>[A-Z][\w&:.’'\- ]{1,90}?)"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        # Nucleic Acids Research, 2024, 52, 4151–4166 · Malaria Journal 2013, 12:363
        rf"^{_JOURNAL}[.,]?\s+{_YEAR}[,;]\s*(?:[Vv]ol\.?\s*)?{_VOLUME}{_ISSUE}\s*[,:]\s*{_ARTICLE}{_PAGES}",
        # BMC Biology (2024) 22:119 · Nature Communications | (2024) 15:515
        rf"^{_JOURNAL}[,.]?\s*\|?\s*\({_YEAR}\),?\s*(?:[Vv]ol\.?\s*)?{_VOLUME}{_ISSUE}\s*[:,]\s*{_PAGES}",
        # Journal of Hygiene 220 (2017) 1161–1167 · Journal of Trauma 2010 4:1
        rf"^{_JOURNAL},?\s+{_VOLUME}{_ISSUE}\s*\({_YEAR}\)\s*,?\s*{_ARTICLE}{_PAGES}",
        rf"^{_JOURNAL},?\s+{_YEAR}\s+{_VOLUME}{_ISSUE}:\s*{_PAGES}",
        # Transactions of the ACL, vol. 12, pp. 484–506, 2024
        rf"^{_JOURNAL},\s*[Vv]ol(?:ume|\.)\s*{_VOLUME},?.{{0,30}}?\bpp?\.\s*{_PAGES}(?:,?\s*{_YEAR})?",
        # Science. 2022 December 16; 378(6625): eaba1624
        rf"^{_JOURNAL}\.\s+{_YEAR}\s+[A-Z][a-z]+(?:\s+\d{{1,2}})?;\s*{_VOLUME}{_ISSUE}:\s*{_PAGES}",
        # SCIENTIFIC REPORTS | 5 : 8555 | DOI: …
        rf"^{_JOURNAL}\s*\|\s*{_VOLUME}\s?:\s?{_PAGES}\s*\|",
        # © 2015 The Authors. Tropical Medicine & International Health Published by John Wiley & Sons
        rf"^©\s*\d{{4}}[\w .]{{0,20}}\.\s+{_JOURNAL}\s+[Pp]ublished by\b",
        # Nucleic Acids Research, 2024, Vol. 52, No. 8
        rf"^{_JOURNAL},\s+{_YEAR},\s*[Vv]ol\.?\s*{_VOLUME},\s*[Nn]o",
    )
)
_PARTS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"^volume\s+{_VOLUME}\s+no\.?\s*\d+\s+pp\.?\s+{_PAGES}\s+[a-z]+\s+{_YEAR}",
        rf"^{_MONTHS}\s+{_YEAR},?\s+volume\s+{_VOLUME}",
        rf"^volume\s+{_YEAR},\s+article\s+id\s+{_PAGES}",
        r"\bpages\s+(?P<pages>\d+\s?[–—-]\s?\d+)",
    )
)
_YEAR_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\bpublish(?:ed)?\b(?: online| in final form)?:?\s[^;|]{{0,24}}?{_YEAR}",
        rf"\bpublication date:?\s[^;|]{{0,20}}?{_YEAR}",
        rf"(?:©|\(c\)|copyright)[^;]{{0,60}}?{_YEAR}",
        rf"\baccepted\b:?\s[^;|]{{0,24}}?{_YEAR}",
        rf"^{_YEAR}-\d\d-\d\d$",
        rf"\b(?:{_MONTHS}|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|januar"
        rf"|februar|märz|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre"
        rf"|octubre|noviembre|diciembre),?\s(?:de\s)?(?:\d{{1,2}}(?:[–-]\d+)?,\s)?{_YEAR}\b",
    )
)
_RECEIVED = re.compile(
    r"\b(?:received|revised|submitted|submission|revision)\b.{0,40}?(?:19|20)\d\d", re.IGNORECASE
)
_MEETING = re.compile(r"^(?:in )?(?P<journal>Proceedings of (?:the )?.{10,140}?)[,.]?$")
_SUBJECT = re.compile(
    r"^(?:(?:19|20)\d\d\.\s*)?(?P<journal>[A-Z][\w&:.’'\- ]{2,80}?)(?:,?\s+(?:https?://|doi\b|DOI\b)|,\s*(?:19|20)\d\d"
    r"|,\s*[X\d]+\b|,\s*$|$)"
)
_AFTER_DOI = re.compile(r"^DOI:\s*\S+?\s*;\s*(?P<journal>[A-Z][\w&:,.’'\- ]{2,80}?),\s*\d+,\s*\d+,")
_ET_AL = re.compile(r"^.{2,60}?\bet al\.?,?\s*/?\s*")
_CITED_LATE = re.compile(
    r"et al\. \((?P<year>(?:19|20)\d\d)\),\s*(?P<journal>[A-Z][\w&. ]{2,60}?),?\s*(?:DOI|doi|https?:)"
)
_NO_JOURNAL = re.compile(
    r"\b(?:received|accepted|published|copyright|licen[sc]e|university|department|figure|table|downloaded|vol|doi)\b|@",
    re.IGNORECASE,
)


def find_imprint(document: ParsedDocument) -> Imprint:
    """Read journal, year, volume and pages from the first pages and the file's own fields.

    The year comes from the journal's own citation line, else from the date the file states, "published", the
    copyright line, "accepted", a date on the title page, and last from the time the file was made; "received"
    never counts.

    Args:
        document: A parsed document.

    Returns:
        What was found; fields that were not are ``None``.
    """
    lines = [line for line in front_lines(document) if len(line) <= _MAX_LINE]
    bands = [line for line in front_bands(document) if len(line) <= _MAX_LINE]
    candidates = [*bands, *lines, *_pairs(lines)]
    found = _from_lines(candidates)
    subject = _from_subject(document.info.get("subject", ""))
    found = _merged(found, subject)
    found = _merged(found, _labelled(lines))
    if found.journal is None:
        found = _merged(found, _meeting(lines))
    return _dated(found, document, candidates)


def sane_year(text: str | None) -> int | None:
    """A year of publication, if it can be one.

    Args:
        text: Digits.

    Returns:
        The year, between ``EARLIEST_YEAR`` and next year.
    """
    if not text or not text.isdecimal():
        return None
    year = int(text)
    return year if EARLIEST_YEAR <= year <= datetime.now(tz=UTC).year + 1 else None


def _from_lines(lines: Iterable[str]) -> Imprint:
    """The first line that is the journal's own citation, completed by lines that give parts of it."""
    found = Imprint()
    parts = Imprint()
    for line in lines:
        late = _CITED_LATE.search(line)
        if late and found.journal is None and _is_journal(late.group("journal")):
            parts = _merged(parts, Imprint(journal=late.group("journal"), year=sane_year(late.group("year"))))
        text = _ET_AL.sub("", line)
        for form in _FORMS:
            match = form.match(text)
            if match and found.journal is None and _is_journal(match.group("journal")):
                found = _merged(found, _imprint(match))
        for form in _PARTS:
            if match := form.search(line):
                parts = _merged(parts, _imprint(match))
    return _merged(found, parts)


def _imprint(match: re.Match[str]) -> Imprint:
    fields = match.groupdict()
    pages = fields.get("pages")
    return Imprint(
        journal=_journal_name(fields.get("journal") or "") or None,
        year=sane_year(fields.get("year")),
        volume=fields.get("volume"),
        pages=re.sub(r"\s?[–—-]\s?", "–", pages).strip(" .") if pages else None,
    )


def _merged(first: Imprint, second: Imprint) -> Imprint:
    """Fields of the first, completed by the second; volume and pages of two journals are never mixed."""
    if first.year is None and second.year is not None:
        first = replace(first, year=second.year, year_source=second.year_source)
    return replace(
        first,
        journal=first.journal or second.journal,
        volume=first.volume or second.volume,
        pages=first.pages or second.pages,
    )


def _from_subject(subject: str) -> Imprint:
    """Publishers' producers write journal and DOI into the subject field."""
    line = one_line(subject)[:_MAX_LINE]
    exact = _from_lines([re.sub(r"\.?\s*doi:.*$", "", line, flags=re.IGNORECASE)])
    if exact.journal:
        return exact
    match = _AFTER_DOI.match(line) or _SUBJECT.match(line)
    if not match or not _is_journal(match.group("journal")):
        return Imprint()
    name = match.group("journal")
    known = " " in name or match.end() < len(line)
    return Imprint(journal=_journal_name(name)) if known and name[0].isupper() else Imprint()


def _labelled(lines: Sequence[str]) -> Imprint:
    """Repository covers: a line "Journal" above the journal, "Publication Date" above the date."""
    found = Imprint()
    for place, line in enumerate(lines[:-1]):
        following = lines[place + 1]
        if line == "Journal" and (match := re.match(r"([A-Z][\w&.: ]+?)(?:,\s*(\d+)\b|$)", following)):
            found = replace(
                found, journal=found.journal or match.group(1), volume=found.volume or match.group(2)
            )
        if line.casefold() == "publication date" and (match := re.match(_YEAR, following)):
            found = replace(found, year=found.year or sane_year(match.group("year")))
    return found


def _meeting(lines: Sequence[str]) -> Imprint:
    for line in lines:
        if match := _MEETING.match(line):
            return Imprint(journal=match.group("journal"))
    return Imprint()


def _printed_year(lines: Sequence[str]) -> int | None:
    undated = [_RECEIVED.sub("", line) for line in lines]
    for form in _YEAR_FORMS:
        for line in undated:
            match = form.search(line)
            if match and (year := sane_year(match.group("year"))) is not None:
                return year
    return None


def _dated(found: Imprint, document: ParsedDocument, lines: Sequence[str]) -> Imprint:
    """The year from other places, if the citation line gave none.

    When the file was made is no such place: it says nothing of the work, and a citation must not either.
    """
    if found.year is not None:
        return found
    stated = _dated_file(document.info.get("date", ""))
    if stated.year is not None:
        return _merged(found, stated)
    later = [one_line(line.text) for page in document.pages[2:_DATED_PAGES] for line in page.lines]
    year = _printed_year(lines) or _printed_year([line for line in later if len(line) <= _MAX_LINE])
    return replace(found, year=year)


def _dated_file(date: str) -> Imprint:
    match = re.match(r"(?:D:)?((?:19|20)\d\d)", date)
    return Imprint(year=sane_year(match.group(1)) if match else None, year_source="file")


def _pairs(lines: Sequence[str]) -> list[str]:
    """Neighbouring lines joined, for citations that a narrow column breaks."""
    return [f"{one} {two}" for one, two in pairwise(lines) if len(one) + len(two) < 160]


def _is_journal(name: str) -> bool:
    text = name.strip(" .,:|")
    found = [word for word in re.split(r"[\s.]+", text) if len(word) > 3]
    capital = sum(word[0].isupper() for word in found)
    named = text[:1].isalpha() and sum(char.isalnum() for char in text) >= 2 and len(text.split()) <= 14
    return named and capital >= 0.6 * len(found) and not _NO_JOURNAL.search(text)


def _journal_name(name: str) -> str:
    """The name without the typography of a running head: SCIENtIFIC REPorTS."""
    text = one_line(name).strip(" .,:|")
    letters = [char for char in text if char.isalpha()]
    odd = any(re.search(r"[A-Z]{3,}[a-z]|[a-z][A-Z]{2,}$", word) for word in text.split())
    shouted = len(text.split()) > 1 and sum(char.isupper() for char in letters) > 0.8 * len(letters)
    if not (odd or shouted):
        return text
    small = {"of", "the", "and", "in", "on", "for", "&"}
    return " ".join(
        word.lower() if place and word.lower() in small else word.capitalize()
        for place, word in enumerate(text.split())
    )
