"""A Hermes home full of generated conversations, to look around in and to test with."""

from hermes_sessions.demo.home import HOME_NAME, demo_databases, write_demo_home

__all__ = ["HOME_NAME", "demo_databases", "write_demo_home"]
