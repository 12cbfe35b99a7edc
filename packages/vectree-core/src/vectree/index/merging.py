"""When to merge segments: a few large ones and some small ones, at a bounded cost for each change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vectree.index.manifest import SegmentInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePolicy:
    """Size-tiered merging.

    Segments whose numbers of living entries lie within one power of ``fan_in`` form a tier. A full tier is
    merged into one segment of the next. With eleven entries a paper, the sizes run 11, 110, 1,100, 11,000.

    Attributes:
        fan_in: Segments that make a tier full.
        smallest: Entries below which all segments are of the lowest tier.
        max_entries: Entries of the largest segment that a merge may write. It bounds what adding one paper
            can cost: 16,384 entries of 768 dimensions are 50 MB.
    """

    fan_in: int = 10
    smallest: int = 64
    max_entries: int = 16_384

    def choose(self, segments: Sequence[SegmentInfo]) -> tuple[SegmentInfo, ...]:
        """Find segments worth merging.

        Args:
            segments: Living segments.

        Returns:
            Segments to replace by one; empty if all is well.
        """
        for tier in sorted({self._tier(info) for info in segments}):
            members = sorted((info for info in segments if self._tier(info) == tier), key=living_entries)
            if len(members) >= self.fan_in:
                fitting = self._fitting(members[: self.fan_in])
                if len(fitting) > 1:
                    return fitting
        for info in segments:
            if 2 * info.living <= info.documents and living_entries(info) <= self.max_entries:
                return (info,)
        return ()

    def _tier(self, info: SegmentInfo) -> int:
        return max(0, math.ceil(math.log(max(living_entries(info), 1) / self.smallest, self.fan_in)))

    def _fitting(self, members: Sequence[SegmentInfo]) -> tuple[SegmentInfo, ...]:
        """The smallest members that together stay within the bound."""
        total, fitting = 0, list[SegmentInfo]()
        for info in members:
            total += living_entries(info)
            if total > self.max_entries:
                break
            fitting.append(info)
        return tuple(fitting)


def living_entries(info: SegmentInfo) -> int:
    """Estimate the entries of living documents, as if all documents had the same number.

    Args:
        info: A segment.

    Returns:
        Entries.
    """
    return info.entries * info.living // max(info.documents, 1)
