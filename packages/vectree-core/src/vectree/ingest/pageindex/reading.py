"""Reading what PageIndex writes: a ``*_structure.json``, or a document of its local store.

Its form has varied: ``start_index`` or ``page_index``, ``summary`` or ``prefix_summary``, a list or an object
at the top, page numbers as text, no summaries, no end. All are read. Ends are not: an end meant "before the
first child" in trees from before August 2026 and "with all children" since, and both follow from the starts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from vectree.errors import CorruptDocument, ParseLimit
from vectree.ingest.parsers.source_text import read_bytes
from vectree.normal import one_line

MAX_NODES = 20_000
"""Sections of a tree."""

DEEPEST = 12
"""Levels of a tree; what stands deeper is put on the last one, as when headings are folded."""

_DIGITS = re.compile(r"\d{1,6}")
_LISTS = ("structure", "tree", "nodes", "result")
_STARTS = ("start_index", "page_index", "physical_index")
_SUMMARIES = ("summary", "prefix_summary")
_TEXTS = ("markdown", "text", "content")
_SYNTHETIC = re.compile(r"^(?:preface|pages? \d+(?:\s?[-–]\s?\d+)?|.*\(intro\))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """A section as PageIndex has it.

    Attributes:
        title: Its title; the number is part of it.
        page: The page it starts on; ``None`` if it names none.
        depth: Depth from 1.
        summary: Its summary, may be empty.
        invented: Whether the title is one that PageIndex makes up ("Preface", "Results (intro)", "Page 7", or
            several titles merged into one).
    """

    title: str
    page: int | None
    depth: int
    summary: str = ""
    invented: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageIndexTree:
    """A document as PageIndex has it.

    Attributes:
        name: File name of the source, without folders; may be empty.
        title: The document's title, may be empty.
        description: One sentence, may be empty.
        entries: Its sections in document order.
        pages: Text of every page, where it is known.
        sha256: Hash of what was read: the document's identity where its source is not given.
    """

    name: str
    title: str
    description: str
    entries: tuple[TreeEntry, ...]
    pages: tuple[str, ...] = ()
    sha256: str = ""


def find_trees(path: Path) -> tuple[Path, ...]:
    """Find the trees a path stands for.

    Args:
        path: A tree's file, the folder of a document in a store, or a store (``.pageindex``).

    Returns:
        The tree file of every document, sorted by path; none if it is a folder of another kind.
    """
    if not path.is_dir():
        return (path,)
    if (path / "tree.json").is_file():
        return (path / "tree.json",)
    docs = path / "docs" if (path / "docs").is_dir() else path
    return tuple(sorted(docs.glob("*/tree.json")))


def read_tree(path: Path) -> PageIndexTree:
    """Read a tree; in a store, with the pages and the description that lie beside it.

    Args:
        path: A tree's file.

    Returns:
        The document.

    Raises:
        CorruptDocument: If it holds no tree, or one that knows lines of a Markdown file instead of pages.
    """
    data = read_bytes(path)
    value = _json(data, path.name)
    about = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    entries = tuple(_entries(_top(value), path.name))
    if not entries:
        raise CorruptDocument(f"{path.name!r} holds no tree of PageIndex (a 'structure' of titled nodes).")
    if all(entry.page is None for entry in entries):
        raise CorruptDocument(
            f"{path.name!r} is the tree of a Markdown file: it names lines, not pages.",
            hint="Add the Markdown file itself; its headings are read from it.",
        )
    beside = _beside(path, "doc.json") if path.name == "tree.json" else None
    doc = cast("dict[str, Any]", beside) if isinstance(beside, dict) else {}
    pages = _pages(_beside(path, "pages.json")) if path.name == "tree.json" else ()
    return PageIndexTree(
        name=Path(_text(doc.get("name")) or _text(about.get("doc_name"))).name,
        title=_text(about.get("doc_title")),
        description=_text(doc.get("description")) or _text(about.get("doc_description")),
        entries=entries,
        pages=pages,
        sha256=hashlib.sha256(data + "\f".join(pages).encode()).hexdigest(),
    )


def _json(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CorruptDocument(f"{name!r} is not valid JSON: {error}.") from error


def _beside(path: Path, name: str) -> Any:
    other = path.with_name(name)
    return _json(read_bytes(other), name) if other.is_file() else None


def _top(value: Any) -> list[Any]:
    while isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        inner = next((table[key] for key in _LISTS if isinstance(table.get(key), list | dict)), None)
        if inner is None:
            return [table] if "title" in table else []
        if "title" in table:
            return [table]
        value = inner
    return cast("list[Any]", value) if isinstance(value, list) else []


def _entries(top: list[Any], name: str) -> Iterator[TreeEntry]:
    stack = [(node, 1) for node in reversed(top)]
    count = 0
    while stack:
        node, depth = stack.pop()
        if not isinstance(node, dict):
            continue
        table = cast("dict[str, Any]", node)
        children = table.get("nodes")
        below: list[Any] = cast("list[Any]", children) if isinstance(children, list) else []
        count += 1
        if count > MAX_NODES:
            raise ParseLimit(f"{name!r} has more than {MAX_NODES:,} nodes.")
        title = _text(table.get("title"))
        if title:
            yield TreeEntry(
                title=title,
                page=next((page for key in _STARTS if (page := _page(table.get(key)))), None),
                depth=min(depth, DEEPEST),
                summary=next((text for key in _SUMMARIES if (text := _summary(table.get(key)))), ""),
                invented=bool(_SYNTHETIC.match(title)) or bool(table.get("key_items")) or "; " in title,
            )
        stack.extend((child, depth + bool(title)) for child in reversed(below))


def _page(value: Any) -> int | None:
    """3, "3", "p. 3" and "<physical_index_3>" as 3."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    digits = _DIGITS.search(str(value))
    return int(digits.group()) or None if digits and not str(value).startswith("-") else None


def _pages(value: Any) -> tuple[str, ...]:
    """Page texts in order; a page that is missing between others is blank."""
    rows = cast("list[Any]", value) if isinstance(value, list) else []
    found: dict[int, str] = {}
    for row in rows:
        if isinstance(row, dict):
            table = cast("dict[str, Any]", row)
            number = _page(table.get("page_index")) or _page(table.get("page"))
            if number is not None and number <= MAX_NODES:
                found[number] = next((table[key] for key in _TEXTS if isinstance(table.get(key), str)), "")
    return tuple(found.get(number, "") for number in range(1, max(found, default=0) + 1))


def _text(value: Any) -> str:
    return one_line(value)[:1_000] if isinstance(value, str) else ""


def _summary(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
