"""Plain text files: pages at form feeds or by length, headings only where nothing else can be meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from vectree.ingest.lexicon import is_section_title
from vectree.ingest.numbering import Enumerator, split_number
from vectree.ingest.parse import ParsedDocument, ParseLimits
from vectree.ingest.parsers.markdown.blocks import heading_line
from vectree.ingest.parsers.markdown.parser import markdown_document
from vectree.ingest.parsers.source_text import decode, read_bytes

_DEFAULT_LIMITS = ParseLimits()
_MAX_TITLE = 100
_MAX_DEPTH = 6
_SENTENCE_END = (".", ",", ";", "?", "!", "…")
_MARKS = re.compile(r"^( {0,3})(?=#{1,6}(?:\s|$)|=+\s*$|-+\s*$|```|~~~|<!--)")


class PlainTextParser:
    """Reads plain text; implements ``ingest.parse.Parser``.

    A heading is a line that stands between blank lines and is a title papers are commonly divided by
    ("Introduction", "2. Methods"), or continues the numbering of such ("2.1 Sample preparation").

    Args:
        limits: Bounds on one document.
    """

    name = "text"

    def __init__(self, limits: ParseLimits = _DEFAULT_LIMITS) -> None:
        self._limits = limits

    def parse(self, path: Path, *, figures: Path, password: str | None = None) -> ParsedDocument:
        """Read a text file.

        Args:
            path: The source file.
            figures: An existing empty folder; nothing is written there.
            password: Not used.

        Returns:
            Synthetic pages; those between form feeds where the file has some.
        """
        text, warnings = decode(read_bytes(path), path.name)
        return markdown_document(
            as_markdown(text),
            name=path.name,
            figures=figures,
            limits=self._limits,
            parser=self.name,
            warnings=warnings,
        )


def as_markdown(text: str) -> str:
    """Write plain text as Markdown that shows the same.

    Args:
        text: The text.

    Returns:
        Headings marked; what would read as a heading, a fence or a comment at the start of a line escaped.
    """
    lines = text.replace("\f", "\n\f\n").split("\n")
    alone = [at for at in range(len(lines)) if _stands_alone(lines, at)]
    titles = _titles([lines[at].strip() for at in alone])
    marked = {
        at: heading_line(level, lines[at].strip()) for at, level in zip(alone, titles, strict=True) if level
    }
    return "\n".join(marked.get(at) or _MARKS.sub(r"\1\\", line) for at, line in enumerate(lines))


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    line = lines[at].strip()
    if not line or len(line) > _MAX_TITLE or line.endswith(_SENTENCE_END):
        return False
    above = lines[at - 1].strip() if at else ""
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return not above and not below


def _titles(candidates: Sequence[str]) -> list[int]:
    """A level for each candidate that is a heading, else 0."""
    split = [split_number(text) for text in candidates]
    sure = [is_section_title(title) for _, title in split]
    numbered = any(ok and number is not None for ok, (number, _) in zip(sure, split, strict=True))
    levels: list[int] = []
    open_number: tuple[int, ...] = ()
    for ok, (number, title) in zip(sure, split, strict=True):
        follows = numbered and number is not None and _may_be_title(title) and _follows(open_number, number)
        if number is not None and (ok or follows):
            open_number = number.parts
        levels.append(min(len(number.parts) if number else 1, _MAX_DEPTH) if ok or follows else 0)
    return levels


def _may_be_title(text: str) -> bool:
    return bool(text.strip()) and not text[:1].islower()


def _follows(before: tuple[int, ...], number: Enumerator) -> bool:
    """Whether a number comes next: 2.1 or 3 after 2; 2.2, 2.1.1 or 3 after 2.1."""
    if number.kind != "arabic":
        return False
    if number.parts == (*before, 1):
        return True
    depth = len(number.parts)
    return 0 < depth <= len(before) and number.parts == (*before[: depth - 1], before[depth - 1] + 1)
