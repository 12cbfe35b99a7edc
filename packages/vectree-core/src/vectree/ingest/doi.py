"""DOIs in running text: found whole, cut where they end, and the document's own told from those it cites."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from urllib.parse import unquote

from vectree.ingest.front import FRONT_PAGES, front_lines
from vectree.ingest.parse import ParsedDocument
from vectree.normal import one_line

# Crossref's pattern covers 99.3 % of its DOIs; the first alternative is Wiley's old style with < > ; in it.
_DOI = re.compile(
    r"(?<![\w.])10\.\d{4,9}/(?:[\w.:-]{1,40}\(\w{1,20}\)[\w:.-]{0,40}<[\w:>.;()<#\-]{1,60}|[-._;()/:%<>\w]+)",
    re.IGNORECASE | re.ASCII,
)
_BROKEN = re.compile(r"(10\.\d{4,9}/[^\s]{0,200}[/\-])[ \t]*\r?\n[ \t]*(?=[A-Za-z0-9])")
_BROKEN_AFTER_DOT = re.compile(r"(10\.\d{4,9}/[^\s]{0,200}\.)[ \t]*\r?\n[ \t]*(?=[a-z]{0,8}\d)")
_BROKEN_PREFIX = re.compile(r"(10\.\d{4,9}/)[ \t]*\r?\n[ \t]*(?=[A-Za-z0-9])")
_FILE_ADDRESS = re.compile(r"^(10\.\d{4,9}/[^/]+)/.+\.pdf$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:full(?:\.pdf)?|pdf|abstract|html?)$", re.IGNORECASE)
_OTHER_WORK = re.compile(
    r"\b(?:correct(?:ion|s)|errat(?:um|a)|corrigend|retract|comment(?:ary)? on|repl(?:y|ies) to|see also"
    r"|preprint|companion|data ?set|deposited|supplement(?:ary|al) (?:material|data|information)|refers? to"
    r"|cited|preceding)",
    re.IGNORECASE,
)
_CITE_THIS = re.compile(r"(?:please )?cite this (?:article|paper|work)|how to cite this", re.IGNORECASE)
_ALONE = re.compile(r"^(?:doi:?\s*)?(?:https?://(?:dx\.)?doi\.org/)?10\.\S+$", re.IGNORECASE)
_PAIRS = {")": "(", ">": "<", "]": "["}


def find_dois(text: str) -> list[str]:
    """Find DOIs in a text.

    Args:
        text: Any text; a DOI broken over two lines after a hyphen or slash is joined.

    Returns:
        DOIs in order, lower case, decoded, without resolver and closing punctuation; duplicates are kept.
    """
    joined = unicodedata.normalize("NFKC", text).translate({0xAD: None, 0xFFFE: "-", 0x200B: None})
    for broken in (_BROKEN_PREFIX, _BROKEN, _BROKEN_AFTER_DOT):
        joined = broken.sub(r"\1", joined)
    return [doi for match in _DOI.finditer(joined) if (doi := _trimmed(match.group())) is not None]


def own_doi(document: ParsedDocument) -> tuple[str, str] | None:
    """The document's own DOI, as far as rules can tell.

    The file's own fields come first, then the first pages before any reference list. Among several there, one
    that stands in furniture or on both pages wins; one introduced as another work's (a correction, a dataset)
    counts only if nothing else is there.

    Args:
        document: A parsed document.

    Returns:
        The DOI and ``"file"`` or ``"rules"``; ``None`` if none is printed outside reference lists.
    """
    for field in ("doi", "subject", "title", "keywords"):
        if found := find_dois(document.info.get(field, "")):
            return found[0], "file"
    votes = _votes(document)
    if not votes:
        return None
    best = max(votes.values())
    return (next(doi for doi, count in votes.items() if count == best), "rules") if best > 0 else None


def _votes(document: ParsedDocument) -> Counter[str]:
    """DOIs of the front in order of appearance, with what speaks for each."""
    votes: Counter[str] = Counter()
    lines = front_lines(document)
    for place, line in enumerate(lines):
        for doi in find_dois("\n".join(lines[place : place + 2]) if _unfinished(line) else line):
            about_other = _OTHER_WORK.search(" ".join(lines[max(place - 1, 0) : place + 1]))
            votes[doi] = max(votes[doi], 1) if about_other else votes[doi] + 2
    for page in document.pages[:FRONT_PAGES]:
        for line in page.lines:
            if line.furniture:
                votes.update(dict.fromkeys(find_dois(line.text), 3))
    return votes or Counter(_beside_cite_this(document))


def _beside_cite_this(document: ParsedDocument) -> dict[str, int]:
    """A DOI that stands alone beside "Cite this article as", which some journals print at the very end."""
    lines = [one_line(line.text) for page in document.pages[-2:] for line in page.lines]
    for place, line in enumerate(lines):
        if _CITE_THIS.match(line):
            for near in (*lines[max(place - 2, 0) : place], *lines[place + 1 : place + 8]):
                if (found := find_dois(near)) and _ALONE.match(near):
                    return {found[0]: 1}
    return {}


def _unfinished(line: str) -> bool:
    """Whether a DOI may go on in the next line."""
    last = line.rstrip().rsplit(" ", 1)[-1]
    return "10." in last and last[-1:] in "-/."


def _trimmed(raw: str) -> str | None:
    doi = unquote(raw) if "%" in raw else raw
    while doi:
        last = doi[-1]
        closing = last in _PAIRS and doi.count(last) > doi.count(_PAIRS[last])
        if last in ".,;:_-<(" or closing:
            doi = doi[:-1]
        else:
            break
    if doi.lower().endswith(".pdf"):  # a publisher's file address: …/doi/10.1234/abc/2369509/abc.pdf
        doi = _FILE_ADDRESS.sub(r"\1", doi)
    doi = _SUFFIX.sub("", doi)
    return doi.lower() if re.fullmatch(r"10\.\d{4,9}/\S+", doi) else None
