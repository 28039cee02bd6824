"""The only importer of z3: terms that fold constants, and a solver whose answer is a value."""
