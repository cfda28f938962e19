"""Run the command line: `python -m hermes_sessions`."""

from hermes_sessions.cli import main

main(prog_name="hermes-sessions")
