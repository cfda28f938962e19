"""Open a store: its schema brought up to date, its transactions, its replicas."""
