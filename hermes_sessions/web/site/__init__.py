"""What all pages share: the frame around them, live updates, caching, metrics."""
