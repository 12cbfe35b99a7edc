"""What a check is given and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vectree.agent.library import Library
from vectree.evaluate.mosaic.desk import Desk
from vectree.evaluate.mosaic.draft import Draft
from vectree.evaluate.mosaic.settings import BuildSettings, Kind
from vectree.evaluate.mosaic.sources import Source
from vectree.evaluate.systems.chunk_index import ChunkIndex

EVERY_KIND = frozenset(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything a check may use.

    Attributes:
        desk: Where to ask.
        library: The corpus.
        doc_ids: Every document of the corpus.
        sources: What the draft was drafted from.
        passages: Gives the corpus cut into passages, for flat retrieval; built when first asked for.
        accepted: Questions of the set so far.
        settings: Of the builder.
    """

    desk: Desk
    library: Library
    doc_ids: Sequence[str]
    sources: Sequence[Source]
    passages: Callable[[], ChunkIndex]
    accepted: Sequence[Draft]
    settings: BuildSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A check.

    Attributes:
        name: Name in the journal.
        find: Looks for a fault; gives its reason, or an empty text.
        kinds: Questions it is made for.
        repairable: Whether a draft that fails may be repaired.
    """

    name: str
    find: Callable[[Draft, Bench], str]
    kinds: frozenset[Kind] = EVERY_KIND
    repairable: bool = False
