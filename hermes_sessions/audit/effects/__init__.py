"""What a tool call does; of a command line `facts/effects/` says it."""
