"""Sessions of Gemini CLI: files of JSON lines, older ones one object, read as an origin."""
