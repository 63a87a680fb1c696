"""Accesses without a check of the view's end, because the device gives D3D's result there.

An atomic needs no check if its result is unused, since Vulkan does not define that result. A load
from a buffer to which the thread may have stored keeps its check: after a store out of bounds, a
compiler that knows both addresses to be equal may hand the stored number to the load.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.robustness import Robustness
from translate.ir.values import Block, Module, Value, walk

_LOADS = (ops.LOAD, ops.LOAD_TYPED)
_WRITES = (ops.STORE, ops.STORE_TYPED, ops.ATOMIC)


class LeftAccesses:
    """The accesses whose check is left to the device: `access in left`. Made before the guards."""

    def __init__(self, module: Module, robustness: Robustness):
        self._robustness = robustness
        self._views = module.tables.views
        self._checked: set[Value] = set()  # loads from buffers that the thread may have written
        self._used: set[Value] = set()  # atomics with a used result
        if robustness.exact_buffers or robustness.images:
            self._find(module)

    def __contains__(self, access: Value) -> bool:
        """Whether the device gives D3D's result, except for an alpha that the format lacks.

        That alpha is 1 in D3D.
        """
        resource = row.ACCESS.of(access).resource
        if not self._robustness.bounds(resource, self._views[resource]):
            return False
        if access.op is ops.ATOMIC:
            return access not in self._used
        if access.op is ops.LOAD_TYPED and resource.has_mips:
            return access.args[resource.address_count - 1].constant_bits == 0
        return access not in self._checked

    def _find(self, module: Module) -> None:
        values = module.walk()
        self._used = {arg for value in values for arg in value.args if arg.op is ops.ATOMIC}
        stored = _written(values) if module.functions else set[Resource]()
        for body in module.bodies():
            self._follow(body, stored, in_loop=False)

    def _follow(self, block: Block, stored: set[Resource], *, in_loop: bool) -> None:
        """Note loads from resources in `stored`, to which the stores on the way are added."""
        for value in block.values:
            if value.op in _LOADS:
                resource = row.ACCESS.of(value).resource
                if resource.is_buffer and resource in stored:
                    self._checked.add(value)
            elif value.op in _WRITES:
                stored.add(row.ACCESS.of(value).resource)
            looping = in_loop or value.op is ops.LOOP
            for inner in value.blocks:
                if looping and not in_loop:
                    stored |= _written(walk(inner))
                self._follow(inner, stored, in_loop=looping)


def _written(values: Sequence[Value]) -> set[Resource]:
    return {row.ACCESS.of(value).resource for value in values if value.op in _WRITES}
