"""What a later line replaces, corrects or says anew."""
