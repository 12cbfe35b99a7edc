"""VecTree: which papers, then where in the paper, then the page."""

__version__ = "0.1.0"
