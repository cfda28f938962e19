"""Write stored conversations out: documents, lines, an agent's database."""
