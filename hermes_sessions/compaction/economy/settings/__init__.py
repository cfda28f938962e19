"""Values out of files of settings, tables and answers: which of them are worth a line. Pure."""
