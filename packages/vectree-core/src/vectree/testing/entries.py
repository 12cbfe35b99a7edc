"""Small papers for tests: a record and a section tree from a few words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from vectree.document import DocumentStatus, Metadata, Node, PageRange, Record, SectionTree, SummarySource


def make_paper(
    doc_id: str,
    *,
    title: str = "",
    sections: Mapping[str, str] | None = None,
    **metadata: Any,
) -> tuple[Record, SectionTree]:
    """Make a paper of one page a section.

    Args:
        doc_id: Its id.
        title: Its title; the id if left out.
        sections: Section title → summary; an introduction and results if left out.
        **metadata: Further fields of `Metadata`.

    Returns:
        The record and the tree.
    """
    given = {"Introduction": "", "Results": ""} if sections is None else sections
    nodes = make_nodes(list(given.items()))
    total = max(len(nodes), 1)
    record = Record(
        doc_id=doc_id,
        sha256=hashlib.sha256(doc_id.encode()).hexdigest(),
        sources=(f"papers/{doc_id}.pdf",),
        total_pages=total,
        status=DocumentStatus.OK,
        metadata=Metadata(title=title or doc_id, **metadata),
    )
    return record, SectionTree(total_pages=total, nodes=nodes)


def make_nodes(sections: Sequence[tuple[str, str]]) -> tuple[Node, ...]:
    """Make top-level nodes, one page each.

    Args:
        sections: Pairs of title and summary.

    Returns:
        Nodes with ids ``0001``, ``0002``, ….
    """
    return tuple(
        Node(
            id=f"{place:04d}",
            number=str(place),
            title=title,
            pages=PageRange(first=place, last=place),
            summary=summary,
            summary_source=SummarySource.EXTRACTIVE if summary else SummarySource.NONE,
        )
        for place, (title, summary) in enumerate(sections, start=1)
    )
