"""Shapes of control flow, executed, and compared with the same steps in Python."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ...listings import blocks

LANES = 16
_HEADER = """cs_5_0
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group 16, 1, 1
"""

Model = Callable[[int], int | None]


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


# r0.x for a thread; None for `ret`
MODELS: dict[str, Model] = {
    "if": lambda t: 5 if t else 0,
    "if_z with empty else": lambda t: 0 if t else 5,
    "only the else does something": lambda t: 0 if t else 3,
    "both arms swap": lambda t: 21 if t else 12,
    "chain": lambda t: {1: 10, 2: 20, 3: 30}.get(t, 0),
    "one arm returns": lambda t: None if t < 4 else 1,
    "both arms return": lambda t: None,
    "retc": lambda t: 1 if t < 4 else None,
    "condition that is always false": lambda t: 2,
    "taken arm never ends": lambda t: None,
    "loop with its test first": lambda t: t,
    "loop with its test last": lambda t: max(t, 1),
    "loop that never repeats": lambda t: 4,
    "loop left by return alone": lambda t: None,
    "loop whose arms both leave": lambda t: 1 if t else 2,
    "continue": _odd_sum,
    "parallel copy": _fibonacci,
    "while with if inside": _collatz,
    "nested loops": _pairs,
    "switch": lambda t: {1: 10, 3: 30}.get(t, 7),
    "switch without default": lambda t: 10 if t == 1 else 0,
    "default alone": lambda t: 7,
    "default first": lambda t: 2 if t == 2 else 7,
    "labels that share": lambda t: 2 if t in (5, 6) else 1,
    "falling through": lambda t: {1: 1111, 2: 1110, 4: 1000}.get(t, 1100),
    "falling through with a merge unused": lambda t: {0: 5, 1: 11, 2: 12}.get(t, 100),
    "conditional break in a case": lambda t: {0: 12, 3: 1}.get(t, 10),
    "all cases return": lambda t: None,
    "switch in a loop": lambda t: 1 + 10 + 10 + (1 + 10) + (100 + 10) + (1 + 10),
    "large label": lambda t: t if t in (1, 2) else 0,
    "call": lambda t: 21 if t else 11,
    "call in a loop": lambda t: 10 * t,
}
SHAPES = {
    name: (shape, MODELS[name])
    for name, shape in blocks(Path(__file__).parent / "data/shapes.asm").items()
}
_SUBROUTINE = "label label0\nloop\niadd r0.x, r0.x, l(10)\nret\nendloop\nret\n"


def listing_of(shape: str) -> str:
    lines = [line.strip() for line in re.split("[;\n]", shape)]
    tail = _SUBROUTINE if "call label0" in shape else ""
    store = "store_structured u0.x, vThreadID.x, l(0), r0.x"
    return _HEADER + "\n".join((*lines, store, "ret")) + "\n" + tail


def check_shape(kernel: Any, expected: Model) -> None:
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
