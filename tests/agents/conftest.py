"""What tests of agents share."""

from tests.agents.installing import installed, registered, site, site_folder

__all__ = ["installed", "registered", "site", "site_folder"]
