"""Pages over many stores, and the way to the pages of each. A store's own pages are made elsewhere."""
