"""Benchmarks: files in, questions out. Nothing here asks a model."""
