"""Verified tree search in one paper (§3.4): nodes named by a model, checked, retried, replaced if need be."""
