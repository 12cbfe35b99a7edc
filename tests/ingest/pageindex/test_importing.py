from __future__ import annotations

from pathlib import Path

from vectree.document import (
    DocumentStatus,
    HeadingSource,
    Match,
    Metadata,
    Node,
    PageRange,
    Record,
    SectionTree,
    SummarySource,
)
from vectree.ingest.pageindex.exporting import export_tree
from vectree.ingest.pageindex.importing import StoredPagesParser, ingest_tree
from vectree.ingest.pageindex.reading import PageIndexTree, TreeEntry
from vectree.ingest.pipeline import Ingested
from vectree.tree.walk import walk

LONG = "The sample was measured again and again until all of the values agreed with one another. " * 12
PAGES = (
    "Ion transport in cold glass\nAda Lovelace\n\nSome words before.",
    f"1 Introduction\n{LONG}\n\n1.1 Aims\nShort.",
    "",
    f"2 Results\n{LONG}\nIn the Introduction we said so.",
    "3 Discussion\nThe end.",
)


def entry(
    title: str, page: int | None, depth: int = 1, summary: str = "", invented: bool = False
) -> TreeEntry:
    return TreeEntry(title=title, page=page, depth=depth, summary=summary, invented=invented)


ENTRIES = (
    entry("1 Introduction", 2, summary="A model said this about glass."),
    entry("Introduction (intro)", 2, 2, invented=True),
    entry("1.1 Aims", 2, 2, summary="Short."),
    entry("2. Results", 3),
    entry("2 Results; 3 Discussion", 4, invented=True),
    entry("Discussion", 99),
    entry("Nowhere to be found", 1),
)


def read(tmp_path: Path, *entries: TreeEntry, pages: tuple[str, ...] = PAGES, title: str = "") -> Ingested:
    tree = PageIndexTree(
        name="paper.pdf", title=title, description="It is about glass.", entries=entries, pages=pages
    )
    return ingest_tree(tmp_path / "tree.json", tree=tree, parser=StoredPagesParser(tree), figures=tmp_path)


def shape(found: Ingested) -> list[tuple[str, str, Match, bool]]:
    return [(node.printed, str(node.pages), node.match, node.synthetic) for node in walk(found.tree)]


def test_the_tree_is_kept_and_every_title_is_verified_or_marked(tmp_path: Path) -> None:
    found = read(tmp_path, *ENTRIES)
    assert shape(found) == [
        ("Front matter", "1", Match.NONE, True),
        ("1 Introduction", "2", Match.HEADING_LINE, False),
        ("Introduction (intro)", "2", Match.NONE, True),
        ("1.1 Aims", "2-3", Match.HEADING_LINE, False),
        ("2 Results", "4", Match.HEADING_LINE, False),
        ("2 Results; 3 Discussion", "4", Match.NONE, True),
        ("Discussion", "5", Match.HEADING_LINE, False),
        ("Nowhere to be found", "5", Match.NONE, True),
    ]
    assert [node.title for node in found.tree.nodes][:2] == ["Front matter", "Introduction"]
    assert any("sections have titles that no page shows" in warning for warning in found.warnings)
    assert found.report["headings"]["claimed"] == 7


def test_summaries_are_kept_and_missing_ones_made_by_rules(tmp_path: Path) -> None:
    nodes = {node.title: node for node in walk(read(tmp_path, *ENTRIES).tree)}
    assert nodes["Introduction"].summary == "A model said this about glass."
    assert nodes["Introduction"].summary_source is SummarySource.MODEL
    assert nodes["Aims"].summary_source is SummarySource.TEXT
    assert nodes["Results"].summary_source is SummarySource.EXTRACTIVE
    assert nodes["Results"].summary


def test_headings_are_marked_in_pages_that_came_as_text(tmp_path: Path) -> None:
    found = read(tmp_path, *ENTRIES)
    assert "# 1 Introduction\n" in found.pages[1].text
    assert "## 1.1 Aims\n" in found.pages[1].text
    assert found.pages[1].raw == PAGES[1]
    node = next(node for node in walk(found.tree) if node.title == "Aims")
    assert found.pages[1].text[node.start or 0 :].startswith("## 1.1 Aims")


def test_every_page_belongs_to_a_node_and_pages_never_go_back(tmp_path: Path) -> None:
    for pages in ((5, 1, 3), (1, 4, 2), (None, None, 2), (3, 3, 3)):
        found = read(tmp_path, *(entry(title, page) for title, page in zip("XYZ", pages, strict=True)))
        ranges = [node.pages for node in walk(found.tree)]
        assert {page for each in ranges for page in each} == set(range(1, 6))
        assert [each.first for each in ranges] == sorted(each.first for each in ranges)


def test_a_real_preface_is_no_invention(tmp_path: Path) -> None:
    found = read(tmp_path, entry("Preface", 1, invented=True), pages=("Preface\n\nWords of thanks.",))
    assert shape(found) == [("Preface", "1", Match.HEADING_LINE, False)]


def test_description_and_title_are_taken_over(tmp_path: Path) -> None:
    found = read(tmp_path, entry("X", 1), pages=("12\n", "13\n"), title="The title that PageIndex found")
    assert found.metadata.description == "It is about glass."
    assert found.metadata.provenance["description"] == "pageindex"


def test_an_export_comes_back_as_the_same_tree(tmp_path: Path) -> None:
    def node(ident: str, title: str, first: int, last: int, *children: Node, number: str = "") -> Node:
        return Node(
            id=ident,
            number=number,
            title=title,
            pages=PageRange(first=first, last=last),
            summary=f"About {title}.",
            summary_source=SummarySource.MODEL,
            source=HeadingSource.LAYOUT,
            match=Match.HEADING_LINE,
            children=children,
        )

    tree = SectionTree(
        total_pages=5,
        nodes=(
            node("0001", "Introduction", 2, 2, node("0002", "Aims", 2, 3, number="1.1"), number="1"),
            node("0003", "Results", 4, 5, number="2"),
        ),
    )
    record = Record(
        doc_id="lovelace2021-abcd",
        sha256="0" * 64,
        sources=("papers/paper.pdf",),
        total_pages=5,
        status=DocumentStatus.OK,
        metadata=Metadata(title="Ion transport", description="It is about glass."),
    )
    shown = export_tree(record, tree)
    assert (shown["doc_name"], shown["doc_description"]) == ("paper.pdf", "It is about glass.")
    first, second = shown["structure"]
    assert (first["title"], first["node_id"], first["start_index"], first["end_index"]) == (
        "1 Introduction",
        "0000",
        2,
        3,
    )
    assert [child["node_id"] for child in first["nodes"]] == ["0001"]
    assert "nodes" not in second
    again = read(
        tmp_path,
        *(
            entry(each["title"], each["start_index"], depth, each["summary"])
            for each, depth in ((first, 1), (first["nodes"][0], 2), (second, 1))
        ),
    )
    kept = [(n.printed, n.pages.first, n.summary) for n in walk(again.tree) if not n.synthetic]
    assert kept == [(n.printed, n.pages.first, n.summary) for n in walk(tree)]
