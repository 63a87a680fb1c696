"""Guards: each kind of access follows its rule in docs/out-of-bounds.md and FS §22.4."""

from __future__ import annotations

import pytest

from translate.ir.memory import Access, MemoryKind
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.options import GUARDS
from translate.passes.dead import remove_dead
from translate.passes.guards.bounds import guard_bounds
from translate.passes.guards.policy import POLICIES
from translate.passes.guards.rules import RULES
from translate.passes.simplify import simplify

from ....complete import check_complete
from ...ir.building import Small, code, text


def guarded(small: Small, mode: str = "d3d") -> str:
    """The guarded code, simplified for reading."""
    module = small.finish()
    verify(module)
    guard_bounds(module, POLICIES[mode]).note_in(module)
    verify(module, Stage.GUARDED)
    simplify(module)
    remove_dead(module)
    verify(module, Stage.GUARDED)
    return code(module)


def test_every_kind_of_memory_has_a_rule() -> None:
    kinds = set(MemoryKind) - {MemoryKind.SAMPLER}
    check_complete(RULES, kinds, "RULES of translate/passes/guards/rules.py")


def test_every_guard_mode_has_a_policy() -> None:
    check_complete(POLICIES, GUARDS, "POLICIES of translate/passes/guards/policy.py")
    for name, policy in POLICIES.items():
        for kinds in (policy.reads, policy.writes):
            check_complete(kinds, RULES, f"the policy {name} of translate/passes/guards/policy.py")


def test_raw_load_counts_in_dwords() -> None:
    """The two low bits are ignored, and the sum of offset and component cannot wrap."""
    small = Small()
    small.store(small.b.load(Access(small.u0, 1, 2), [small.thread()]))
    assert guarded(small) == text("""
        %0: u32 = dword_count (u0)
        %1: u32 = input (vThreadID.x)
        %2: u32 = ushr %1, 2
        %3: u32 = iadd %2, 2
        %4: bool = ult %3, %0
        %5: u32 = select %4, %3, 0
        %6: u32 = load_element %5 (u0.2)
        %7: u32 = select %4, %6, 0
        store_element 0, %7 (u0.0)
        return
        """)


def test_structured_store_compares_before_it_multiplies() -> None:
    small = Small()
    index, offset = small.thread(0), small.thread(1)
    small.b.store(Access(small.u1, 2), [index, offset], [small.b.u32(9)])
    assert guarded(small) == text("""
        %0: u32 = dword_count (u1)
        %1: u32 = udiv %0, 3
        %2: u32 = input (vThreadID.x)
        %3: u32 = input (vThreadID.y)
        %4: u32 = ushr %3, 2
        %5: bool = ult %2, %1
        %6: bool = ult %4, 3
        %7: bool = land %5, %6
        %8: u32 = imul %2, 3
        %9: u32 = iadd %8, %4
        if %7 {
          store_element %9, 9 (u1.0)
          yield
        } else {
          yield
        }
        return
        """)


def test_dwords_of_a_store_are_checked_one_by_one() -> None:
    """The second dword is inside only if the first is."""
    small = Small()
    small.b.store(Access(small.u0, 1), [small.thread()], [small.b.u32(5), small.b.u32(6)])
    assert guarded(small) == text("""
        %0: u32 = dword_count (u0)
        %1: u32 = input (vThreadID.x)
        %2: u32 = ushr %1, 2
        %3: bool = ult %2, %0
        if %3 {
          store_element %2, 5 (u0.0)
          %4: u32 = iadd %2, 1
          %5: bool = ult %4, %0
          if %5 {
            store_element %4, 6 (u0.0)
            yield
          } else {
            yield
          }
          yield
        } else {
          yield
        }
        return
        """)


def test_atomic_outside_gives_zero() -> None:
    small = Small()
    access = Access(small.g0, 1, 0, "umax")
    small.store(small.b.atomic(access, [small.thread()], [small.b.u32(3)]))
    assert guarded(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = ushr %0, 2
        %2: bool = ult %1, 16
        if %2 {
          %3: u32 = atomic_element %1, 3 (g0.0 umax)
          yield %3
        } else {
          yield 0
        } -> %4: u32
        store_element 0, %4 (u0.0)
        return
        """)


def test_indexable_temp_has_a_spare_element_for_stores() -> None:
    small = Small()
    small.b.store(Access(small.x0, 1, 1), [small.thread()], [small.b.u32(3)])
    assert guarded(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: bool = ult %0, 5
        %2: u32 = select %1, %0, 5
        store_element %2, 3 (x0.1)
        return
        """)


@pytest.mark.parametrize(("index", "checked"), [(4, False), (5, True)])
def test_known_index_needs_no_check(index: int, checked: bool) -> None:
    """Inside, the load has no check; outside, only the zero is left."""
    small = Small()
    small.store(small.b.load(Access(small.x0, 1, 0), [small.b.u32(index)]))
    expected = "store_element 0, 0" if checked else f"load_element {index}"
    assert expected in guarded(small)


def test_equal_checks_are_made_once() -> None:
    small = Small()
    for component in (0, 0, 1):
        small.store(small.b.load(Access(small.t0, 1, component), [small.thread()]), component)
    printed = guarded(small)
    assert printed.count("ult") == 2
    assert printed.count("dword_count") == 1


def test_masked_offset_into_shared_memory_needs_no_check() -> None:
    """g0 has 64 bytes; `and 60` stays within them."""
    small = Small()
    offset = small.b.iand(small.thread(), small.b.u32(60))
    small.store(small.b.load(Access(small.g0, 1, 0), [offset]))
    assert "ult" not in guarded(small)


@pytest.mark.parametrize(
    ("mode", "buffer_checks", "shared_checks"),
    [("d3d", 1, 1), ("robustness2", 0, 1), ("off", 0, 0)],
)
def test_modes(mode: str, buffer_checks: int, shared_checks: int) -> None:
    """No device feature covers shared memory."""
    for resource, checks in (("t0", buffer_checks), ("g0", shared_checks)):
        small = Small()
        memory = getattr(small, resource)
        small.store(small.b.load(Access(memory, 1, 0), [small.thread()]))
        assert guarded(small, mode).count("ult") == checks, resource


def test_size_of_a_raw_view_is_in_bytes() -> None:
    small = Small()
    small.store(small.b.element_count(small.t0))
    assert guarded(small) == text("""
        %0: u32 = dword_count (t0)
        %1: u32 = ishl %0, 2
        store_element 0, %1 (u0.0)
        return
        """)
