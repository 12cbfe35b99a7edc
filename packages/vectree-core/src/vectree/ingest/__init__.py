"""From a source file to pages, a verified section tree, summaries and metadata (§3.2)."""
