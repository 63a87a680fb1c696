"""Constant buffers of every shape, as fxc lays them out, filled from dicts and read by shaders.

Each shader writes what it reads by name, `m._m12` and `a[2].x`, one behind the other.
"""
