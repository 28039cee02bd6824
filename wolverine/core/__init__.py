"""Frozen data that every other package shares."""
