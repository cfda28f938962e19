"""Sentences as rows of word classes, and what such rows say: one grammar for every language that is read."""
