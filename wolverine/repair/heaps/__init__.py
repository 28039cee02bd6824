"""Fresh heaps, and what the program as it is and its repairs do with them."""
