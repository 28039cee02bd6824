"""Measurements of Wolverine itself."""
