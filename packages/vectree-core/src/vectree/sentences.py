"""Where a sentence of scientific prose ends.

Summaries and quotes are made of whole sentences, so a split after "et al.", "Fig." or a decimal point would
put half a statement into an answer. The rules are few: paragraphs and list items end a sentence; a full stop
ends one if what follows can begin a sentence and what precedes is no abbreviation. Chinese and Japanese
stops need no space after them.
"""

from __future__ import annotations

import re
from itertools import pairwise

_BLOCK_END = re.compile(
    r"\n[ \t]{0,80}\n+|\n(?=[ \t]{0,8}(?:#{1,6}[ \t]|[-*+•][ \t]|\||!\[|\d{1,3}[.)][ \t]))"
)
_HEADING = re.compile(r"^[ \t]{0,8}#{1,6}[ \t][^\n]*\n", re.MULTILINE)
_STOP = re.compile(
    r"""
    [。！？．]+ [」』”’）]*                            # CJK: no space needed
    | [.!?…]+
      (?: \[[\d,;\s–-]{1,40}\]                         # a citation may stand after the stop: [12, 13]
        | (?<=[a-z)%”"\]]\.) \d{1,3}(?:[,–-]\d{1,3})*  # or a superscript that lost its place: cells.12,13
      )?
      [)\]"'”’»]* (?=\s|$)
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[^\s(\[{“\"'/]{1,24}$")
_NEXT_WORD = re.compile(r"[\s(\[{“\"'‘«]*([^\s]{1,24})")
_INITIAL = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]\Z")
_MIXED_START = re.compile(r"[a-zα-ω]{1,4}[A-Z0-9\-–‑]")

_NEVER_LAST_WORDS = """
fig figs figure eq eqs eqn eqns ref refs vol vols pp e.g i.e cf vs viz approx resp suppl supp a.k.a incl excl
z.b d.h bzw vgl abb p.ej núm pág Fig Figs Figure Eq Eqs Eqn Ref Refs Vol Vols No Nos Nr Sec Sect Secs Tab Tabs
Ch Chap Dr Prof Mr Mrs Ms St Mt Dept Univ Suppl Supp Ext Art App Thm Lem Prop Def Cor Abb E.g I.e Cf FIG EQ
TAB Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
"""
_RARELY_LAST_WORDS = """
al etc ca sp spp subsp co inc ltd corp gmbh u.s u.k e.u i.v i.p s.c a.m p.m jr sr ed eds
"""
_OPENING_WORDS = """
the this these those that there their they we our it its in on at by for from to with as an however moreover
furthermore additionally although because since when while where if here thus therefore hence after before
both each all most many some such no not other another one two finally first second next using based among
between during despite given interestingly notably importantly consistent similarly specifically taken
together overall results data figure table die der das wir es el la los las en se le les nous
"""
_BEFORE_NUMBER = frozenset(("no", "nos", "nr", "p", "sec", "ch", "art"))
_NEVER_LAST = frozenset(_NEVER_LAST_WORDS.split())
_RARELY_LAST = frozenset(_RARELY_LAST_WORDS.split())
_OPENING = frozenset(_OPENING_WORDS.split())


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text.

    Args:
        text: Plain text or markdown; blank lines, headings, list items and table rows stand alone.

    Returns:
        Pairs of start and end offsets in order, without surrounding white space; they do not overlap.
    """
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        begin = start
        for stop in _STOP.finditer(text, start, end):
            if _ends_sentence(text, begin, stop, end):
                _append_stripped(spans, text, begin, stop.end())
                begin = stop.end()
        _append_stripped(spans, text, begin, end)
    return spans


def sentences(text: str) -> list[str]:
    """Split a text into sentences.

    Args:
        text: Plain text or markdown.

    Returns:
        The sentences in order, verbatim but for white space, which is single spaces.
    """
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


def _blocks(text: str) -> list[tuple[int, int]]:
    """Paragraphs, list items and table rows; a heading line is a block of its own."""
    edges = {0, len(text)}
    edges.update(match.end() for match in _BLOCK_END.finditer(text))
    edges.update(match.end() for match in _HEADING.finditer(text))
    return list(pairwise(sorted(edges)))


def _append_stripped(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    if stripped := piece.strip():
        start += len(piece) - len(piece.lstrip())
        spans.append((start, start + len(stripped)))


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    mark = stop.group()[0]
    if mark in "。！？．":
        return True
    following = _next_word(text, stop.end(), end)
    if not following or mark in "!?":
        return _can_begin(following)
    word = _LAST_WORD.search(text, max(begin, stop.start() - 24), stop.start())
    last = word.group() if word else ""
    if last in _NEVER_LAST or (last[:1].lower() + last[1:]) in _NEVER_LAST:
        return False
    if last in _BEFORE_NUMBER and following[0].isdigit():
        return False
    if last.casefold() in _RARELY_LAST or _INITIAL.match(last):
        return following[0].isupper() and following.casefold().strip(".,;:") in _OPENING
    return _can_begin(following)


def _next_word(text: str, start: int, end: int) -> str:
    match = _NEXT_WORD.match(text, start, min(end, start + 200))
    return match.group(1) if match else ""


def _can_begin(word: str) -> bool:
    """Whether it can open a sentence: a capital, a digit, a script without case, a name as mRNA or p53."""
    if not word:
        return True
    return not word[0].islower() or bool(_MIXED_START.match(word)) or not word[0].isascii()
