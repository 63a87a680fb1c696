"""Deliberate faults, each of which the suite has to notice."""
