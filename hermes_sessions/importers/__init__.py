"""Readers of foreign formats: path -> stream of plain values. All foreign quirks live here."""
