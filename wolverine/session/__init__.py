"""One debugging session: commands in, results out."""
