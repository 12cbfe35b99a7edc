"""What the parts of this package read from: a corpus, or anything with a library's methods."""

from __future__ import annotations

from vectree.agent.library import Library
from vectree.corpus.facade import Corpus
from vectree.errors import UsageError


def as_library(corpus: Corpus | Library) -> Library:
    """Find the reading side of a corpus.

    Args:
        corpus: A corpus, or a library such as `vectree.testing.library.MemoryLibrary`, returned as it is.

    Returns:
        A library.

    Raises:
        UsageError: If it is neither.
    """
    if isinstance(corpus, Corpus):
        return corpus.library
    if isinstance(corpus, Library):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers may be untyped
        return corpus
    raise UsageError(
        f"{type(corpus).__name__!r} is no corpus.", hint='Pass the result of Corpus.open("papers-corpus").'
    )
