"""PDFium's functions of the innermost loops, on plain addresses.

The bindings make an object of every pointer they take or give, which costs as much as most of these calls
themselves. Here a handle is a number: the address of the page, text page or object. Each call takes less than
a microsecond, so the interpreter's lock is kept.
"""

from __future__ import annotations

import ctypes
from typing import Any

from vectree.ingest.parsers.pdfium.native import raw

_HANDLE, _INT, _DOUBLE = ctypes.c_void_p, ctypes.c_int, ctypes.c_double


def address(pointer: Any) -> int:
    """Where a pointer points.

    Args:
        pointer: A pointer of the bindings, or one of their functions.

    Returns:
        The address; 0 for a null pointer.
    """
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _function(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(address(function))


text_object = _function(raw.FPDFText_GetTextObject, _HANDLE, _HANDLE, _INT)
render_mode = _function(raw.FPDFTextObj_GetTextRenderMode, _INT, _HANDLE)
font_of = _function(raw.FPDFTextObj_GetFont, _HANDLE, _HANDLE)
font_size = _function(raw.FPDFText_GetFontSize, _DOUBLE, _HANDLE, _INT)
char_matrix = _function(raw.FPDFText_GetMatrix, _INT, _HANDLE, _INT, _HANDLE)
char_box = _function(raw.FPDFText_GetLooseCharBox, _INT, _HANDLE, _INT, _HANDLE)
char_origin = _function(raw.FPDFText_GetCharOrigin, _INT, _HANDLE, _INT, _HANDLE, _HANDLE)
