"""Which source a bibliographic field is taken from, and what is kept of the others (§3.2).

The order of trust is fixed: what a verified Crossref record says, what rules read off the page, what a model
read off it, what the file's own fields say, its date and its name. Two exceptions: a printed title or DOI is the
document's own and stays. Values that are the same in another spelling are no conflict; of others, the one
that lost is kept beside the field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vectree.document import Metadata
from vectree.ingest.doi import find_dois
from vectree.normal import match_key, name_key, one_line

CROSSREF = "crossref"
MODEL = "model"

FIELDS = ("title", "authors", "year", "journal", "volume", "article_pages", "doi")
"""What has an order of trust, in the order shown."""

_TRUST = {CROSSREF: 4, "rules": 3, MODEL: 2, "file": 1, "file name": 0}
_GUESSES = frozenset({"file name"})
_PRINTED_FIRST = frozenset({"title", "doi"})
_YEARS = range(1500, 2101)
_VOLUME = re.compile(r"[\w.\- /()]{1,30}")
_PAGES = re.compile(r"[A-Za-z]{0,4}\d[\w.\-–—:, ]{0,30}")
_MAX_TITLE = 500
_MAX_JOURNAL = 200
_MAX_AUTHORS = 5_000
_MAX_NAME = 120
_MAX_SHOWN = 200


def merge_fields(metadata: Metadata, values: Mapping[str, Any], source: str) -> Metadata:
    """Take over what another source knows better.

    Args:
        metadata: What is known.
        values: Field name → value; malformed and empty values are passed over, unknown names ignored.
        source: ``CROSSREF`` or ``MODEL``.

    Returns:
        The metadata with origin and conflict of every field.
    """
    changes: dict[str, Any] = {}
    provenance, conflicts = dict(metadata.provenance), dict(metadata.conflicts)
    for field in FIELDS:
        new = valid(field, values.get(field))
        if new is None:
            continue
        old, origin = getattr(metadata, field), provenance.get(field, "file name")
        if not old:
            changes[field], provenance[field] = new, source
        elif same(field, old, new):
            if source == CROSSREF and field == "authors" and len(new) > len(old):
                changes[field], provenance[field] = new, source
            conflicts.pop(field, None)
        elif _wins(field, source, origin):
            changes[field], provenance[field] = new, source
            if origin not in _GUESSES:
                conflicts[field] = _said(origin, old)
        else:
            conflicts[field] = _said(source, new)
    return replace(metadata, **changes, provenance=provenance, conflicts=conflicts)


def valid(field: str, value: Any) -> Any:
    """Check the format of a field.

    Args:
        field: Its name.
        value: Anything.

    Returns:
        The value in the form in which it is stored; ``None`` if it is not of that form.
    """
    if field == "authors":
        return _valid_authors(value)
    if field == "year":
        year = int(value) if isinstance(value, str) and value.strip().isdecimal() else value
        return year if isinstance(year, int) and not isinstance(year, bool) and year in _YEARS else None
    if not isinstance(value, str) or not (text := one_line(value)):
        return None
    if field == "doi":
        return next(iter(find_dois(text)), None)
    if field == "volume":
        return text if _VOLUME.fullmatch(text) else None
    if field == "article_pages":
        return text if _PAGES.fullmatch(text) else None
    return text if len(text) <= (_MAX_TITLE if field == "title" else _MAX_JOURNAL) else None


def same(field: str, one: Any, other: Any) -> bool:
    """Whether two values of a field mean the same.

    Args:
        field: Its name.
        one: A valid value.
        other: Another.

    Returns:
        True apart from spelling; for authors, if the shorter list agrees with the start of the longer one by
        surnames; for pages and volumes, if one gives only the start of the other.
    """
    if field == "year":
        return one == other
    if field == "authors":
        pairs = list(zip(map(_surnames, one), map(_surnames, other), strict=False))
        return bool(pairs) and all(left & right for left, right in pairs)
    left, right = match_key(str(one)), match_key(str(other))
    if field in ("article_pages", "volume"):
        return left == right or _first_number(str(one)) == _first_number(str(other)) != ""
    return left == right


def _wins(field: str, source: str, origin: str) -> bool:
    if field in _PRINTED_FIRST and origin == "rules":
        return False
    return _TRUST[source] > _TRUST.get(origin, 0)


def _valid_authors(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, (list, tuple)):
        return None
    items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
    names = [one_line(item) for item in items[:_MAX_AUTHORS] if isinstance(item, str)]
    kept = tuple(
        dict.fromkeys(name for name in names if 1 < len(name) <= _MAX_NAME and any(map(str.isalpha, name)))
    )
    return kept or None


def _surnames(name: str) -> frozenset[str]:
    return frozenset(word for word in name_key(name).split() if len(word) > 2) or frozenset({name_key(name)})


def _first_number(text: str) -> str:
    found = re.search(r"[A-Za-z]?\d+", text)
    return found.group().casefold() if found else ""


def _said(source: str, value: Any) -> str:
    text = "; ".join(value) if isinstance(value, tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return f"{source}: {text[:_MAX_SHOWN]}"
