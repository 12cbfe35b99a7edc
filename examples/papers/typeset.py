"""Typeset the example papers: ``src/*.typ`` to PDF, the same bytes every time.

    python examples/papers/typeset.py            write the PDFs beside this file
    python examples/papers/typeset.py --check    write nothing; fail if a PDF differs from its source

Needs the ``typst`` package (``make papers`` installs it). The PDFs are committed, so nothing else needs it.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
SHARED = {"template.typ", "looks.typ", "plot.typ"}
STAMP = datetime(2026, 1, 1, tzinfo=UTC)
"""Time of writing stored in every file; a fixed one keeps the bytes the same."""


def papers() -> list[Path]:
    """List the sources that are papers, in order of name."""
    return sorted(source for source in SOURCES.glob("*.typ") if source.name not in SHARED)


def typeset(source: Path) -> bytes:
    """Set one paper with the typefaces inside the typst package only, and without network."""
    import typst

    pdf = typst.compile(source, root=SOURCES, format="pdf", ignore_system_fonts=True, timestamp=STAMP)
    assert isinstance(pdf, bytes)
    return pdf


def main(arguments: list[str] | None = None) -> int:
    """Typeset or check every paper; the exit code is 1 if a check fails."""
    parser = argparse.ArgumentParser(description="Typeset the example papers.")
    parser.add_argument("--check", action="store_true", help="compare with the PDFs instead of writing them")
    check = parser.parse_args(arguments).check
    stale = 0
    for source in papers():
        target = HERE / f"{source.stem}.pdf"
        pdf = typeset(source)
        same = target.exists() and target.read_bytes() == pdf
        if check and not same:
            stale += 1
        elif not check and not same:
            target.write_bytes(pdf)
        state = "unchanged" if same else ("DIFFERS" if check else "written")
        print(f"{target.name}: {len(pdf) / 1000:.0f} kB, {state}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
