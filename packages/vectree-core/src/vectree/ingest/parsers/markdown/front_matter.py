"""The metadata block that many tools put before Markdown: between lines of ``---`` or ``+++``.

It is read for the few fields that describe a work, by rules that understand the forms in use for those, not
by a YAML library: what it holds is data of strangers, and anything else in it does not matter here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vectree.normal import one_line

MAX_LINES = 200
"""A longer block is no front matter."""

_KEY = re.compile(r"^(?P<key>[A-Za-z_][\w .-]{0,40}?)\s*[:=]\s*(?P<value>.*)$")
_ITEM = re.compile(r"^\s*-\s+(?:name\s*:\s*)?(?P<value>.+)$")
_NAME = re.compile(r"^\s+(?:-\s+)?name\s*:\s*(?P<value>.+)$")
_OTHER_KEY = re.compile(r"^\s+[\w-]+\s*:\s")
_FIELDS = {
    "title": "title",
    "author": "author",
    "authors": "author",
    "keywords": "keywords",
    "tags": "keywords",
    "date": "date",
    "year": "date",
    "abstract": "abstract",
    "summary": "abstract",
    "doi": "subject",
}
_FENCES = ("---", "+++")


def split_front_matter(source: str) -> tuple[dict[str, str], str]:
    """Take front matter off a Markdown file.

    Args:
        source: The file's text.

    Returns:
        The fields of ``ParsedDocument.info`` it states, and the rest of the file. A rule at the top of a file
        is no front matter unless a second one follows and only fields stand between.
    """
    lines = source.split("\n", MAX_LINES)
    opening = lines[0].rstrip()
    if opening not in _FENCES:
        return {}, source
    closing = (opening, "...") if opening == "---" else (opening,)
    end = next((at for at, line in enumerate(lines[1:MAX_LINES], 1) if line.rstrip() in closing), 0)
    inside = lines[1:end]
    if not end or not any(_KEY.match(line) for line in inside) or _has_prose(inside):
        return {}, source
    return _fields(inside), "\n".join(lines[end + 1 :])


def _has_prose(lines: Sequence[str]) -> bool:
    """Whether a line at the margin is neither a field, an item, a comment nor blank."""
    margin = [line for line in lines if line.strip() and not line[:1].isspace()]
    return any(not (_KEY.match(line) or line[0] in "#-[]{}|>") for line in margin)


def _fields(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while at < len(lines):
        key = _KEY.match(lines[at])
        at += 1
        if key is None:
            continue
        below: list[str] = []
        while at < len(lines) and (not lines[at].strip() or lines[at][:1] in " \t-"):
            below.append(lines[at])
            at += 1
        name = _FIELDS.get(key["key"].strip().lower())
        value = _value(key["value"].strip(), below, name) if name else ""
        if name and value:
            found.setdefault(name, value)
    return found


def _value(value: str, below: Sequence[str], name: str | None) -> str:
    if value.startswith("[") and value.endswith("]"):
        return _joined(value[1:-1].split(","), name)
    if value and value[0] not in "|>":
        return one_line(_bare(" ".join([value, *(line.strip() for line in below if name != "author")])))
    names = [match["value"] for line in below if (match := _NAME.match(line))]
    items = names or [match["value"] for line in below if (match := _ITEM.match(line))]
    if items:
        return _joined(items, name)
    return one_line(" ".join(line.strip() for line in below if not _OTHER_KEY.match(line)))


def _joined(items: Sequence[str], name: str | None) -> str:
    separator = "; " if name == "keywords" else ", "
    bare = (one_line(_bare(item.strip())) for item in items)
    return separator.join(item for item in bare if item)


def _bare(value: str) -> str:
    """A scalar without its quotes or a comment behind it."""
    if len(value) > 1 and value[0] in "\"'" and value.find(value[0], 1) > 0:
        return value[1 : value.find(value[0], 1)] if value[0] != value[-1] else value[1:-1]
    return re.sub(r"\s#.*$", "", value)
