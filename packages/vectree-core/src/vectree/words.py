"""The one tokenizer of the lexical side: index, queries and overlap checks see the same words.

On ASCII text it finds exactly the runs that ``[a-z0-9]+`` finds in the lower-cased text, as the paper has it.
Deviation (§3.4): other scripts are words too. ``Schrödinger`` stays one word, ``β`` is a word, and runs of
Chinese, Japanese or Korean characters become overlapping pairs, since they are written without spaces.
"""

from __future__ import annotations

import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_MAX_WORD = 64
_MIN_STEM = 4
_SUFFIX = re.compile(
    r"(?:(?<=[a-z]{4})at(?:e[sd]?|ing|ions?|ors?|ives?)|ition|ing|edly|ed|ies|ally|ly|ness|ments?|ities|ity|als?|ives?|ers?|es|s|e|y)$"
)

STOPWORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both
    but by can could did do does doing done down during each few for from further had has have having he her here
    hers him his how however i if in into is it its itself just may me might more most must my no nor not now of
    off on once only or other our ours out over own per same shall she should since so some such than that the
    their theirs them then there these they this those through thus to too under until up upon us very via was we
    were what when where whether which while who whom whose why will with within without would you your yours""".split()  # noqa: SIM905 - a list of 170 lines says no more
)


def words(text: str) -> list[str]:
    """Split text into index words.

    Args:
        text: Any text.

    Returns:
        Words in order: NFKC, case folded, at most 64 characters each; CJK runs as character pairs.
    """
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if not _IS_CJK.match(run):
            found.append(run[:_MAX_WORD])
        elif len(run) == 1:
            found.append(run)
        else:
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
    return found


def content_words(text: str) -> list[str]:
    """The words of a text that are not stopwords, in order, duplicates kept.

    Args:
        text: Any text.

    Returns:
        Words as ``words`` gives them, without ``STOPWORDS``.
    """
    return [word for word in words(text) if word not in STOPWORDS]


def stem(word: str) -> str:
    """Cut common English endings, so that ``conducts`` and ``conducting`` agree.

    Only what is compared within one paper is stemmed: few sentences hold an answer, and a question says
    "evaluated" where the text says "evaluation". Over a corpus there are words enough, and the tokens stay
    the paper's.

    Args:
        word: An index word.

    Returns:
        At least four letters of it; short words and words with digits stay whole.
    """
    if len(word) <= _MIN_STEM or not word.isalpha() or not word.isascii():
        return word
    short = _SUFFIX.sub("", word)
    return short if len(short) >= _MIN_STEM else word[: max(_MIN_STEM, len(word) - 1)].rstrip("s")
