"""Parsers: each turns one kind of source into a ``ParsedDocument``."""
