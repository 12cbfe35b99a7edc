"""HTML files: the main text as Markdown, through markdownify (MIT) and Beautiful Soup (MIT)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from vectree._extras import require
from vectree.errors import CorruptDocument
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.markdown.parser import markdown_document
from vectree.ingest.parsers.source_text import read_bytes
from vectree.normal import one_line

EXTRA = "docs"

MAX_HTML_BYTES = 32 * 1024 * 1024

_DEFAULT_LIMITS = ParseLimits()
_NOT_TEXT = ("script", "style", "noscript", "template", "nav", "svg", "iframe", "object", "form", "button")
_ASIDE = ("header", "footer", "aside")
_FIELDS = {
    "title": ("citation_title", "dc.title", "og:title"),
    "author": ("citation_author", "dc.creator", "author"),
    "date": ("citation_publication_date", "citation_date", "dc.date", "article:published_time"),
    "keywords": ("citation_keywords", "keywords"),
    "abstract": ("citation_abstract", "dc.description"),
}
_BREAK = re.compile(r"break-(?:before|after):\s*(?:page|always)", re.IGNORECASE)
_DEEP = 400
"""Elements inside one another; deeper documents are made to exhaust the stack."""


class HtmlParser:
    """Reads HTML; implements ``ingest.parse.Parser``.

    What surrounds the main text (navigation, scripts, forms) is left out. Images that lie in the file itself
    become figures; nothing the file refers to is opened.

    Args:
        limits: Bounds on one document.
    """

    name = "html"

    def __init__(self, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self._limits = limits

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read an HTML file.

        Args:
            path: The source file.
            figures: An existing empty folder that receives figure files.
            password: Not used.

        Returns:
            Synthetic pages, with the file's headings as claims. Without the extra ``docs`` `MissingExtra` is
            raised, from a file that is no HTML a ``ParseError``.
        """
        data = read_bytes(path, limit=MAX_HTML_BYTES)
        markdown, info = html_to_markdown(data, path.name)
        return markdown_document(
            markdown, name=path.name, figures=figures, limits=self._limits, parser=self.name, info=info
        )


def html_to_markdown(html: bytes | str, name: str) -> tuple[str, dict[str, str]]:
    """Convert HTML.

    Args:
        html: The document; the encoding of bytes is found out.
        name: Name of the file, for errors.

    Returns:
        Markdown, and the fields of ``ParsedDocument.info`` the document states.

    Raises:
        CorruptDocument: If it cannot be converted.
    """
    soups, markdownify = require("bs4", extra=EXTRA), require("markdownify", extra=EXTRA)
    try:
        soup = soups.BeautifulSoup(html, "html.parser")
        _check_depth(soup, name)
        info = _info(soup)
        _clean(soup)
        converter = markdownify.MarkdownConverter(
            heading_style="atx", bullets="-", escape_underscores=False, escape_asterisks=False
        )
        return converter.convert_soup(_main(soup)), info
    except (RecursionError, AssertionError, ValueError) as error:
        raise CorruptDocument(f"{name!r} cannot be read as HTML: {type(error).__name__}.") from error


def _check_depth(soup: Any, name: str) -> None:
    """Refuse what the recursive converter could not hold; ``descendants`` walks without recursion."""
    depth, inside = 0, soup
    for element in soup.descendants:
        parent = element.parent
        if parent is inside:
            continue
        depth = sum(1 for _ in element.parents) if parent is not None else 0
        inside = parent
        if depth > _DEEP:
            raise CorruptDocument(f"{name!r} nests more than {_DEEP} elements.")


def _clean(soup: Any) -> None:
    for element in soup.find_all(_NOT_TEXT):
        element.decompose()
    for element in soup.find_all(_ASIDE):
        if element.find_parent("article") is None and element.find(["h1", "h2"]) is None:
            element.decompose()
    for element in soup.find_all(style=_BREAK):
        after = soup.new_tag("p")
        after.string = "\\newpage"
        before = "before" in element["style"]
        (element.insert_before if before else element.insert_after)(after)


def _main(soup: Any) -> Any:
    """The element that holds the main text, if the page says which one does."""
    for place in ("main", "article", "body"):
        found = soup.find_all(place)
        if len(found) == 1:
            return found[0]
    return soup


def _info(soup: Any) -> dict[str, str]:
    stated: dict[str, list[str]] = {}
    for element in soup.find_all("meta"):
        key = str(element.get("name") or element.get("property") or "").lower()
        value = one_line(str(element.get("content") or ""))
        if key and value:
            stated.setdefault(key, []).append(value)
    info: dict[str, str] = {}
    for name, keys in _FIELDS.items():
        none: list[str] = []
        values = next((stated[key] for key in keys if key in stated), none)
        if values:
            info[name] = ", ".join(_turned(value) if name == "author" else value for value in values)
    if "title" not in info and soup.title is not None:
        info["title"] = one_line(soup.title.get_text())
    return {name: value for name, value in info.items() if value}


def _turned(name: str) -> str:
    """``"Meyer, Anna"`` as ``"Anna Meyer"``; what has more commas or none stays."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and given.strip() and "," not in given else name
