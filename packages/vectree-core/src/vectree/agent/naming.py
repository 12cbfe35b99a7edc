"""How authors are named: three and a count in results, one and "et al." in citations."""

from __future__ import annotations

from collections.abc import Sequence

from vectree.normal import one_line

_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le ten ter zu zur al el bin ibn".split()  # noqa: SIM905
)
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "phd", "ph.d.", "md", "m.d."})
_MAX_NAME = 40


def surname(name: str) -> str:
    """The family name of an author as printed.

    Args:
        name: ``"Maria van den Berg"``, ``"Berg, Maria"`` or an organisation.

    Returns:
        The family name with its particles; the whole name if it is one word.
    """
    plain = one_line(name).translate(str.maketrans("()[];", "     ")).strip(" ,*†‡")
    family, comma, rest = plain.partition(",")
    if comma and rest.strip().casefold() not in _SUFFIXES:
        return family.strip()[:_MAX_NAME]
    parts = [part for part in family.split() if part.casefold() not in _SUFFIXES] or ["Anon."]
    first = len(parts) - 1
    while first > 1 and parts[first - 1].casefold() in _PARTICLES:
        first -= 1
    return " ".join(parts[first:])[:_MAX_NAME]


def short_authors(authors: Sequence[str], *, most: int = 3, width: int = 24) -> str:
    """Names for a result line: the first few and how many more.

    Args:
        authors: Names as printed, in order.
        most: Names to show.
        width: Characters of one name.

    Returns:
        One line; empty if there are no authors.
    """
    names = ", ".join(one_line(name)[:width].rstrip() for name in authors[:most])
    return f"{names} and {len(authors) - most} more" if len(authors) > most else names


def cite_key(authors: Sequence[str], year: int | None) -> str:
    """The start of a citation: author and year.

    Args:
        authors: Names as printed, in order.
        year: Year of publication.

    Returns:
        ``"Berg et al., 2024"``, ``"Berg, 2024"`` for one author, ``"Anon., n.d."`` where nothing is known.
    """
    first = surname(authors[0]) if authors else "Anon."
    others = " et al." if len(authors) > 1 else ""
    return f"{first}{others}, {year if year is not None else 'n.d.'}"


def citation(key: str, doc_id: str, page: int | str) -> str:
    """A citation in the one form that answers use (Appendix F).

    Args:
        key: From ``cite_key``.
        doc_id: The document.
        page: Physical page, or a placeholder.

    Returns:
        ``"(Author et al., Year, doc_id, p.X)"``.
    """
    return f"({key}, {doc_id}, p.{page})"
