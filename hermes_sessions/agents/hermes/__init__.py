"""Hermes: where its databases are, what their rows mean, and how one is written."""
