"""What many stores answer together, for pages, documents and the terminal. Nothing here writes."""
