"""The HTTP side: who gets in, what every response carries, which copy of the store is read. Knows no page."""
