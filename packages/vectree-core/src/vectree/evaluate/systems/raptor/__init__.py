"""RAPTOR: passages clustered, each cluster summarised, the summaries clustered again (§4.2)."""
