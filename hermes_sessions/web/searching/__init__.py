"""The search page, its JSON twin, and the bar of hits in a conversation."""
