"""Benchmarks: scripts that print tables; nothing here is part of the package."""
