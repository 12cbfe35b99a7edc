"""Every stage of ingestion that asks a model. All else in ``ingest`` is deterministic."""
