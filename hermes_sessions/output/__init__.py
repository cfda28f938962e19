"""Files that we write where the user says: whole or not at all, and never in place of a device."""

from hermes_sessions.output.targets import find_target
from hermes_sessions.output.whole_file import whole_file

__all__ = ["find_target", "whole_file"]
