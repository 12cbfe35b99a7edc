r"""Ligatures that arrive as bare codes.

Fonts in TeX's Cork encoding without a map to Unicode give their codes as they are: 28 stands for "fi".
Where such a code touches a letter it can be nothing else, and "scienti\x1cque" becomes readable again.
"""

from __future__ import annotations

import re

_LIGATURES = {27: "\ufb00", 28: "\ufb01", 29: "\ufb02", 30: "\ufb03", 31: "\ufb04"}
_MARKS = {16: "\u201c", 17: "\u201d", 18: "\u201e", 19: "\u00ab", 20: "\u00bb", 21: "\u2013", 22: "\u2014"}
_LIGATURE = re.compile(r"(?<=[^\W\d_])[\x1b-\x1f]|[\x1b-\x1f](?=[^\W\d_])")
_MARK = re.compile(r"[\x10-\x16](?=[^\W_])|(?<=[^\W_.,!?])[\x11\x14]|(?<=\s)[\x15\x16](?=\s)")


def restore_ligatures(text: str) -> str:
    """Put ligature glyphs, and on the same page quotes and dashes, in place of bare Cork codes.

    Args:
        text: Characters as PDFium gives them, controls included.

    Returns:
        As many characters.
    """
    if not _LIGATURE.search(text):
        return text
    text = _LIGATURE.sub(lambda match: _LIGATURES[ord(match.group())], text)
    return _MARK.sub(lambda match: _MARKS[ord(match.group())], text)
