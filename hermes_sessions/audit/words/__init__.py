"""What the audit reads in sentences: concepts, modality, headings, orders; in the languages that are read."""
