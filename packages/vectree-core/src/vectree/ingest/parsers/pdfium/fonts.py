"""What a font's name and descriptor say about weight and slant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SUBSET = re.compile(r"^[A-Z]{6}\+")
_BOLD = re.compile(
    r"""bold|black|heavy|demi|semib|smbd|ultra(?!light)   # words
      | ^(?:cm|sf|ec|eu)(?:bx|b|ssbx|ssdc|csc?bx|bxti|ssb)(?=\d|$)   # TeX fonts: CMBX10, SFBX1000
      | (?:nimbus\w+|utopia|charter|bookman)-medi(?!um)
      | [-_.,+](?:b|bd|bi|bdit|bx|x|bk?it)$   # AdvOT123.B, Foo-Bd, Foo,B
      | (?:times|helv\w*|arial|advp\w*|advt\w*|linlibertine(?:o|t)|linbiolinum(?:o|t))(?:b|bi|bd|tb)$
      """,
    re.IGNORECASE | re.VERBOSE,
)
_ITALIC = re.compile(
    r"ital|obli|slant|kursiv|^(?:cm|sf|ec)(?:ti|sl|bxti|ssi|mi|mmi)(?=\d|$)|[-_.,](?:i|it|bi|bdit|ita|o)$|[a-z](?:mt)?It$|-MI$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"roman|regular|regu\b|book|light|text|-rg$", re.IGNORECASE)
_FORCE_BOLD = 1 << 18
_ITALIC_FLAG = 1 << 6
_BOLD_WEIGHT = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A font as far as layout cares.

    Attributes:
        name: Name without its subset prefix.
        bold_name: Whether the name says bold.
        heavy: Whether only the descriptor says so: stem width or the force-bold flag. Many producers write
            nonsense there, so the document decides later whether to believe it.
        italic: Whether name or descriptor says italic.
    """

    name: str
    bold_name: bool
    heavy: bool
    italic: bool


NO_FACE = Face(name="", bold_name=False, heavy=False, italic=False)


@lru_cache(maxsize=4096)
def face(name: str, weight: int, flags: int) -> Face:
    """Judge a font.

    Args:
        name: As the file has it.
        weight: From 100 to 900, or -1 if unknown.
        flags: The font descriptor's flags.

    Returns:
        The judged font.
    """
    bare = _SUBSET.sub("", name)
    bold = bool(_BOLD.search(bare))
    heavy = (weight >= _BOLD_WEIGHT or bool(flags & _FORCE_BOLD)) and not _PLAIN.search(bare)
    italic = bool(_ITALIC.search(bare)) or bool(flags & _ITALIC_FLAG)
    return Face(name=bare, bold_name=bold, heavy=heavy and not bold, italic=italic)
