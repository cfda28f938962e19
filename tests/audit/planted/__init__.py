"""Cases of the audit written as data: what was planted, and what must be said of it."""
