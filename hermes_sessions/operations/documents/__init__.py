"""What `--json` and `/api` answer: typed documents, one module a subject; nothing here prints or serves."""
