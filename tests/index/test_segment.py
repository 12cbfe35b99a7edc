import numpy as np
import pytest

from vectree.document import Record
from vectree.index.embedder import HashEmbedder
from vectree.index.entries import Template
from vectree.index.manifest import SegmentInfo
from vectree.index.preparing import prepare
from vectree.index.rows import make_row
from vectree.index.segment import NO_YEAR, build_segment, entry_mask, merge_segments
from vectree.index.segment_files import open_segment, write_segment
from vectree.testing.entries import make_paper

PAPERS = [
    make_paper("a", title="Ä title", year=2021, authors=("Bo Müller", "王伟"), journal="Nature"),
    make_paper("b", sections={}),
    make_paper("c", year=99_999, sections={"Results": "ions"}),
]


def prepared(paper):
    return prepare(*paper, template=Template.TITLE_FIRST, embedder=HashEmbedder(16), known={})[0]


def segment_of(*papers):
    return build_segment([prepared(paper) for paper in papers])


def flat(segment):
    """Every array of a segment as plain values."""
    parts = [segment, segment.postings, segment.columns]
    return {
        name: getattr(part, name).tolist()
        for part in parts
        for name in part.__dataclass_fields__
        if isinstance(getattr(part, name), np.ndarray)
    }


def test_entries_are_sorted_by_document():
    segment = segment_of(*PAPERS)
    assert (segment.documents, segment.entries) == (3, 3 + 1 + 2)
    assert [segment.span(i) for i in range(3)] == [slice(0, 3), slice(3, 4), slice(4, 6)]
    assert entry_mask(segment.columns, np.array([False, True, True])).tolist() == [False] * 3 + [True] * 3


def test_rows_and_names_are_one_line_a_document():
    segment = segment_of(*PAPERS)
    for number, (record, _) in enumerate(PAPERS):
        assert isinstance(record, Record)
        assert segment.row(number) == make_row(record, prepared(PAPERS[number]).entries)
    assert segment.authors.tobytes().decode() == "\tbo muller\t王伟\n\n\n"
    assert segment.journals.tobytes() == b"nature\n\n\n"


def test_a_year_that_is_none_is_unknown():
    assert segment_of(*PAPERS).columns.years.tolist() == [2021, NO_YEAR, NO_YEAR]


@pytest.mark.parametrize("stays", [[True, True, True], [True, False, True], [False, True, False]])
def test_merging_equals_building_from_the_documents_that_stay(stays):
    other = make_paper("d", title="Another", authors=("Zoë",))
    merged = merge_segments([(segment_of(*PAPERS), np.array(stays)), (segment_of(other), np.array([True]))])
    kept = [paper for paper, alive in zip(PAPERS, stays, strict=True) if alive]
    assert flat(merged) == flat(segment_of(*kept, other))


def test_a_written_segment_is_read_back(tmp_path):
    segment = segment_of(*PAPERS)
    info = write_segment(tmp_path, segment)
    found = open_segment(tmp_path, info)
    assert flat(found) == flat(segment)
    assert found.name == info.name


def test_a_segment_whose_numbers_disagree_with_the_manifest_is_refused(tmp_path):
    info = write_segment(tmp_path, segment_of(*PAPERS))
    lying = SegmentInfo(name=info.name, documents=4, entries=info.entries, removed=(), bytes=info.bytes)
    with pytest.raises(Exception, match="arrays disagree"):
        open_segment(tmp_path, lying)


def test_an_unknown_neighbour_does_not_change_a_vector():
    both, alone = segment_of(*PAPERS), segment_of(PAPERS[2])
    assert both.vectors[both.span(2)].tolist() == alone.vectors.tolist()
