"""Pages over the whole store: the overview, the ledger of compactions, the origins."""
