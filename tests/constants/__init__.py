"""Constant buffers of every shape, as fxc lays them out, filled from dicts and read by shaders.

Each shader reads every number by name (`m._m12`, `a[2].x`) and writes them one after the other.
"""
