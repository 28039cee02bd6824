"""The explicit search over version spaces, and what it need not look at."""
