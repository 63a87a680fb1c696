"""Shader tests: their syntax, their execution, and their reports."""
