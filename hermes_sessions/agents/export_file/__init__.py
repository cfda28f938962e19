"""Our own JSONL export, read as an origin."""
