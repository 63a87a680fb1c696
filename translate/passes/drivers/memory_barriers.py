"""Workaround for `memory_barriers`: atomics order memory in place of barriers.

OpMemoryBarrier of lavapipe in Mesa 22.3 waits for threads. The driver compiles an atomic as
sequentially consistent: neither the compiler nor the processor moves accesses across it.

Probe: vkrunner/probes/trials.py.
Documented in docs/drivers.md, "memory barriers that only some threads reach".
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.types import U32
from translate.ir.values import Module, Value
from translate.passes.rewrite import Findings, rewrite


def fence_by_atomics(module: Module) -> Findings:
    """Replace barriers that wait for no threads by atomics that leave memory unchanged."""
    if not any(map(_only_orders, module.walk())):
        return Findings()
    fence = Resource("fence", MemoryKind.SHARED_RAW, 0, length=4)

    def replaced(b: Builder, value: Value) -> Value | None:
        if not _only_orders(value):
            return None
        return b.emit(ops.ATOMIC_ELEMENT, U32, [b.u32(0), b.u32(0)], Access(fence, 1, 0, "ior"))

    rewrite(module, {ops.BARRIER: replaced})
    return Findings(resources=[*module.resources, fence])


def _only_orders(value: Value) -> bool:
    """Whether a value is a barrier that waits for no threads."""
    return value.op is ops.BARRIER and not row.BARRIER.of(value).threads
