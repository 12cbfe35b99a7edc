"""A library of four small papers, scripted models on both sides, and counters for what they were asked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import sample_library

sys.path.insert(0, str(Path(__file__).parent))  # for langchain_scripts; importlib mode adds none


@pytest.fixture
def library() -> MemoryLibrary:
    return sample_library()
