"""Entries, vectors and postings of a corpus on disk; see ``corpus_index``."""
