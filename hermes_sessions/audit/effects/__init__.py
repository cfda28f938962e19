"""What a tool call does: reads, writes, sends, deletes, publishes; command lines are parsed."""
