"""Checks of accesses to memory, and the reports and messages that a shader sends to the host."""
