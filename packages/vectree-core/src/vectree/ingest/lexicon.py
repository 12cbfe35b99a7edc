"""Words that decide whether a line is a section title, a caption, a theorem or an address.

The lists cover the languages science is mostly written in. They only ever add evidence to what type and
position say: a title in a language not listed here is found by its looks and its number.
"""

from __future__ import annotations

import re

from vectree.ingest.lexicon_words import (
    ABSTRACT_PARTS,
    ABSTRACT_TITLES,
    BACK_TITLES,
    CONTENTS_TITLES,
    MAIN_TITLES,
    REFERENCE_TITLES,
    SECTION_TITLES,
)
from vectree.normal import one_line

_MAX_TITLE = 2 + max(map(len, SECTION_TITLES))
_MARKS = ":.;■●◆▪•|*_–—- "
_CAPTION = re.compile(
    r"^(extended data |supplementary |supplemental |online |appendix )?"
    r"(fig(ure)?s?|figs|tables?|tab|schemes?|box|movies?|videos?|algorithms?|listings?|charts?|plates?"
    r"|exhibits?|maps?|graphs?|images?|abbildung(en)?|abb|tabelle[n]?|schaubild|tableaux?|figura[s]?"
    r"|tabla[s]?|tabela[s]?|cuadro|gráfico|quadro|tabella|grafico|afbeelding|tabel|рис(унок)?|таблица"
    r"|rys(unek)?|图|表|図)"
    r"\s*[.:]?\s*(?:[A-Za-z]?[.\-]?\d|[IVX]+\b)",
    re.IGNORECASE,
)
_ENUMERATED = r"s?\b\.?(?=\s*(?:[A-Z]?\.?\d|[IVX]+\b|[(:.—–]))"
_STATEMENT = re.compile(
    r"^(?:(?:proof|beweis|démonstration|preuve|demostración|demonstração|dimostrazione)\b(?=\s*(?:[.:(—–]|$))"
    r"|(?:theorem|lemma|definition|proposition|corollary|remark|example|claim|conjecture|observation|assumption"
    r"|property|fact|axiom|exercise|equation|satz|hilfssatz|bemerkung|beispiel|folgerung|korollar|théorème|lemme"
    r"|définition|remarque|exemple|corollaire|teorema|definición|ejemplo|proposición|note|source|sequence"
    r"|additional file|source data|figure supplement|supplementary file)" + _ENUMERATED + ")",
    re.IGNORECASE,
)
_LOOSE_STATEMENT = re.compile(
    r"^(?:step|case|question|problem|solution|hypothesis|answer|strategy|item|rule|schritt|fall|étape|cas|paso|caso)"
    + _ENUMERATED,
    re.IGNORECASE,
)


def bare_title(text: str) -> str:
    """A title reduced to the form in which the word lists hold it.

    Args:
        text: A title without its number.

    Returns:
        One line, case folded, without marks at its ends and with plain apostrophes.
    """
    plain = one_line(text).strip(_MARKS).casefold()
    return plain.replace("’", "'").replace("ʼ", "'").replace("‘", "'")


def is_section_title(text: str) -> bool:
    """Whether the text is one of the titles papers are commonly divided by.

    Args:
        text: A title without its number.

    Returns:
        True for an exact match, apart from case, marks at the ends and letter spacing.
    """
    if len(text) > _MAX_TITLE:
        return False
    bare = bare_title(text)
    return bare in SECTION_TITLES or closed_up(bare) in SECTION_TITLES


def closed_up(text: str) -> str:
    """Undo letter spacing: ``a b s t r a c t`` → ``abstract``.

    Args:
        text: One line.

    Returns:
        The word, if the text is four or more lone letters; else the text.
    """
    pieces = text.split(" ")
    return "".join(pieces) if len(pieces) > 3 and all(len(piece) == 1 for piece in pieces) else text


def is_reference_title(text: str) -> bool:
    """Whether the text is the title of a list of references.

    Args:
        text: A title without its number.

    Returns:
        True for the common names of that list.
    """
    return bare_title(text) in REFERENCE_TITLES


def is_main_title(text: str) -> bool:
    """Whether the text is one of the titles that divide a paper.

    Args:
        text: A title without its number.

    Returns:
        True for introduction, methods, results and their like.
    """
    return bare_title(text) in MAIN_TITLES


def is_back_title(text: str) -> bool:
    """Whether the text is one of the titles that close a paper.

    Args:
        text: A title without its number.

    Returns:
        True for references, acknowledgements, funding and their like.
    """
    return bare_title(text) in BACK_TITLES or is_reference_title(text)


def is_abstract_title(text: str) -> bool:
    """Whether the text is the title of an abstract.

    Args:
        text: A title without its number.

    Returns:
        True for the common names of an abstract.
    """
    bare = bare_title(text)
    return bare in ABSTRACT_TITLES or closed_up(bare) in ABSTRACT_TITLES


def is_abstract_part(text: str) -> bool:
    """Whether the text is what a structured abstract calls one of its parts.

    Args:
        text: A title without its number.

    Returns:
        True for background, aims, methods, results and their like.
    """
    return bare_title(text) in ABSTRACT_PARTS


def is_contents_title(text: str) -> bool:
    """Whether the text is the title of a contents list or a list of figures or tables.

    Args:
        text: A title without its number.

    Returns:
        True for the common names of such lists.
    """
    return bare_title(text) in CONTENTS_TITLES


def is_caption(text: str) -> bool:
    """Whether the text begins like the caption of a figure, table or listing.

    Args:
        text: A line or the lines of a block.

    Returns:
        True if a caption word is followed by a number.
    """
    return _CAPTION.match(text) is not None


def is_statement(text: str, *, loose: bool = False) -> bool:
    """Whether the text begins like a theorem, a proof, an example or another numbered statement.

    Args:
        text: A line or the lines of a block.
        loose: Count steps, cases and questions too; they may be titles, but at the start of a paragraph they
            seldom are.

    Returns:
        True for a word of that kind followed by a number or a mark.
    """
    return _STATEMENT.match(text) is not None or (loose and _LOOSE_STATEMENT.match(text) is not None)
