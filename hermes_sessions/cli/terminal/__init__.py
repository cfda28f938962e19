"""What all commands share: options, output, questions, logs. No command lives here."""
