"""Fault-injection campaigns: how well and how fast faults are repaired (Wolverine2 section 7)."""
