"""Commands of a dispatch or a copy."""
