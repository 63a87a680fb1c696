"""Dispatches of the shaders of `tests/corpus`, with the results that D3D gives them."""
