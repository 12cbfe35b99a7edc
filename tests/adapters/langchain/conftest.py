"""A library of four small papers, scripted models on both sides, and counters for what they were asked."""

from __future__ import annotations

import pytest

from vectree.testing.library import MemoryLibrary
from vectree.testing.sample_papers import sample_library


@pytest.fixture
def library() -> MemoryLibrary:
    return sample_library()
