"""Questions to the store, as frozen values in and frozen values out. Nothing here writes."""
