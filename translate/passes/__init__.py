"""Rewrites of the IR; `passes.pipeline` has their order.

`registers` makes values of registers, `guards` checks accesses to memory, `floats` computes floats
as D3D does, `drivers` works around faults of drivers. Modules beside the folders serve all four.
"""
