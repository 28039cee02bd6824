"""Wolverine: an interactive heap debugger for C that repairs the program."""
