"""Judges: what only a model can decide, one question a file, each with its prompt and its verdicts."""
