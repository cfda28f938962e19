"""What a compaction did, for the person whose agent forgot: a sentence, a list, words to copy. Pure."""
