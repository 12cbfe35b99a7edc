"""Rules of the house that a linter does not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SOURCES = sorted((REPOSITORY / "packages").glob("*/src/**/*.py"))


def test_there_are_sources() -> None:
    assert len(SOURCES) > 40


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(REPOSITORY / "packages")))
def test_a_source_file_is_short_and_loads_no_pickle(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400, "split this file by concept"
    assert not re.search(
        r"^\s*(import|from) (pickle|joblib|dill|shelve)\b|allow_pickle=True", text, re.MULTILINE
    )


def test_every_package_is_marked_as_typed() -> None:
    packages = [path.parent for path in (REPOSITORY / "packages").glob("*/src/*/__init__.py")]
    assert packages
    assert [p.name for p in packages if not (p / "py.typed").is_file()] == []


def test_the_root_exports_what_it_says() -> None:
    import vectree

    public = [name for name in vectree.__all__ if not name.startswith("_")]
    assert public == sorted(public, key=str.casefold)
    assert [name for name in vectree.__all__ if not hasattr(vectree, name)] == []
