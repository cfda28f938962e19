"""Fixtures of the agents, for imports."""

from tests.agents.installing import registered, site_folder

__all__ = ["registered", "site_folder"]
