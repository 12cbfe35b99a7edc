"""docs/paper-map.md names only what exists."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SOURCE = REPOSITORY / "packages" / "vectree-core" / "src" / "vectree"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (REPOSITORY / "docs" / "paper-map.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith("|-")
][1:]


def _named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_module_and_test_exists() -> None:
    missing = [name for row in ROWS for name in _named(row[2]) if not (SOURCE / name).exists()]
    missing += [name for row in ROWS for name in _named(row[3]) if not (REPOSITORY / "tests" / name).exists()]
    assert missing == []


def test_every_row_has_a_module_and_a_test_or_says_that_it_is_not_built() -> None:
    silent = [
        row[:2] for row in ROWS if not ((_named(row[2]) and _named(row[3])) or "not built yet" in row[2])
    ]
    assert silent == []


def test_every_subsection_of_the_method_has_a_row() -> None:
    sections = " ".join(row[0] for row in ROWS)
    for wanted in (
        "§3.1",
        "§3.2",
        "§3.3",
        "§3.4",
        "Eq. 1",
        "Eq. 3",
        "Eq. 4",
        "Eq. 5",
        "Algorithm 1",
        "Table 1",
    ):
        assert wanted in sections
