"""What the source says: flow, statements, and what functions count, keep and forget."""
