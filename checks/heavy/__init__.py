"""Small listings whose cost for the translator, or for a driver, could be unbounded."""
