"""The three disclosure layers (§3.1, §3.3): find a paper, find the place in it, read the place."""

from __future__ import annotations

from enum import IntEnum


class Layer(IntEnum):
    """What a tool discloses, in the order in which payloads grow.

    ``CORPUS``: which papers there are. ``STRUCTURE``: the sections of one paper. ``TEXT``: pages and figures.
    """

    CORPUS = 0
    STRUCTURE = 1
    TEXT = 2
