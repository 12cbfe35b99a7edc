"""The papers that a question of a benchmark may be answered from (§4.1)."""

from __future__ import annotations

from vectree.agent.library import Library
from vectree.agent.scope import ScopedLibrary
from vectree.evaluate.records import Papers, Question


def scoped(library: Library, question: Question) -> Library:
    """The library that a question may be answered from.

    Args:
        library: The whole corpus.
        question: Its scope restricts the library, if it has one.

    Returns:
        The library itself, or a view of the papers in scope.
    """
    return library if question.scope is None else ScopedLibrary(library, question.scope)


def documents_of(papers: Papers, question: Question) -> tuple[str, ...]:
    """The documents that a question may be answered from.

    Args:
        papers: The corpus.
        question: The question.

    Returns:
        Documents, sorted.
    """
    return papers.doc_ids if question.scope is None else tuple(sorted(question.scope))
