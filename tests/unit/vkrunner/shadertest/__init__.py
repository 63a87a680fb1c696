"""Shader tests: their syntax, how they run, and what is told of them."""
