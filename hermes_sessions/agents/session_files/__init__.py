"""Sessions that are a file each: what is found, read and concluded of them alike. Names no agent."""
