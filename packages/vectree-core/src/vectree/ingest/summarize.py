"""Section summaries without a model: a short section's own text, else its most telling sentences (§3.2).

A summary serves two readers: an agent that decides whether to open a section, and the section's index entry.
Both want the words that set this section apart from the others, so sentences are chosen to cover those words:
frequent here, rare elsewhere in the paper. Sentences are verbatim and keep their order.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vectree.document import Node, Page, SectionTree, SummarySource
from vectree.ingest.front_words import BACK_MATTER_KEYS
from vectree.ingest.lexicon import is_contents_title, is_reference_title
from vectree.ingest.prose import Sentence, plain_text, prose_sentences
from vectree.normal import match_key
from vectree.tokens import count_tokens
from vectree.tree.outline import clip
from vectree.tree.slices import section_texts
from vectree.tree.walk import map_nodes
from vectree.words import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySettings:
    """How long summaries are.

    Attributes:
        short_tokens: A section with fewer tokens keeps its text (§3.2).
        max_words: Words of an extractive summary.
        back_matter_characters: Characters of a reference list or of acknowledgements that are kept.
    """

    short_tokens: int = 200
    max_words: int = 120
    back_matter_characters: int = 240


_FINDING = re.compile(
    r"\b(?:we (?:show|find|found|report|propose|present|demonstrate|introduce|observe|develop|conclude)"
    r"|our (?:results|findings|data|method|approach)|results? (?:show|suggest|indicate|demonstrate)"
    r"|in (?:conclusion|summary)|significant\w*|increase[ds]?|decrease[ds]?|outperform\w*|reveal\w*"
    r"|this (?:paper|study|work|section))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")


def summarize_tree(
    tree: SectionTree, pages: Sequence[Page], settings: SummarySettings | None = None
) -> SectionTree:
    """Give every section its summary.

    Args:
        tree: The tree.
        pages: Every page of the document.
        settings: Lengths; the paper's bound for short sections if not given.

    Returns:
        The same tree with ``summary`` and ``summary_source`` set. A parent is summarised from its preamble;
        one without preamble, like a section without text, has no summary.
    """
    chosen = settings or SummarySettings()
    texts = section_texts(tree, pages, title_block=False)
    rarity = _rarity(list(texts.values()))

    def summarized(node: Node) -> Node:
        summary, source = summarize_section(node.printed, texts[node.id], rarity, chosen)
        return replace(node, summary=summary, summary_source=source)

    return map_nodes(tree, summarized)


def summarize_section(
    title: str, text: str, rarity: Mapping[str, float], settings: SummarySettings
) -> tuple[str, SummarySource]:
    """Summarise one section.

    Args:
        title: Number and title.
        text: The section's own text as markdown.
        rarity: How much a word sets a section apart; words that are missing count 1.
        settings: Lengths.

    Returns:
        The summary and what it is made of; empty text gives an empty one.
    """
    body = plain_text(text, title)
    if not body:
        return "", SummarySource.NONE
    if count_tokens(body) < settings.short_tokens:
        return body, SummarySource.TEXT
    if is_back_matter(title):
        return clip(body, settings.back_matter_characters), SummarySource.EXTRACTIVE
    picked = pick_sentences(prose_sentences(text, title), title, rarity, settings.max_words)
    if not picked:
        return clip(body, 4 * settings.back_matter_characters), SummarySource.EXTRACTIVE
    return " ".join(sentence.text for sentence in picked), SummarySource.EXTRACTIVE


def is_back_matter(title: str) -> bool:
    """Whether a section is a list or a formality of which a few words are enough.

    Args:
        title: Number and title.

    Returns:
        True for references, contents lists, acknowledgements and publishers' forms.
    """
    bare = title.lstrip("0123456789. ")
    return is_reference_title(bare) or is_contents_title(bare) or match_key(bare) in BACK_MATTER_KEYS


def pick_sentences(
    candidates: Sequence[Sentence], title: str, rarity: Mapping[str, float], max_words: int
) -> list[Sentence]:
    """Choose the sentences that cover the words that matter, without saying things twice.

    Greedy: each step takes the sentence with the most uncovered word weight for its length, times what its
    place, its words in the title, its numbers and its verbs speak for.

    Args:
        candidates: Prose sentences of a section in order.
        title: The section's title.
        rarity: How much a word sets a section apart.
        max_words: Words to fill; at least one sentence is taken if there is any.

    Returns:
        The chosen sentences in their order.
    """
    unlike = {sentence.words: sentence for sentence in reversed(candidates)}
    left = [sentence for sentence in candidates if unlike[sentence.words] is sentence]
    counts = Counter(word for sentence in left for word in sentence.words)
    weights = {word: (1 + math.log(count)) * rarity.get(word, 1.0) for word, count in counts.items()}
    title_words = frozenset(content_words(title))
    priors = {id(sentence): _prior(sentence, len(candidates), title_words) for sentence in left}
    picked: list[Sentence] = []
    room, enough = max_words, 0.0
    while left:
        worth = {id(sentence): _gain(sentence, weights) * priors[id(sentence)] for sentence in left}
        best = max(left, key=lambda sentence: worth[id(sentence)])
        if worth[id(best)] < enough:
            break
        picked.append(best)
        enough = enough or _WORTH_IT * worth[id(best)]
        room -= len(best.text.split())
        for word in best.words:
            weights[word] *= _COVERED
        left = [each for each in left if each is not best and len(each.text.split()) <= room]
    return sorted(picked, key=lambda sentence: sentence.place)


_WORTH_IT = 0.2
"""A sentence that adds less than this share of what the first one gave is left out."""

_COVERED = 0.25
"""What a word still counts after a chosen sentence has it."""


def _gain(sentence: Sentence, weights: Mapping[str, float]) -> float:
    total = sum(weights[word] for word in sentence.words)
    return total / max(len(sentence.text.split()), 8) ** 0.6


def _prior(sentence: Sentence, count: int, title_words: frozenset[str]) -> float:
    prior = 1.0
    if sentence.place == 0:
        prior += 0.35
    elif sentence.place < max(3, count // 10):
        prior += 0.15
    prior += 0.1 * min(len(title_words & sentence.words), 3)
    prior += 0.15 * bool(_NUMBER.search(sentence.text))
    prior += 0.2 * bool(_FINDING.search(sentence.text))
    return prior


def _rarity(texts: Sequence[str]) -> dict[str, float]:
    """Inverse section frequency of every word."""
    holding = Counter(word for text in texts for word in set(content_words(text)))
    return {word: 0.5 + math.log(1 + len(texts) / count) for word, count in holding.items()}
