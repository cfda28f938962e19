"""A Hermes home full of generated conversations, to look around in and to test with."""

from hermes_sessions.demo.home import write_demo_home

__all__ = ["write_demo_home"]
