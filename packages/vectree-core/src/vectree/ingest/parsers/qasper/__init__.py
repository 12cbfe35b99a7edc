"""QASPER files: one JSON file, many papers (§4.1)."""
