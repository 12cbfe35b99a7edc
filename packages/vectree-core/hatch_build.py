"""Puts the example papers into built distributions, so that ``vectree demo`` works without a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "vectree/demo_papers"


class PapersHook(BuildHookInterface[Any]):
    """Adds ``examples/papers/*.pdf`` of the repository; a source archive has them already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Register the files.

        Args:
            version: ``"standard"`` or ``"editable"``; an editable install reads the repository itself.
            build_data: Where files are registered.
        """
        if version == "editable":
            return
        place = PLACE if self.target_name == "wheel" else f"src/{PLACE}"
        for paper in sorted((Path(self.root).parents[1] / "examples" / "papers").glob("*.pdf")):
            build_data["force_include"][str(paper)] = f"{place}/{paper.name}"
