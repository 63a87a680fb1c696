"""Shapes of control flow, executed, and compared with the same steps in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

LANES = 16
_HEADER = """cs_5_0
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group 16, 1, 1
"""

Shape = tuple[str, Callable[[int], int | None]]  # the code, and r0.x for a thread; None for `ret`


def _collatz(t: int) -> int:
    steps, n = 0, t + 1
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def _pairs(t: int) -> int:
    """Sum of i * j for i < t, j < i, leaving the inner loop at j = 5."""
    return sum(i * j for i in range(t) for j in range(min(i, 5)))


def _fibonacci(t: int) -> int:
    a, b = 0, 1
    for _ in range(t):
        a, b = b, a + b
    return a


def _odd_sum(t: int) -> int:
    return sum(i for i in range(t) if i % 2 and i != 7)


SHAPES: dict[str, Shape] = {
    "if": ("if_nz vThreadID.x; mov r0.x, l(5); endif", lambda t: 5 if t else 0),
    "if_z with empty else": ("if_z vThreadID.x; mov r0.x, l(5); else; endif",
                             lambda t: 0 if t else 5),
    "only the else does something": ("if_nz vThreadID.x; else; mov r0.x, l(3); endif",
                                     lambda t: 0 if t else 3),
    "both arms swap": (
        "mov r1.xy, l(1,2,0,0); if_nz vThreadID.x; mov r1.xy, r1.yxyy; endif;"
        "imad r0.x, r1.x, l(10), r1.y", lambda t: 21 if t else 12),
    "chain": (
        "ieq r1.x, vThreadID.x, l(1); if_nz r1.x; mov r0.x, l(10); else; ieq r1.x, vThreadID.x,"
        " l(2); if_nz r1.x; mov r0.x, l(20); else; ieq r1.x, vThreadID.x, l(3); if_nz r1.x;"
        "mov r0.x, l(30); endif; endif; endif", lambda t: {1: 10, 2: 20, 3: 30}.get(t, 0)),
    "one arm returns": ("ult r1.x, vThreadID.x, l(4); if_nz r1.x; ret; endif; mov r0.x, l(1)",
                        lambda t: None if t < 4 else 1),
    "both arms return": ("if_nz vThreadID.x; ret; else; ret; endif; mov r0.x, l(1)",
                         lambda t: None),
    "retc": ("ult r1.x, vThreadID.x, l(4); retc_z r1.x; mov r0.x, l(1)",
             lambda t: 1 if t < 4 else None),
    "condition that is always false": ("if_nz r3.x; mov r0.x, l(1); else; mov r0.x, l(2); endif",
                                       lambda t: 2),
    "taken arm never ends": (
        "if_nz r3.x; mov r0.x, l(1); else; loop; uge r1.x, r2.x, l(3); retc_nz r1.x;"
        "iadd r2.x, r2.x, l(1); endloop; endif; iadd r0.x, r0.x, l(1)", lambda t: None),
    "loop with its test first": (
        "loop; uge r1.x, r0.x, vThreadID.x; breakc_nz r1.x; iadd r0.x, r0.x, l(1); endloop",
        lambda t: t),
    "loop with its test last": (
        "loop; iadd r0.x, r0.x, l(1); uge r1.x, r0.x, vThreadID.x; breakc_nz r1.x; endloop",
        lambda t: max(t, 1)),
    "loop that never repeats": ("loop; mov r0.x, l(4); break; endloop", lambda t: 4),
    "loop left by return alone": (
        "loop; uge r1.x, r0.x, vThreadID.x; retc_nz r1.x; iadd r0.x, r0.x, l(1); endloop;"
        "mov r0.x, l(99)", lambda t: None),
    "loop whose arms both leave": (
        "loop; if_nz vThreadID.x; mov r0.x, l(1); break; else; mov r0.x, l(2); break; endif;"
        "mov r0.x, l(3); endloop", lambda t: 1 if t else 2),
    "continue": (
        "loop; uge r1.x, r2.x, vThreadID.x; breakc_nz r1.x; mov r2.y, r2.x; iadd r2.x, r2.x, l(1);"
        "and r1.x, r2.y, l(1); continuec_z r1.x; ieq r1.x, r2.y, l(7); if_nz r1.x; continue; endif;"
        "iadd r0.x, r0.x, r2.y; endloop", _odd_sum),
    "parallel copy": (
        "mov r1.y, l(1); loop; uge r2.x, r3.x, vThreadID.x; breakc_nz r2.x; iadd r3.x, r3.x, l(1);"
        "iadd r2.y, r1.x, r1.y; mov r1.x, r1.y; mov r1.y, r2.y; endloop; mov r0.x, r1.x",
        _fibonacci),
    "while with if inside": (
        "iadd r1.x, vThreadID.x, l(1); loop; ieq r2.x, r1.x, l(1); breakc_nz r2.x;"
        "and r2.x, r1.x, l(1); if_nz r2.x; imad r1.x, r1.x, l(3), l(1); else;"
        "ushr r1.x, r1.x, l(1); endif; iadd r0.x, r0.x, l(1); endloop", _collatz),
    "nested loops": (
        "loop; uge r1.x, r2.x, vThreadID.x; breakc_nz r1.x; mov r2.y, l(0); loop;"
        "uge r1.x, r2.y, r2.x; breakc_nz r1.x; ieq r1.x, r2.y, l(5); if_nz r1.x; break; endif;"
        "imad r0.x, r2.x, r2.y, r0.x; iadd r2.y, r2.y, l(1); endloop; iadd r2.x, r2.x, l(1);"
        "endloop", _pairs),
    "switch": (
        "switch vThreadID.x; case l(1); mov r0.x, l(10); break; case l(3); mov r0.x, l(30); break;"
        "default; mov r0.x, l(7); break; endswitch", lambda t: {1: 10, 3: 30}.get(t, 7)),
    "switch without default": (
        "switch vThreadID.x; case l(1); mov r0.x, l(10); break; endswitch",
        lambda t: 10 if t == 1 else 0),
    "default alone": ("switch vThreadID.x; default; mov r0.x, l(7); endswitch", lambda t: 7),
    "default first": (
        "switch vThreadID.x; default; mov r0.x, l(7); break; case l(2); mov r0.x, l(2); break;"
        "endswitch", lambda t: 2 if t == 2 else 7),
    "labels that share": (
        "switch vThreadID.x; case l(1); case l(2); default; mov r0.x, l(1); break; case l(5);"
        "case l(6); mov r0.x, l(2); endswitch", lambda t: 2 if t in (5, 6) else 1),
    "falling through": (
        "switch vThreadID.x; case l(1); iadd r0.x, r0.x, l(1); case l(2); iadd r0.x, r0.x, l(10);"
        "default; iadd r0.x, r0.x, l(100); case l(4); iadd r0.x, r0.x, l(1000); endswitch",
        lambda t: {1: 1111, 2: 1110, 4: 1000}.get(t, 1100)),
    "falling through with a merge unused": (
        "mov r1.x, l(5); mov r2.x, l(7); switch vThreadID.x; case l(0); mov r2.x, l(1); case l(1);"
        "mov r1.x, l(2); iadd r2.x, r2.x, r1.x; case l(2); iadd r0.x, r1.x, r2.x; break; default;"
        "mov r0.x, l(100); break; endswitch", lambda t: {0: 5, 1: 11, 2: 12}.get(t, 100)),
    "conditional break in a case": (
        "switch vThreadID.x; case l(0); case l(3); mov r0.x, l(1); breakc_nz vThreadID.x;"
        "mov r0.x, l(2); default; iadd r0.x, r0.x, l(10); endswitch",
        lambda t: {0: 12, 3: 1}.get(t, 10)),
    "all cases return": (
        "switch vThreadID.x; case l(1); ret; default; ret; endswitch; mov r0.x, l(1)",
        lambda t: None),
    "switch in a loop": (
        "loop; uge r1.x, r2.x, l(6); breakc_nz r1.x; mov r2.y, r2.x; iadd r2.x, r2.x, l(1);"
        "switch r2.y; case l(1); continue; case l(2); break; case l(4); iadd r0.x, r0.x, l(100);"
        "break; default; iadd r0.x, r0.x, l(1); break; endswitch; iadd r0.x, r0.x, l(10); endloop",
        lambda t: 1 + 10 + 10 + (1 + 10) + (100 + 10) + (1 + 10)),
    "large label": (
        "ineg r1.x, vThreadID.x; switch r1.x; case l(0xffffffff); mov r0.x, l(1); break;"
        "case l(0xfffffffe); mov r0.x, l(2); break; endswitch", lambda t: t if t in (1, 2) else 0),
    "call": (
        "call label0; callc_nz vThreadID.x, label0; iadd r0.x, r0.x, l(1)",
        lambda t: 21 if t else 11),
    "call in a loop": (
        "loop; uge r1.x, r2.x, vThreadID.x; breakc_nz r1.x; iadd r2.x, r2.x, l(1); call label0;"
        "endloop", lambda t: 10 * t),
}  # fmt: skip
_SUBROUTINE = "label label0\nloop\niadd r0.x, r0.x, l(10)\nret\nendloop\nret\n"


def listing_of(shape: str) -> str:
    lines = [line.strip() for line in shape.split(";")]
    tail = _SUBROUTINE if "call label0" in shape else ""
    store = "store_structured u0.x, vThreadID.x, l(0), r0.x"
    return _HEADER + "\n".join((*lines, store, "ret")) + "\n" + tail


def check_shape(kernel: Any, expected: Callable[[int], int | None]) -> None:
    untouched = 0xABCD
    found = kernel.dispatch((1, 1, 1), u0=np.full(LANES, untouched, np.uint32)).u0
    wanted = [expected(t) for t in range(LANES)]
    assert found.tolist() == [untouched if value is None else value for value in wanted]


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", SHAPES)
def test_shape(device: Any, name: str, optimize: bool) -> None:
    shape, expected = SHAPES[name]
    check_shape(device.kernel(listing_of(shape), optimize=optimize), expected)


def test_sixty_four_levels(device: Any) -> None:
    """D3D's deepest nesting: each level adds 1 for threads that reach it."""
    levels = [f"ult r1.x, l({n // 8}), vThreadID.x; if_nz r1.x; iadd r0.x, r0.x, l(1)"
              for n in range(64)]  # fmt: skip
    shape = ";".join((*levels, *(["endif"] * 64)))
    check_shape(device.kernel(listing_of(shape)), lambda t: min(8 * t, 64))


def test_a_thousand_cases(device: Any) -> None:
    cases = [f"case l({n}); mov r0.x, l({n * n}); break" for n in range(1000)]
    shape = ";".join(("imul null, r1.x, vThreadID.x, l(66)", "switch r1.x", *cases, "endswitch"))
    check_shape(device.kernel(listing_of(shape)), lambda t: (66 * t) ** 2)
