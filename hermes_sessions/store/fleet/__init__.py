"""Many stores read as one: their questions asked together, their answers merged. Nothing here writes."""
