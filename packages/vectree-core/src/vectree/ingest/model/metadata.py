"""Bibliographic fields, description and keywords by a model, with what rules found as hints (§3.2); one call.

A field counts only if it stands on the pages the model was shown: a model knows many papers by heart, and
not always rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import BaseModel, field_validator

from vectree.document import Metadata, Page, SectionTree
from vectree.ingest.bibliography_merge import MODEL, merge_fields, valid
from vectree.ingest.describe import MAX_DESCRIPTION, abstract_text
from vectree.ingest.doi import find_dois
from vectree.ingest.front import FRONT_PAGES, front_lines
from vectree.ingest.keywords import MAX_KEYWORDS, find_keywords
from vectree.ingest.model.budget import cut_parts
from vectree.ingest.model.numbers import unsupported_numbers
from vectree.ingest.model.quoting import quote
from vectree.ingest.model.replies import read_count
from vectree.ingest.model.stages import ModelStages
from vectree.ingest.parse import ParsedDocument
from vectree.normal import match_key, name_key, one_line
from vectree.prompts import fill
from vectree.sentences import sentences
from vectree.tree.outline import clip
from vectree.tree.walk import walk

_TEXT_TOKENS = 4_000
_REPLY_TOKENS = 2_000
_MAX_SECTIONS = 60
_MAX_KEYWORD = 80


class MetadataReply(BaseModel):
    """What a model says about a document; everything may be missing."""

    title: str | None = None
    authors: list[str] = []
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    article_pages: str | None = None
    doi: str | None = None
    description: str = ""
    keywords: list[str] = []

    @field_validator("authors", "keywords", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        if value is None:
            return []
        if isinstance(value, str):
            return [part.strip() for part in value.replace(";", ",").split(",") if part.strip()]
        if isinstance(value, list):
            return [item for item in cast("list[Any]", value) if isinstance(item, str)]
        return value

    @field_validator("year", mode="before")
    @classmethod
    def _year(cls, value: Any) -> int | None:
        return read_count(value)

    @field_validator("title", "journal", "volume", "article_pages", "doi", "description", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        return "" if value is None else value


def describe_with_model(
    stages: ModelStages,
    document: ParsedDocument,
    metadata: Metadata,
    tree: SectionTree,
    pages: Sequence[Page],
) -> Metadata:
    """Ask a model about a document as a whole.

    Args:
        stages: The model.
        document: As parsed.
        metadata: What rules found, description and keywords included.
        tree: Its tree.
        pages: Its pages.

    Returns:
        The metadata with what the model adds; unchanged if there is no text or no usable reply.
    """
    front = _front(document, tree, pages)
    if not front.strip():
        return metadata
    room = stages.budget.quoted(_TEXT_TOKENS, reply=_REPLY_TOKENS)
    titles = [clip(node.printed, 100) for node in walk(tree) if not node.synthetic][:_MAX_SECTIONS]
    prompt = fill(
        "ingest_metadata",
        hints=quote(_hints(metadata)),
        sections=quote("; ".join(titles) or "none found"),
        text=quote(cut_parts(front, room)[0]),
    )
    reply = stages.ask("metadata", prompt, MetadataReply, reply_tokens=_REPLY_TOKENS)
    if reply is None:
        return metadata
    merged = merge_fields(metadata, _borne_out(reply, front), MODEL)
    return _described(merged, reply, document, front)


def _front(document: ParsedDocument, tree: SectionTree, pages: Sequence[Page]) -> str:
    """The first pages, heads and feet included, and the abstract if it stands elsewhere."""
    lines = "\n".join(front_lines(document)) or "\n\n".join(page.text for page in pages[:FRONT_PAGES])
    abstract = abstract_text(tree, pages)
    if abstract and match_key(abstract[:200]) not in match_key(lines):
        lines = f"{lines}\n\n{abstract}"
    return lines


def _hints(metadata: Metadata) -> str:
    known = {
        "title": metadata.title,
        "authors": "; ".join(metadata.authors[:20]),
        "year": metadata.year,
        "journal": metadata.journal,
        "volume": metadata.volume,
        "pages": metadata.article_pages,
        "DOI": metadata.doi,
    }
    return "\n".join(f"{name}: {value}" for name, value in known.items() if value)


def _borne_out(reply: MetadataReply, front: str) -> dict[str, Any]:
    """The fields that stand on the pages shown."""
    letters, names = match_key(front), name_key(front).split()
    known_names = frozenset(names)
    authors = [name for name in reply.authors if set(name_key(name).split()[-1:]) & known_names]
    plain = {"title": reply.title, "journal": reply.journal}
    fields: dict[str, Any] = {
        name: value
        for name, value in plain.items()
        if value and len(match_key(value)) > 2 and match_key(value) in letters
    }
    numbers = {"volume": reply.volume, "article_pages": reply.article_pages, "year": reply.year}
    fields |= {
        name: value for name, value in numbers.items() if value and not unsupported_numbers(str(value), front)
    }
    doi = valid("doi", reply.doi)
    if doi and doi in find_dois(front):
        fields["doi"] = doi
    if authors and len(authors) == len(reply.authors):
        fields["authors"] = authors
    return fields


def _described(metadata: Metadata, reply: MetadataReply, document: ParsedDocument, front: str) -> Metadata:
    changes: dict[str, Any] = {}
    provenance = dict(metadata.provenance)
    sentence = next(iter(sentences(one_line(reply.description))), "")
    if len(sentence) >= 20 and not unsupported_numbers(sentence, front):
        changes["description"], provenance["description"] = clip(sentence, MAX_DESCRIPTION), MODEL
    printed = find_keywords(document, metadata.title, "", ())
    keywords = [one_line(word) for word in reply.keywords if 1 < len(word.strip()) <= _MAX_KEYWORD]
    if not printed and keywords:
        changes["keywords"], provenance["keywords"] = tuple(dict.fromkeys(keywords))[:MAX_KEYWORDS], MODEL
    return replace(metadata, **changes, provenance=provenance)
