"""Importers, one folder per agent: foreign files in, plain values out. No folder imports another agent's."""
