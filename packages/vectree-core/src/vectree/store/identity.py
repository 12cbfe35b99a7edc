"""What a document is (the hash of its bytes) and what it is called (``ghaffari2024-3f9a``)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container
from pathlib import Path

from vectree.document import Metadata
from vectree.normal import name_key
from vectree.words import STOPWORDS

FIRST_DIGITS = 4
"""Hash digits in a ``doc_id``; two more at a time where that is not unique."""

_LONGEST_NAME = 24
_DOC_ID = re.compile(r"[a-z0-9]{1,40}-[0-9a-f]{4,64}")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_NOT_SURNAMES = frozenset(
    {"jr", "sr", "ii", "iii", "iv", "phd", "md", "collaboration", "consortium", "group", "team"}
)


def file_sha256(path: Path) -> str:
    """Hash a file without reading it into memory.

    Args:
        path: The file.

    Returns:
        64 hexadecimal digits.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_doc_id(text: str) -> bool:
    """Whether a text has the form of a ``doc_id``.

    Only such texts ever become part of a path: lower-case ASCII letters and digits around one hyphen name no
    other folder, on any file system.

    Args:
        text: Anything, a model's invention too.

    Returns:
        True for the form, whether or not such a document exists.
    """
    return _DOC_ID.fullmatch(text) is not None


def make_doc_id(metadata: Metadata, sha256: str, taken: Container[str]) -> str:
    """Name a document after its first author, its year and its bytes.

    Args:
        metadata: Without authors the first telling word of the title stands in.
        sha256: Hash of the bytes, 64 hexadecimal digits.
        taken: Names already in use.

    Returns:
        A name that is not in ``taken``.

    Raises:
        ValueError: If every prefix of the hash is taken, which needs the same bytes to be named twice.
    """
    year = str(metadata.year) if metadata.year is not None else ""
    stem = f"{_surname(metadata) or _title_word(metadata.title) or 'document'}{year}"
    for digits in range(FIRST_DIGITS, len(sha256) + 1, 2):
        name = f"{stem}-{sha256[:digits]}"
        if name not in taken:
            return name
    raise ValueError(f"every doc_id for {stem!r} with the hash {sha256} is taken")


def _surname(metadata: Metadata) -> str:
    if not metadata.authors:
        return ""
    family, comma, _ = metadata.authors[0].partition(",")
    parts = [_ascii(name_key(part)) for part in family.split()]
    known = [part for part in parts if part and part not in _NOT_SURNAMES]
    if not known:
        return ""
    # "van der Waals, Johannes" has the whole surname before its comma; "Johannes van der Waals" ends with it.
    return ("".join(known) if comma else known[-1])[:_LONGEST_NAME]


def _title_word(title: str) -> str:
    candidates = (_ascii(word) for word in name_key(title).split() if word not in STOPWORDS)
    return next((word[:_LONGEST_NAME] for word in candidates if len(word) > 1), "")


def _ascii(word: str) -> str:
    folded = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    return re.sub(r"[^a-z0-9]", "", folded)
