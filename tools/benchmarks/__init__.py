"""Measurements, compared with other tools: `python -m tools.benchmarks [PART...]`.

A part is a module of this package with `TITLE` and `measure(scale) -> list[Row]`, named in
`__main__.PARTS`. A scale of 1 is for figures; a small one only shows that everything works, and is
what the test suite runs. Nothing here passes or fails by the clock. A peer that is not installed
has no column.
"""
