"""What is embedded and indexed: one entry for the document, one for each top-level section (§3.4).

A library of N papers with S sections each has N(1+S) entries. Passages of body text are never entries.
Deviation, if asked for: entries for deeper sections too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from vectree.document import Node, PageRange, Record, SectionTree
from vectree.errors import UsageError
from vectree.normal import match_key
from vectree.tree.walk import walk, walk_paths

DOCUMENT_ENTRY = "document"
"""Stands where a section entry has its node id."""

MAX_AUTHORS = 30
"""Authors written into a ``title-first`` entry; the author filter knows all of them."""

MAX_DEPTH = 4
"""Lowest level of sections that may have entries of their own."""

MAX_SUBSECTIONS = 40
"""Sub-sections written into the ``title-first`` entry of their section."""

SUBSECTION_WORDS = 40
"""Words taken from the summary of each of them."""


class Template(StrEnum):
    """How entries are written.

    ``PAPER``: as §3.4 has them. A document entry holds title, description, authors, journal and section titles;
    every top-level section has an entry of its title and summary.

    ``TITLE_FIRST``, the default. Deviation, measured by 218 sentences from the bodies of 36 PDFs among 41, the
    right paper first without gates (the twelve LitQA2 questions find theirs first either way):

    * Title, description, section titles, journal, keywords, then authors, so that an embedder's cap on tokens
      cuts names rather than sections. No change in rank (0.82 either way).
    * A section entry goes on with the titles and the beginnings of the summaries of its sub-sections: a
      parent's own summary is made of its preamble, and the ``Results`` of most papers has none, so that its
      entry would say nothing of what was found. First in 0.88, with titles alone 0.82, without 0.80; an entry
      for every node instead, three and a half times the vectors, 0.87.
    * Reference lists and the statements of a publisher's form have no entry: a quarter fewer vectors, no change
      in rank (0.82 with them, 0.82 without).

    The paper indexes top-level sections. ``…-2`` to ``…-4`` give the sections down to that level an entry of
    their own, for libraries of books and reports; the number of vectors grows with it.
    """

    PAPER = "paper"
    PAPER_2 = "paper-2"
    PAPER_3 = "paper-3"
    PAPER_4 = "paper-4"
    TITLE_FIRST = "title-first"
    TITLE_FIRST_2 = "title-first-2"
    TITLE_FIRST_3 = "title-first-3"
    TITLE_FIRST_4 = "title-first-4"

    @property
    def depth(self) -> int:
        """Down to which level sections have entries; 1 is the top."""
        return int(self.value[-1]) if self.value[-1].isdecimal() else 1

    @property
    def follows_paper(self) -> bool:
        """Whether entries are written as §3.4 has them."""
        return self.value.startswith("paper")

    def at_depth(self, depth: int) -> Template:
        """The same way of writing with entries down to another level.

        Args:
            depth: 1 to ``MAX_DEPTH``.

        Returns:
            The template.

        Raises:
            UsageError: If there is none of that depth.
        """
        if not 1 <= depth <= MAX_DEPTH:
            raise UsageError(f"Entry depth {depth}: allowed are 1 (the paper's) to {MAX_DEPTH}.")
        form = "paper" if self.follows_paper else "title-first"
        return Template(form if depth == 1 else f"{form}-{depth}")


def parse_template(name: str) -> Template:
    """Find an entry template by its name.

    Args:
        name: ``"paper"`` or ``"title-first"``, with ``-2``, ``-3`` or ``-4`` for deeper entries.

    Returns:
        The template.

    Raises:
        UsageError: If there is none of that name.
    """
    try:
        return Template(name)
    except ValueError:
        allowed = ", ".join(repr(template.value) for template in Template)
        raise UsageError(f"Unknown entry template {name!r}; there are {allowed}.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One text of the index.

    Attributes:
        node_id: The top-level node, or ``DOCUMENT_ENTRY``.
        title: Number and title of the section, or the title of the document.
        pages: Covering page range.
        text: What is embedded and scored.
    """

    node_id: str
    title: str
    pages: PageRange
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReport:
    """What adding a document did to the index.

    Attributes:
        doc_id: The document.
        entries: How many entries it has.
        embedded: How many of them were embedded now; the others were known from its former version.
        truncated: Entries that the embedder's cap on tokens cut, by node id.
        left_out: Top-level sections that have no entry, by node id.
    """

    doc_id: str
    entries: int
    embedded: int
    truncated: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def make_entries(
    record: Record, tree: SectionTree, template: Template = Template.TITLE_FIRST
) -> tuple[Entry, ...]:
    """Write the entries of a document.

    Args:
        record: The document and its metadata.
        tree: Its section tree.
        template: How the document entry is written.

    Returns:
        The document entry, then one entry for each section down to the template's depth, in document order.
    """
    described = _section_alone if template.follows_paper else _section_with_parts
    sections = (
        Entry(node_id=node.id, title=node.printed, pages=node.covering, text=described(node))
        for path in walk_paths(tree)
        if len(path) <= template.depth and has_entry(node := path[-1], template)
    )
    return (_document_entry(record, tree, template), *sections)


def has_entry(node: Node, template: Template = Template.TITLE_FIRST) -> bool:
    """Whether a section within the template's depth gets an entry.

    A synthetic node without text gets none, and with ``TITLE_FIRST`` no list of references. A section that has
    sub-sections is indexed whatever its title, since headings may be nested wrongly.

    Args:
        node: A node.
        template: How entries are written.

    Returns:
        Whether it is indexed.
    """
    if node.synthetic and not node.children:
        return bool(node.summary.strip())
    return template.follows_paper or bool(node.children) or not is_back_matter(node)


def is_back_matter(node: Node) -> bool:
    """Whether a section is a list of references or a statement every publisher asks for.

    Args:
        node: A node.

    Returns:
        Whether its title says so.
    """
    return _BACK_MATTER.fullmatch(match_key(node.title)) is not None


_BACK_MATTER = re.compile(
    r"references?(andnotes|cited)?|bibliography|literature(cited)?|workscited|notesandreferences"
    r"|acknowledge?ments?|funding|fundings?(information|sources?|statement)"
    r"|(declarationof)?(competing|conflicts?of|conflicting)interests?(statement)?|disclosures?"
    r"|authors?(contributions?|information|details)|creditauthorshipcontributionstatement"
    r"|publishersnote|rightsandpermissions|openaccess|consentforpublication|additionalinformation"
    r"|abbreviations|literaturverzeichnis|bibliographie|bibliografía|referencias|références|quellenverzeichnis"
)


def _section_alone(node: Node) -> str:
    """Title and summary; the title of a synthetic node is not the authors' word."""
    return _lines("" if node.synthetic else node.title, node.summary)


def _section_with_parts(node: Node) -> str:
    parts = (
        f"{part.title} {' '.join(part.summary.split()[:SUBSECTION_WORDS])}"
        for part in islice(walk(node), 1, MAX_SUBSECTIONS + 1)
    )
    return _lines(_section_alone(node), *parts)


def _document_entry(record: Record, tree: SectionTree, template: Template) -> Entry:
    about = record.metadata
    titles = "; ".join(node.title for node in tree.nodes if not node.synthetic)
    journal = about.journal or ""
    if template.follows_paper:
        text = _lines(about.title, about.description, ", ".join(about.authors), journal, titles)
    else:
        authors = ", ".join(about.authors[:MAX_AUTHORS])
        text = _lines(about.title, about.description, titles, journal, ", ".join(about.keywords), authors)
    return Entry(
        node_id=DOCUMENT_ENTRY,
        title=about.title,
        pages=PageRange(first=1, last=max(record.total_pages, 1)),
        text=text,
    )


def _lines(*parts: str) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())
