"""Codex: where its rollouts are, and what their lines mean."""
