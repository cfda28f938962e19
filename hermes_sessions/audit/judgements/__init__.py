"""Judgements of handoffs that are kept: of what they are, how they are written, what is never kept. Pure."""
