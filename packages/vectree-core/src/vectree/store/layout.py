"""Where things lie in a corpus folder.

::

    corpus.json                  see ``store.manifest``
    papers/<doc_id>/             a paper, wholly there or not at all
        record.json              what the catalogue knows of it
        tree.json                its section tree
        pages.jsonl              one page a line, page n in line n
        figures.json, figures/   the recorded figures, and their files
        report.json              what happened when it was read
    index/<generation>/          derived from the papers
    cache/                       answers of services; safe to delete
    staging/                     papers in the making; swept by the next writer
    writer.lock
"""

from __future__ import annotations

from pathlib import Path

from vectree.store.identity import is_doc_id

MANIFEST = "corpus.json"
PAPERS = "papers"
INDEX = "index"
CACHE = "cache"
STAGING = "staging"
LOCK = "writer.lock"

RECORD = "record.json"
TREE = "tree.json"
PAGES = "pages.jsonl"
FIGURES = "figures.json"
FIGURE_FOLDER = "figures"
REPORT = "report.json"

ASIDE = "old-"
"""Prefix, in ``staging/``, of a paper set aside while its replacement moves in."""

_OWN = frozenset({MANIFEST, PAPERS, INDEX, CACHE, STAGING, LOCK})


def is_foreign(root: Path) -> bool:
    """Whether a folder holds anything that does not belong to a corpus, hidden files aside.

    Args:
        root: An existing folder.

    Returns:
        True if there is a file or folder that VecTree did not make, also below ``papers/``.
    """
    if any(child.name not in _OWN and not child.name.startswith(".") for child in root.iterdir()):
        return True
    papers = root / PAPERS
    return papers.is_dir() and any(not is_doc_id(child.name) for child in papers.iterdir())


def has_papers(root: Path) -> bool:
    """Whether a folder holds papers of a corpus, whatever else is missing.

    Args:
        root: Any path.

    Returns:
        True if at least one paper is there.
    """
    return any((root / PAPERS).glob(f"*/{RECORD}"))
