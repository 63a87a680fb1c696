"""The declaration of memory, and dwords that are not accessed together, beyond tests/passes."""

from __future__ import annotations

import pytest

from translate.ir.memory import Access, Barrier, MemoryKind, Resource
from translate.ir.row import Stage
from translate.ir.tables import Usage, View
from translate.ir.types import F32, U32
from translate.ir.verify import verify
from translate.passes.dead import remove_dead
from translate.passes.guards.bounds import guard_bounds
from translate.passes.guards.layout import choose_layout
from translate.passes.guards.policy import POLICIES
from translate.passes.simplify import simplify

from ...ir.building import Small, code


def of_stride(stride: int) -> Resource:
    return Resource("u2", MemoryKind.STRUCTURED, 2, is_uav=True, stride=stride)


def load(small: Small, resource: Resource, offset: int, component: int = 0) -> None:
    address = [small.thread(), small.b.u32(offset)]
    small.store(small.b.load(Access(resource, 2, component), address))


def unguarded(small: Small) -> str:
    """The code under guards that check nothing."""
    module = small.finish()
    guard_bounds(module, POLICIES["off"]).note_in(module)
    verify(module, Stage.GUARDED)
    simplify(module)
    remove_dead(module)
    verify(module, Stage.GUARDED)
    return code(module)


@pytest.mark.parametrize(
    ("stride", "offset", "component", "nested"),
    [(12, 8, 0, True), (12, 8, 1, False), (12, 12, 0, False), (4, 0, 0, False), (16, 0, 3, True)],
)
def test_structures_whose_places_are_known_inside(
    stride: int, offset: int, component: int, nested: bool
) -> None:
    small, memory = Small(), of_stride(stride)
    load(small, memory, offset, component)
    layout = choose_layout(small.finish(), reported=False)[memory]
    assert layout.nested is nested
    assert layout.vectors is (nested and stride == 16)


def test_places_that_are_computed() -> None:
    """One such access is enough: all accesses of a resource share its declaration."""
    small, memory = Small(), of_stride(16)
    load(small, memory, 0)
    small.store(small.b.load(Access(memory, 2), [small.thread(), small.thread(1)]))
    assert not choose_layout(small.finish(), reported=False)[memory].nested


@pytest.mark.parametrize("why", ["report", "window", "atomic"])
def test_memory_that_stays_in_dwords(why: str) -> None:
    """Reports and windows count dwords; atomics are faster without vectors."""
    small, memory = Small(), of_stride(16)
    small.known(memory, View(windowed=why == "window"), Usage(atomic=why == "atomic"))
    load(small, memory, 0)
    layout = choose_layout(small.finish(), reported=why == "report")[memory]
    assert layout.nested is (why == "atomic")
    assert not layout.vectors


@pytest.mark.parametrize("between", ["store", "barrier", "nothing"])
def test_nothing_may_write_between(between: str) -> None:
    small, memory = Small(), of_stride(16)
    index, offset = small.thread(), small.b.u32(0)
    first = small.b.load(Access(memory, 2, 0), [index, offset])
    if between == "store":
        small.b.store(Access(memory, 2), [index, offset], [small.b.u32(1)])
    elif between == "barrier":
        small.b.barrier(Barrier(True, True, False, True))
    second = small.b.load(Access(memory, 2, 1), [index, offset])
    small.store(small.b.iadd(first, second))
    assert ("load_vector" in unguarded(small)) is (between == "nothing")


def test_a_vector_at_an_odd_place_is_stored_by_dwords() -> None:
    small, memory = Small(), of_stride(32)
    values = [small.thread()] * 4
    small.b.store(Access(memory, 2), [values[0], small.b.u32(8)], values)
    printed = unguarded(small)
    assert "store_vector" not in printed
    assert printed.count("store_element %0, ") == 4


def test_memory_of_floats_and_integers() -> None:
    small = Small()
    b = small.b
    bits = b.load(Access(small.t0, 1), [small.thread()])
    small.store(b.bitcast(U32, b.sqrt(b.bitcast(F32, bits))))
    small.store(b.iadd(bits, b.u32(1)))
    assert not choose_layout(small.finish(), reported=False)[small.t0].floats


def test_atomics_are_on_integers() -> None:
    small = Small()
    b = small.b
    small.known(small.t0, Usage(atomic=True))
    small.store(b.bitcast(U32, b.sqrt(b.bitcast(F32, b.load(Access(small.t0, 1), [b.u32(0)])))))
    assert not choose_layout(small.finish(), reported=False)[small.t0].floats
