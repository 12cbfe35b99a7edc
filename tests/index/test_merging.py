import pytest

from vectree.index.manifest import SegmentInfo
from vectree.index.merging import MergePolicy, living_entries

POLICY = MergePolicy()


def info(name, documents, entries, removed=0):
    return SegmentInfo(
        name=name, documents=documents, entries=entries, removed=tuple(range(removed)), bytes=1
    )


def grow(papers, entries_each=11):
    """Sizes of the segments after so many papers, and the largest merge on the way."""
    sizes, largest = [], 0
    for i in range(papers):
        sizes.append(info(f"s{i}", 1, entries_each))
        while chosen := POLICY.choose(sizes):
            names = {part.name for part in chosen}
            merged = info(f"m{i}", sum(p.documents for p in chosen), sum(p.entries for p in chosen))
            largest = max(largest, merged.entries)
            sizes = [part for part in sizes if part.name not in names] + [merged]
    return [part.entries for part in sizes], largest


def test_thousands_of_papers_lie_in_few_segments_and_no_merge_is_large():
    sizes, largest = grow(3_999)
    assert sum(sizes) == 3_999 * 11
    assert len(sizes) <= 3 + 3 * 9
    assert largest <= POLICY.max_entries


@pytest.mark.parametrize("entries_each", [1, 3, 60, 500])
def test_papers_of_any_size_lie_in_few_segments(entries_each):
    sizes, largest = grow(1_000, entries_each)
    assert largest <= POLICY.max_entries
    assert len(sizes) <= 30 + sum(sizes) // (POLICY.max_entries // 4)


def test_nothing_is_merged_while_a_tier_is_not_full():
    assert POLICY.choose([info(f"s{i}", 1, 11) for i in range(9)]) == ()


def test_a_segment_half_of_which_is_removed_is_rewritten():
    half = info("half", 4, 40, removed=2)
    assert POLICY.choose([half, info("whole", 4, 40)]) == (half,)
    assert POLICY.choose([info("less", 5, 40, removed=2)]) == ()


def test_a_merge_never_exceeds_its_bound():
    large = [info(f"s{i}", 100, 6_000) for i in range(10)]
    chosen = POLICY.choose(large)
    assert len(chosen) >= 2
    assert sum(living_entries(part) for part in chosen) <= POLICY.max_entries
