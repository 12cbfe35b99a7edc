import time

import pytest

from vectree.errors import EmbedderError, InvalidArguments
from vectree.evidence import Filters
from vectree.index.corpus_index import CorpusIndex
from vectree.index.embedder import HashEmbedder, SimilarityGates
from vectree.search.hits import MAX_SECTIONS
from vectree.search.hybrid import MAX_QUERY_CHARACTERS, HybridSearch
from vectree.testing.embedders import CosineEmbedder, CountingEmbedder
from vectree.testing.entries import make_paper

GARNET = make_paper(
    "lee2021-aaaa",
    title="Garnet electrolytes for lithium batteries",
    description="Garnets conduct lithium ions.",
    sections={
        "Introduction": "Liquid electrolytes burn.",
        "Ionic conductivity": "The conductivity of the garnet reached 1.2 mS/cm at 80 °C.",
        "Cycling": "Cells were cycled 500 times.",
    },
    authors=("Jane Lee", "Bo Müller"),
    year=2021,
    journal="Nature Energy",
)
BEES = make_paper(
    "roy2019-bbbb",
    title="Gut microbes of honey bees",
    description="Pesticides change the gut of bees.",
    sections={"Introduction": "Bees pollinate.", "Microbiome": "Snodgrassella declined in exposed bees."},
    authors=("A. Roy",),
    year=2019,
)
OLD = make_paper(
    "old2015-cccc",
    title="Garnet conductivity conductivity conductivity garnet",
    sections={"Results": "garnet conductivity"},
    authors=("Jane Lee",),
    year=2015,
)


def search_over(tmp_path, *papers, embedder=None, thresholds=None):
    chosen = embedder or HashEmbedder()
    index = CorpusIndex(tmp_path / "index", chosen)
    index.add_all(papers)
    return HybridSearch(index, chosen, thresholds)


def ids(result):
    return [hit.doc_id for hit in result.hits]


@pytest.fixture
def three(tmp_path):
    return search_over(tmp_path, GARNET, BEES, OLD)


def test_the_paper_that_is_about_the_query_comes_first_with_its_sections(three):
    result = three.search("garnet conductivity at 80 °C")
    assert set(ids(result)) == {"lee2021-aaaa", "old2015-cccc"}
    hit = next(hit for hit in result.hits if hit.doc_id == "lee2021-aaaa")
    assert hit.sections[0].title == "2 Ionic conductivity"
    assert hit.sections[0].node_id == "0002"
    assert hit.sections[0].pages.first == 2
    assert hit.best_entry in ("document", "0002")
    assert (result.total_matches, result.total_documents) == (2, 3)


def test_a_paper_has_the_best_of_its_entries_in_each_score(tmp_path):
    def cosine(text):
        return {"Garnet": 0.4, "Ionic": 0.9, "Intro": 0.1, "Cycli": 0.2}.get(text[:6].strip()[:6], 0) or next(
            (value for start, value in {"Garnet": 0.4, "Ionic": 0.9}.items() if text.startswith(start)), 0.1
        )

    hit = search_over(tmp_path, GARNET, embedder=CosineEmbedder(cosine)).search("conductivity").hits[0]
    assert hit.similarity == pytest.approx(0.9, abs=1e-6)
    assert hit.best_entry == "0002"
    assert hit.bm25 == max(hit.bm25, *(section.bm25 for section in hit.sections))


def test_only_sections_that_match_are_listed_and_not_too_many(tmp_path):
    sections = {f"Part {i}": f"conductivity {i}" for i in range(9)} | {"Bees": "honey"}
    paper = make_paper("many", title="Conductivity", sections=sections)
    quiet = CosineEmbedder(lambda _: 0.0)
    hit = search_over(tmp_path, paper, embedder=quiet).search("conductivity").hits[0]
    assert len(hit.sections) == MAX_SECTIONS
    assert all(section.bm25 > 0 for section in hit.sections)


def test_scores_are_plain_floats(three):
    hit = three.search("garnet").hits[0]
    assert {type(value) for value in (hit.rrf, hit.similarity, hit.bm25, hit.sections[0].rrf)} == {float}


def test_c14_three_words_of_the_title_find_the_only_paper(tmp_path):
    for number, embedder in enumerate([HashEmbedder(), CosineEmbedder(lambda _: 0.0)]):
        for sections in ({}, {"Garnet": "garnet electrolytes lithium"}, None):
            paper = make_paper("only", title="Garnet electrolytes for lithium batteries", sections=sections)
            found = search_over(tmp_path / f"{number}{sections}"[:20], paper, embedder=embedder)
            assert ids(found.search("garnet electrolytes lithium")) == ["only"]


def test_c14_adding_an_unrelated_paper_never_removes_a_hit(tmp_path):
    embedder = CosineEmbedder(lambda _: 0.0)
    index = CorpusIndex(tmp_path / "index", embedder)
    index.add(*GARNET)
    for number in range(49):
        assert "lee2021-aaaa" in ids(HybridSearch(index, embedder).search("garnet electrolytes lithium"))
        index.add(*make_paper(f"other{number}", title=f"Bees number {number}"))


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_c16_an_empty_query_is_an_error_the_model_can_read(three, query):
    with pytest.raises(InvalidArguments, match="query is empty"):
        three.search(query)


@pytest.mark.parametrize("query", ["the of and", "zzqq", "p53: role in (apoptosis", "AND", "5*"])
def test_c16_odd_queries_are_text_and_find_nothing_here(tmp_path, query):
    found = search_over(tmp_path, GARNET, BEES, embedder=CosineEmbedder(lambda _: 0.1)).search(query)
    assert found.hits == ()
    assert "None of the 2 papers searched is relevant" in found.note


@pytest.mark.parametrize("query", ["?!", "...", "—", "* *"])
def test_c16_a_query_without_a_word_embeds_nothing(tmp_path, query):
    embedder = CountingEmbedder(HashEmbedder())
    result = search_over(tmp_path, GARNET, embedder=embedder).search(query)
    assert (result.hits, embedder.queries) == ((), 0)
    assert "no word" in result.note


@pytest.mark.parametrize("query", ["the of and", "zzqq"])
def test_c16_stopwords_and_unknown_words_have_no_sparse_rank(three, query):
    assert all(decision.sparse_rank is None for decision in three.explain(query))


def test_c16_a_query_of_twenty_thousand_characters_is_cut_and_says_so(three):
    start = time.perf_counter()
    result = three.search("garnet conductivity " * 1_000)
    assert time.perf_counter() - start < 2
    assert f"first {MAX_QUERY_CHARACTERS:,} characters" in result.note
    assert ids(result)


@pytest.mark.parametrize(("top_k", "offset"), [(0, 0), (-1, 0), (5, -1)])
def test_c16_numbers_out_of_range_are_refused(three, top_k, offset):
    with pytest.raises(InvalidArguments, match="top_k >= 1"):
        three.search("garnet", top_k=top_k, offset=offset)


def test_c16_more_results_than_papers_may_be_asked_for(three):
    assert len(three.search("*", top_k=20).hits) == 3


@pytest.mark.parametrize("gates", [True, False])
def test_c17_no_result_lies_outside_the_filter_and_ranks_are_taken_within_it(three, gates):
    result = three.search("garnet conductivity", filters=Filters(year_min=2020), gates=gates)
    assert ids(result) == ["lee2021-aaaa"]
    assert result.hits[0].rrf == pytest.approx(2 / 61)
    both = three.search("garnet conductivity", filters=Filters(year_min=2016, author="Lee"), gates=gates)
    assert ids(both) == ["lee2021-aaaa"]


def test_filters_that_exclude_everything_say_so_without_embedding(tmp_path):
    embedder = CountingEmbedder(HashEmbedder())
    result = search_over(tmp_path, GARNET, BEES, embedder=embedder).search(
        "bees", filters=Filters(year_min=2030)
    )
    assert (result.hits, embedder.queries) == ((), 0)
    assert result.note == "None of the 2 papers passes the filters."


def test_c18_an_off_topic_query_finds_nothing_and_is_told_how_to_go_on(tmp_path):
    quiet = search_over(tmp_path, GARNET, BEES, OLD, embedder=CosineEmbedder(lambda _: 0.3))
    result = quiet.search("qwertz ledger invoice")
    assert (result.hits, result.total_matches) == ((), 0)
    assert "synonyms" in result.note


def test_c18_the_thresholds_are_those_of_the_embedder(tmp_path):
    loud = CosineEmbedder(lambda _: 0.9, gates=SimilarityGates(relevant=0.95, strong=0.98))
    assert search_over(tmp_path, GARNET, BEES, embedder=loud).search("qwertz ledger invoice").hits == ()


def test_c18_each_candidate_shows_both_scores_both_ranks_and_the_gate_that_decided(three):
    decisions = three.explain("garnet conductivity at 80 degrees")
    assert len(decisions) == 3
    best = decisions[0]
    assert best.verdict.kept
    assert (best.dense_rank, best.sparse_rank) != (None, None)
    assert decisions[-1].doc_id == "roy2019-bbbb"
    assert not decisions[-1].verdict.kept


def test_c19_without_gates_the_order_is_that_of_raw_fusion_with_the_same_scores(three):
    gated = {hit.doc_id: hit for hit in three.search("garnet conductivity").hits}
    raw = three.search("garnet conductivity", gates=False).hits
    assert [hit.rrf for hit in raw] == sorted((hit.rrf for hit in raw), reverse=True)
    for hit in raw:
        if hit.doc_id in gated:
            assert (hit.similarity, hit.bm25) == (gated[hit.doc_id].similarity, gated[hit.doc_id].bm25)


def test_c25_a_listing_counts_all_pages_without_embedding_or_overlap(tmp_path):
    embedder = CountingEmbedder(HashEmbedder(8))
    papers = [
        make_paper(
            f"p{i:03d}",
            title=f"Title {i % 7}",
            year=2021 if i < 37 else 2020,
            authors=("K. Lee",) if i < 12 else ("K. Leeman",),
        )
        for i in range(120)
    ]
    search = search_over(tmp_path, *papers, embedder=embedder)
    wanted = Filters(year_min=2021, year_max=2021, author="Lee")
    pages = [search.search(" * ", top_k=5, offset=offset, filters=wanted) for offset in (0, 5, 10)]
    assert [page.total_matches for page in pages] == [12, 12, 12]
    seen = [doc_id for page in pages for doc_id in ids(page)]
    assert sorted(seen) == [f"p{i:03d}" for i in range(12)]
    assert seen == [doc_id for page in pages for doc_id in ids(page)]
    assert embedder.queries == 0
    assert pages[0].hits[0].similarity is None


def test_a_listing_is_ordered_by_year_then_title(tmp_path):
    papers = [
        make_paper("a", title="Zinc", year=2020),
        make_paper("b", title="Äther", year=2020),
        make_paper("c", title="Any"),
        make_paper("d", title="Old", year=1999),
    ]
    assert ids(search_over(tmp_path, *papers).search("*")) == ["b", "a", "d", "c"]


def test_pages_of_results_do_not_overlap(tmp_path):
    papers = [make_paper(f"p{i:02d}", title=f"garnet number {i}") for i in range(60)]
    search = search_over(tmp_path, *papers, embedder=CosineEmbedder(lambda _: 0.5))
    everything = ids(search.search("garnet", top_k=100))
    paged = [
        doc_id
        for offset in range(0, 60, 7)
        for doc_id in ids(search.search("garnet", top_k=7, offset=offset))
    ]
    assert paged == everything
    assert search.search("garnet", offset=1_000).hits == ()


def test_equal_scores_are_ordered_by_doc_id_whatever_the_order_of_adding(tmp_path):
    papers = [make_paper(name, title="garnet", sections={}) for name in "dbca"]
    for number, order in enumerate((papers, papers[::-1])):
        found = search_over(tmp_path / str(number), *order, embedder=CosineEmbedder(lambda _: 0.8))
        assert ids(found.search("garnet")) == list("abcd")


def test_an_empty_library_answers_with_a_fact(tmp_path):
    result = search_over(tmp_path).search("garnet")
    assert (result.hits, result.total_documents, result.note) == ((), 0, "The library is empty.")


def test_c36_a_paper_of_three_thousand_authors_is_found_by_its_title(tmp_path):
    big = make_paper(
        "big", title="Search for the Higgs boson", authors=tuple(f"A{i} B{i}" for i in range(3_000))
    )
    found = search_over(tmp_path, big, GARNET, BEES, embedder=CosineEmbedder(lambda _: 0.0))
    assert ids(found.search("Higgs boson search")) == ["big"]
    assert ids(found.search("*", filters=Filters(author="B2999"))) == ["big"]


def test_a_query_vector_that_is_none_is_refused(tmp_path):
    class Broken(HashEmbedder):
        def embed_query(self, text):
            return super().embed_query(text)[:3]

    with pytest.raises(EmbedderError, match="'hash'"):
        search_over(tmp_path, GARNET, embedder=Broken()).search("garnet")


def test_c35_a_search_tokenizes_no_entry_again(tmp_path, monkeypatch):
    search = search_over(tmp_path, GARNET, BEES)
    calls = []
    monkeypatch.setattr("vectree.index.postings.words", lambda text: calls.append(text) or [])
    for _ in range(5):
        search.search("garnet")
    assert calls == []
