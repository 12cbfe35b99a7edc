"""What a document is about: one sentence and keywords, without a model (§3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vectree.document import Metadata, Page, SectionTree
from vectree.ingest.keywords import find_keywords
from vectree.ingest.lexicon import is_abstract_title
from vectree.ingest.parse import ParsedDocument
from vectree.ingest.prose import Sentence, plain_text, prose_sentences
from vectree.normal import match_key
from vectree.tokens import CHARACTERS_PER_TOKEN
from vectree.tree.outline import clip
from vectree.tree.slices import section_texts
from vectree.tree.walk import walk
from vectree.words import content_words

MAX_DESCRIPTION = 400
"""Characters of a description; a longer sentence is cut at a word."""

_AIM = re.compile(
    r"\b(?:(?:here|herein|in this (?:paper|work|study|article|review|report|letter|thesis)),? ?(?:we|the)?"
    r"|we (?:here )?(?:present|propose|introduce|describe|report|develop|show|demonstrate|investigate)"
    r"|this (?:paper|study|work|article|review|report|thesis|survey|publication|document|supplement)\b"
    r"|(?<!these )(?<!those )\b(?:aim|purpose|objective|goal)s? (?:of|was|were|is)"
    r"|in dieser arbeit|diese arbeit|cette thèse|nous (?:présentons|proposons)|se estudia|este trabajo"
    r"|presentamos)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:to (?:investigate|determine|evaluate|assess|examine)|was (?:performed|conducted|designed)|we)\b",
    re.IGNORECASE,
)
_ABSTRACT_TOKENS = 6_000
_FIRST_SECTIONS = 4
_AIM_WITHIN = 80


def describe(
    document: ParsedDocument, metadata: Metadata, tree: SectionTree, pages: Sequence[Page]
) -> Metadata:
    """Add a description and keywords to metadata.

    Args:
        document: A parsed document.
        metadata: What the bibliographic rules found.
        tree: The document's tree.
        pages: Its pages.

    Returns:
        The metadata with ``description`` (a sentence of the abstract or of the best text there is, else
        empty) and ``keywords``.
    """
    abstract = document.info.get("abstract", "")[: CHARACTERS_PER_TOKEN * _ABSTRACT_TOKENS]
    abstract = abstract or abstract_text(tree, pages)
    description = describing_sentence(abstract, metadata.title)
    titles = [node.title for node in walk(tree) if not node.synthetic]
    keywords = find_keywords(document, metadata.title, abstract, titles)
    provenance = dict(metadata.provenance)
    provenance.update(
        {name: "rules" for name, value in (("description", description), ("keywords", keywords)) if value}
    )
    return replace(metadata, description=description, keywords=keywords, provenance=provenance)


def abstract_text(tree: SectionTree, pages: Sequence[Page]) -> str:
    """The abstract, or the text that comes nearest to one.

    Args:
        tree: The document's tree.
        pages: Its pages.

    Returns:
        Plain text of the section called abstract or summary, else of the first sections, title block
        included; empty if there is no prose in it.
    """
    texts = section_texts(tree, pages)
    nodes = list(walk(tree))
    named = [(node, *node.children) for node in nodes if is_abstract_title(node.title)]
    for branch in (*named, tuple(nodes[:_FIRST_SECTIONS])):
        parts = [plain_text(texts[part.id], part.printed) for part in branch]
        text = "\n\n".join(part for part in parts if part)
        if prose_sentences(text):
            return text[: CHARACTERS_PER_TOKEN * _ABSTRACT_TOKENS]
    return ""


def describing_sentence(abstract: str, title: str) -> str:
    """The sentence that says best what a document is about.

    Args:
        abstract: Its abstract.
        title: Its title.

    Returns:
        One sentence, verbatim unless it is longer than ``MAX_DESCRIPTION``; empty if there is no prose.
    """
    own = match_key(title)
    candidates = [each for each in prose_sentences(abstract)[:40] if match_key(each.text) not in own]
    if not candidates:
        return ""
    title_words = frozenset(content_words(title))
    best = max(candidates, key=lambda sentence: (_aboutness(sentence, title_words), -sentence.place))
    return clip(best.text, MAX_DESCRIPTION)


def _aboutness(sentence: Sentence, title_words: frozenset[str]) -> float:
    shared = len(title_words & sentence.words)
    length = len(sentence.text)
    score = shared / (1 + len(title_words))
    score += 0.5 if _AIM.search(sentence.text[:_AIM_WITHIN]) else 0.15 * bool(_PURPOSE.search(sentence.text))
    score -= 0.02 * min(sentence.place, 15)
    return score - 0.3 * (length > MAX_DESCRIPTION) - 0.2 * (length < 60)
