from dataclasses import replace

import pytest

from vectree.document import (
    DocumentStatus,
    Metadata,
    Node,
    Page,
    PageRange,
    Record,
    SectionTree,
    TextStatus,
)
from vectree.errors import InvalidArguments
from vectree.index.embedder import HashEmbedder
from vectree.search.paper_index import EMBEDDED_A_QUERY
from vectree.search.within import LIKELY_PAGES, WithinSearch, search_within
from vectree.testing.embedders import CosineEmbedder, CountingEmbedder

QUIET = CosineEmbedder(lambda _: 0.0)
FILLER = "the cells were treated as before and nothing of note was seen in them. " * 6


def page(number, text):
    return Page(number=number, raw=text, text=text, status=TextStatus.TEXT)


def node(node_id, title, first, last, *children, summary="", synthetic=False):
    return Node(
        id=node_id,
        number="",
        title=title,
        pages=PageRange(first=first, last=last),
        summary=summary,
        children=children,
        synthetic=synthetic,
    )


PAGES = (
    page(1, f"## Introduction\n\nPolymers replace liquids.\n\n{FILLER}"),
    page(2, f"## Study 1\n\n### Methods\n\nGarnet pellets were pressed.\n\n{FILLER}"),
    page(3, f"### Results\n\n{FILLER}"),
    page(4, f"Garnet conductivity reached 1.2 mS/cm; the garnet conductivity fell on cooling.\n\n{FILLER}"),
    page(5, f"## Study 2\n\n### Results\n\nPolymer conductivity stayed low.\n\n{FILLER}"),
    page(
        6, "## References\n\n1. Garnet conductivity. 2. Garnet conductivity of garnet. Garnet conductivity."
    ),
)
TREE = SectionTree(
    total_pages=6,
    nodes=(
        node("0001", "Introduction", 1, 1),
        node("0002", "Study 1", 2, 2, node("0003", "Methods", 2, 2), node("0004", "Results", 3, 4)),
        node("0005", "Study 2", 5, 5, node("0006", "Results", 5, 5)),
        node("0007", "References", 6, 6),
    ),
)
RECORD = Record(
    doc_id="a",
    sha256="0" * 64,
    sources=(),
    total_pages=6,
    status=DocumentStatus.OK,
    metadata=Metadata(title="A"),
)


def within(query, *, embedder=QUIET, tree=TREE, pages=PAGES, top_k=5):
    return search_within(RECORD, tree, pages, query, embedder=embedder, top_k=top_k)


def test_c06_a_deeper_section_is_found_with_its_path_and_its_own_pages():
    hit = within("garnet conductivity")[0]
    assert (hit.node_id, hit.path) == ("0004", "Study 1 > Results")
    assert hit.pages == PageRange(first=3, last=4)
    assert within("polymer conductivity")[0].path == "Study 2 > Results"


def test_the_page_on_which_the_words_concentrate_is_named_first():
    assert within("garnet conductivity")[0].likely_pages[0] == 4
    assert all(len(hit.likely_pages) <= LIKELY_PAGES for hit in within("garnet cells treated"))


def test_likely_pages_are_measured_by_the_best_page_of_the_paper():
    hits = within("garnet conductivity", top_k=9)
    assert max(share for hit in hits for share in hit.likely_shares) == 1.0
    for hit in hits:
        assert len(hit.likely_shares) == len(hit.likely_pages)
        assert list(hit.likely_shares) == sorted(hit.likely_shares, reverse=True)


def test_likely_pages_lie_in_the_section():
    for hit in within("garnet conductivity polymers cells"):
        assert all(number in hit.pages for number in hit.likely_pages)


def test_references_come_after_every_other_section():
    assert within("garnet conductivity")[-1].node_id == "0007"


def test_a_section_may_be_found_by_its_summary_alone():
    tree = replace(TREE, nodes=(node("0001", "Introduction", 1, 1, summary="batteries"), *TREE.nodes[1:]))
    near = CosineEmbedder(lambda text: 0.9 if "batteries" in text else 0.0)
    hits = within("accumulators", embedder=near, tree=tree)
    assert [hit.node_id for hit in hits] == ["0001"]
    assert hits[0].similarity == pytest.approx(0.9, abs=1e-6)


def test_a_synthetic_title_is_not_taken_for_the_authors_words():
    tree = replace(TREE, nodes=(node("0001", "Front matter", 1, 1, synthetic=True), *TREE.nodes[1:]))
    assert within("front matter", tree=tree) == ()


def test_no_more_than_asked_and_nothing_for_what_does_not_occur():
    assert len(within("conductivity", top_k=1)) == 1
    assert within("zzqq") == ()
    assert within("the of") == ()
    assert within("?!") == ()


@pytest.mark.parametrize(("query", "top_k"), [("", 5), ("  ", 5), ("garnet", 0)])
def test_an_empty_query_and_a_silly_number_are_refused(query, top_k):
    with pytest.raises(InvalidArguments):
        within(query, top_k=top_k)


def test_a_paper_without_text_has_no_hits():
    empty = tuple(page(number, "") for number in range(1, 7))
    assert within("garnet", pages=empty) == ()


def test_a_paper_is_embedded_once_and_again_only_when_it_changes():
    embedder = CountingEmbedder(HashEmbedder())
    search = WithinSearch(embedder)
    first = search.search(RECORD, TREE, PAGES, "garnet conductivity")
    assert embedder.documents == 7
    assert search.search(RECORD, TREE, PAGES, "garnet conductivity") == first
    assert embedder.documents == 7
    changed = replace(TREE, nodes=TREE.nodes[:-1])
    search.search(RECORD, changed, PAGES, "garnet conductivity")
    assert embedder.documents == 13


def test_only_the_last_papers_are_kept():
    embedder = CountingEmbedder(HashEmbedder())
    search = WithinSearch(embedder, kept=2)
    for name in ("a", "b", "c", "b", "a"):
        search.search(replace(RECORD, doc_id=name), TREE, PAGES, "garnet")
    assert embedder.documents == 7 * 4


@pytest.mark.parametrize("query", ["pellet", "pellets", "Pellets"])
def test_singular_and_plural_are_one_word(query):
    assert within(query)[0].node_id == "0003"


def test_a_stopword_does_not_become_a_word_by_losing_its_s():
    tree = replace(TREE, nodes=(node("0001", "Doe", 1, 1), *TREE.nodes[1:]))
    assert within("does", tree=tree) == ()


def test_what_is_nested_below_a_list_of_references_is_not_punished_for_it():
    misplaced = replace(TREE.nodes[3], children=(node("0008", "Garnet outlook", 6, 6),))
    hits = within("garnet conductivity", tree=replace(TREE, nodes=(*TREE.nodes[:3], misplaced)))
    assert hits[0].node_id == "0008"


def test_of_a_book_only_the_sections_its_words_find_best_are_embedded_whatever_was_asked_before():
    nodes = tuple(node(f"{n:04d}", f"Chapter {n}", n, n, summary=f"Lithium {n}.") for n in range(1, 61))
    tree = SectionTree(total_pages=60, nodes=nodes)
    pages = [page(n, "bees" if n < 30 else "lithium") for n in range(1, 61)]
    counting = CountingEmbedder(HashEmbedder())
    search = WithinSearch(counting)
    first = search.search(RECORD, tree, pages, "lithium", top_k=60)
    assert counting.documents == EMBEDDED_A_QUERY
    assert all(hit.similarity == 0 for hit in first if hit.pages.first < 30)
    search.search(RECORD, tree, pages, "bees", top_k=60)
    assert counting.documents == 2 * EMBEDDED_A_QUERY
    assert search.search(RECORD, tree, pages, "lithium", top_k=60) == first
    assert counting.documents == 2 * EMBEDDED_A_QUERY
