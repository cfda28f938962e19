"""Keep the store true: derived columns, checks, repair, leases, secure deletion."""
