import pytest

from vectree.errors import InvalidArguments
from vectree.evidence import Filters
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import HashEmbedder
from vectree.search.filters import select
from vectree.testing.entries import make_paper

PAPERS = [
    ("a2015", {"year": 2015, "authors": ("Jane Lee", "Max Müller"), "journal": "Nature Communications"}),
    ("b2019", {"year": 2019, "authors": ("J. Lee", "Ø. Sørensen"), "journal": "The Journal of Bees"}),
    ("c2021", {"year": 2021, "authors": ("P. van Leeuwen", "José García-López"), "journal": "Signature"}),
    ("d", {"authors": ("Lee, Sun",)}),
    ("e2021", {"year": 2021, "authors": (), "journal": "Nature"}),
    ("f2020", {"year": 2020, "authors": ("E. Schrodinger", "王伟"), "journal": "Angew. Chem."}),
]


@pytest.fixture(scope="module", params=["one segment", "a segment each"])
def index(request, tmp_path_factory):
    index = CorpusIndex(tmp_path_factory.mktemp("filters") / "index", HashEmbedder(8))
    papers = [make_paper(doc_id, **fields) for doc_id, fields in PAPERS]
    if request.param == "one segment":
        index.add_all(papers)
    else:
        for paper in papers:
            index.add(*paper)
    return index


def found(index, **filters):
    snapshot = index.snapshot()
    selection = select(snapshot, Filters(**filters))
    names = {name for name in snapshot.doc_ids if selection.chosen[snapshot.number(name)]}
    assert selection.size == len(names)
    return names, selection.excluded_unknown


def test_no_filter_lets_everything_pass(index):
    assert found(index) == ({doc_id for doc_id, _ in PAPERS}, 0)


def test_c17_years_are_inclusive_and_a_paper_without_year_is_excluded_and_counted(index):
    assert found(index, year_min=2020) == ({"c2021", "e2021", "f2020"}, 1)
    assert found(index, year_max=2015) == ({"a2015"}, 1)
    assert found(index, year_min=2019, year_max=2020) == ({"b2019", "f2020"}, 1)
    assert found(index, year_min=-5) == ({"a2015", "b2019", "c2021", "e2021", "f2020"}, 1)


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Muller", {"a2015"}),
        ("Müller", {"a2015"}),
        ("MUELLER", {"a2015"}),
        ("Schrödinger", {"f2020"}),
        ("Sorensen", {"b2019"}),
        ("Garcia Lopez", {"c2021"}),
        ("García-López", {"c2021"}),
        ("王伟", {"f2020"}),
        ("Lee", {"a2015", "b2019", "d"}),
        ("Leeuw", {"c2021"}),
        ("J. Lee", {"a2015", "b2019"}),
        ("Lee, J.", {"a2015", "b2019"}),
        ("Jane Lee", {"a2015", "b2019"}),
        ("Joan Lee", {"b2019"}),
        ("Lee Müller", set()),
        ("nobody", set()),
        ("lee.*", {"a2015", "b2019", "d"}),
        ("(", {doc_id for doc_id, _ in PAPERS}),
    ],
)
def test_c17_authors_are_found_without_accents_and_by_initials(index, author, names):
    assert found(index, author=author)[0] == names


def test_c17_a_paper_without_authors_is_excluded_and_counted(index):
    assert found(index, author="Lee")[1] == 1


@pytest.mark.parametrize(
    ("journal", "names"),
    [
        ("nature", {"a2015", "e2021"}),
        ("Nature Comm", {"a2015"}),
        ("nat commun", {"a2015"}),
        ("journal of bees", {"b2019"}),
        ("bees", {"b2019"}),
        ("ees", set()),
        ("Angew Chem", {"f2020"}),
        ("  ", {doc_id for doc_id, _ in PAPERS}),
    ],
)
def test_journals_are_found_by_the_beginnings_of_their_words(index, journal, names):
    assert found(index, journal=journal)[0] == names


def test_c17_two_filters_work_together_and_count_only_what_they_would_not_exclude_anyway(index):
    assert found(index, year_min=2010, author="Lee") == ({"a2015", "b2019"}, 2)
    assert found(index, year_min=2020, journal="nature") == ({"e2021"}, 1)
    assert found(index, year_min=2030, author="Lee") == (set(), 1)


def test_years_between_which_none_lies_are_refused(index):
    with pytest.raises(InvalidArguments, match="2021 is later than year_max 2019"):
        found(index, year_min=2021, year_max=2019)


def test_c36_the_last_of_three_thousand_authors_is_found(tmp_path):
    index = CorpusIndex(tmp_path / "index", HashEmbedder(8))
    index.add(*make_paper("big", authors=tuple(f"A. Author{i:04d}" for i in range(3_000))))
    assert found(index, author="Author2999") == ({"big"}, 0)


def test_removed_papers_do_not_pass(tmp_path):
    index = CorpusIndex(tmp_path / "index", HashEmbedder(8))
    index.add_all(make_paper(doc_id, **fields) for doc_id, fields in PAPERS)
    index.remove(["a2015", "e2021"])
    assert found(index, author="Lee") == ({"b2019", "d"}, 0)


def test_an_empty_index_has_nothing_to_filter(tmp_path):
    assert found(CorpusIndex(tmp_path / "index", HashEmbedder(8)), author="Lee", year_min=1) == (set(), 0)
