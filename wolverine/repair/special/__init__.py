"""Searches for edits of one kind, each by itself."""
