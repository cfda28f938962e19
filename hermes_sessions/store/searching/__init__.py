"""Searching: the full-text index on both engines, and the questions that use it."""
