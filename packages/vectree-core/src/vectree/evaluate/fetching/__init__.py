"""Fetching the open copies of papers by DOI (§4.1: OpenAlex, Unpaywall, Europe PMC); only when asked."""
