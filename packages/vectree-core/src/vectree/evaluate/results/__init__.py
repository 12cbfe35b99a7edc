"""Results on disk: one JSON Lines file, appended to, read back, never rewritten."""
