"""The characters of a page: all of them as one string, box and style for the few that are asked about.

Asking PDFium about a character costs a microsecond, so a page of five thousand characters cannot be asked
about all of them. The string comes in one call; boxes and fonts only for samples.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

from vectree.ingest.parsers.pdfium.cork import restore_ligatures
from vectree.ingest.parsers.pdfium.fonts import NO_FACE, Face, face
from vectree.ingest.parsers.pdfium.geometry import Frame, Rect
from vectree.ingest.parsers.pdfium.handles import (
    address,
    char_box,
    char_matrix,
    char_origin,
    font_of,
    font_size,
    render_mode,
    text_object,
)
from vectree.ingest.parsers.pdfium.native import INVISIBLE, raw
from vectree.normal import one_line

HYPHEN = "\ufffe"
"""PDFium's mark for a hyphen that broke a word at the end of a line."""

NOTHING = "\0"
"""Stands for a code that is no character: controls, surrogates, what PDFium could not map."""

FAR = 100_000.0
"""A character placed farther out than this, or nowhere, has no place."""

_HYPHEN_CODE = 2
_NAME_BYTES = 256
_FEW = 8
_NOT_TEXT: dict[int, str] = {
    **{code: NOTHING for code in (*range(32), 127, 0xFFFF) if code not in (9, 10, 13)},
    **{code: NOTHING for code in range(0xD800, 0xE000)},
    9: " ",
}
_DROP = {ord(NOTHING): None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one character is drawn.

    Attributes:
        face: Its font.
        size: Points, scaled by the text matrix.
        level: Whether it is written from left to right on the displayed page.
        hidden: Whether it is drawn invisibly.
    """

    face: Face
    size: float
    level: bool
    hidden: bool


class Glyphs:
    """Characters of one open text page.

    Args:
        textpage: PDFium's text page; must stay open while this object is used.
        frame: The page's visible box.
        most: Characters read at most.

    Attributes:
        chars: One character for each of PDFium's, so that an index means the same in both.
        truncated: Whether the page holds more.
    """

    def __init__(self, textpage: Any, frame: Frame, most: int) -> None:
        self._page = textpage.raw
        self._handle = address(self._page)
        self._frame = frame
        self._rect = raw.FS_RECTF()
        self._rect_at = ctypes.addressof(self._rect)
        self._matrix = raw.FS_MATRIX()
        self._matrix_at = ctypes.addressof(self._matrix)
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._x_at, self._y_at = ctypes.addressof(self._x), ctypes.addressof(self._y)
        self._faces: dict[int, Face] = {}
        self._styles: dict[int, Style] = {}
        count = max(int(raw.FPDFText_CountChars(self._page)), 0)
        self.truncated = count > most
        self.chars = self._read(min(count, most))

    def _read(self, count: int) -> str:
        """All characters as one string."""
        codes: list[int] = []
        self._read_span(0, count, codes)
        return restore_ligatures("".join(map(chr, codes))).translate(_NOT_TEXT)

    def _read_span(self, start: int, end: int, codes: list[int]) -> None:
        """A stretch at once; in halves where PDFium's text and its characters are out of step."""
        count = end - start
        if count <= _FEW:
            codes.extend(self._code(index) for index in range(start, end))
            return
        buffer = (ctypes.c_ushort * (count + 1))()
        written = int(raw.FPDFText_GetText(self._page, start, count, buffer))
        # Where the first character has no text, PDFium reads one too many at the end: look at both ends.
        ends_agree = buffer[0] == self._code(start) and buffer[count - 1] == self._code(end - 1)
        if written == count + 1 and ends_agree:
            codes.extend(buffer[:count])
            return
        middle = start + count // 2
        self._read_span(start, middle, codes)
        self._read_span(middle, end, codes)

    def _code(self, index: int) -> int:
        """The code of one character."""
        code = int(raw.FPDFText_GetUnicode(self._page, index))
        if code == _HYPHEN_CODE and raw.FPDFText_IsHyphen(self._page, index) == 1:
            return ord(HYPHEN)
        return code if 0 <= code < 0x110000 else 0

    def text(self, start: int, end: int) -> str:
        """A stretch of text.

        Args:
            start: First character.
            end: One past the last.

        Returns:
            The characters that stand for something, cleaned, on one line.
        """
        text = self.chars[start:end]
        if text.isascii():
            return " ".join(text.replace(NOTHING, "").split())
        return one_line(text.translate(_DROP))

    def raw_text(self) -> str:
        """The page's text in the order of the file, line breaks kept.

        Returns:
            The text; a broken word keeps its hyphen and the line break after it.
        """
        text = self.chars.translate(_DROP).replace("\r\n", "\n").replace("\r", "\n")
        return text.replace(HYPHEN + "\n", "-\n").replace(HYPHEN, "-\n")

    def stride(self, first: int, second: int) -> float:
        """How far apart two characters start; the cheapest thing to ask.

        Args:
            first: A character.
            second: A later one.

        Returns:
            Points across plus points up or down, in user space; 0 for characters without a place.
        """
        handle, x, y, x_at, y_at = self._handle, self._x, self._y, self._x_at, self._y_at
        if not char_origin(handle, first, x_at, y_at):
            return 0.0
        across, up = x.value, y.value
        if not char_origin(handle, second, x_at, y_at):
            return 0.0
        return abs(x.value - across) + abs(y.value - up)

    def rect(self, index: int) -> Rect | None:
        """The box of a character on the displayed page.

        Args:
            index: The character.

        Returns:
            Its place, as high as its font; ``None`` for a character without a box.
        """
        if not char_box(self._handle, index, self._rect_at):
            return None
        box = self._rect
        rect = self._frame.display(box.left, box.bottom, box.right, box.top)
        return rect if -FAR < rect[0] <= rect[2] < FAR and -FAR < rect[1] <= rect[3] < FAR else None

    def style(self, index: int) -> Style:
        """How a character is drawn; all characters of one text object are drawn alike.

        Args:
            index: The character.

        Returns:
            Its style; an empty face where PDFium invented the character.
        """
        drawn = text_object(self._handle, index)
        if not drawn:
            return self._measure(index, NO_FACE, hidden=False)
        known = self._styles.get(drawn)
        if known is None:
            hidden = render_mode(drawn) == INVISIBLE
            known = self._styles[drawn] = self._measure(index, self._face(index, drawn), hidden=hidden)
        return known

    def _measure(self, index: int, face: Face, *, hidden: bool) -> Style:
        """Size and direction of a character."""
        size = font_size(self._handle, index)
        level = True
        if char_matrix(self._handle, index, self._matrix_at):
            matrix = self._matrix
            size *= math.hypot(matrix.c, matrix.d) or 1.0
            level = self._frame.is_level(matrix.a, matrix.b)
        return Style(
            face=face, size=round(size, 1) if 0 <= size < 10_000 else 0.0, level=level, hidden=hidden
        )

    def _face(self, index: int, drawn: int) -> Face:
        """The judged font, looked up once for each font of the page."""
        key: int = font_of(drawn) or 0
        known = self._faces.get(key)
        if known is None:
            flags, name = ctypes.c_int(), ctypes.create_string_buffer(_NAME_BYTES)
            length = raw.FPDFText_GetFontInfo(self._page, index, name, _NAME_BYTES, ctypes.byref(flags))
            weight = int(raw.FPDFText_GetFontWeight(self._page, index))
            readable = name.value.decode("utf-8", "replace") if 0 < length <= _NAME_BYTES else ""
            known = self._faces[key] = face(readable, weight, flags.value if length else 0)
        return known
