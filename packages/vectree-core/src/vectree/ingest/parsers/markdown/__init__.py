"""Markdown files: CommonMark headings, synthetic pages, front matter."""

from vectree.ingest.parsers.markdown.parser import MarkdownParser

__all__ = ["MarkdownParser"]
