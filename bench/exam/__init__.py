"""An exam for compactions: transcripts with needles by construction. Knows no facts and no audit."""
