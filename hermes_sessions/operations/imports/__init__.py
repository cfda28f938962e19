"""Bring agents' conversations into the store and keep them up to date."""
