"""Control flow: listings (long ones in `data/flow.asm`) and their algorithms in Python.

Source: FS §22.7.

`tests/unit/spirv/test_control.py` has the simpler shapes, on the device and the reference machine.
Every thread has four values in r0; its final r1, which starts as zeros, is compared.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..listings import blocks, listing, load, store
from .case import Case

Model = Callable[[int, int, int, int], Sequence[int]]  # r0 to r1, missing components 0

LISTINGS = blocks(Path(__file__).parent / "data/flow.asm")
THREADS = 64
_EDGES = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def lanes() -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """Small numbers and edge cases, each component in another order."""
    rng = np.random.default_rng(3)
    values = np.resize(np.array(_EDGES, np.uint32), (4, THREADS))
    return np.stack([rng.permutation(column) for column in values], axis=1)


def instructions(text: str) -> list[str]:
    """One a line, or several with semicolons between."""
    return [line for line in re.split(r"\s*[;\n]\s*", text.strip()) if line]


def flow(name: str, body: str, model: Model, subroutines: str = "") -> Case:
    """`body` is the program between load and store; `subroutines` follow main's `ret`.

    The last `ret` is the one that `listing` adds.
    """
    lines = [load("r0", "t0"), "mov r1.xyzw, l(0, 0, 0, 0)", *instructions(body), store("r1")]
    if subroutines:
        lines += ["ret", *instructions(subroutines)]
    declared = ["dcl_resource_structured t0, 16", "dcl_uav_structured u0, 16"]
    values = lanes()
    expected = np.zeros_like(values)
    for row, given in zip(expected, values.tolist(), strict=True):
        left = [value & 0xFFFFFFFF for value in model(*given)]
        row[: len(left)] = left
    return Case(
        name,
        listing(lines, declared, group=(THREADS, 1, 1)),
        {"t0": values, "u0": np.full_like(values, 0xCC)},
        {"u0": expected},
    )


# --- switches -----------------------------------------------------------------------------------

STACKED_DEFAULT = """
    switch r0.x
      case l(3); default; case l(5); mov r1.x, l(1); break
      case l(4); mov r1.x, l(2); break
    endswitch
"""


def loop_in_switch(x: int, y: int, z: int, w: int) -> list[int]:
    """The loop's `break` stays in the switch; its `continue` stays in the loop."""
    if x == 2:
        return [12, 1]
    return [max(1, min(y, 9)) if x == 3 else 0, 0, 7]


def out_of_ifs(x: int, y: int, z: int, w: int) -> list[int]:
    if x != 1:
        return [4, 0, 1]
    return [3, 1, 1] if y and not z else [0, 0, 1]


# --- returns and subroutines --------------------------------------------------------------------


def returns(x: int, y: int, z: int, w: int) -> list[int]:
    """A thread stores nothing after its return from main, a loop, a switch in a loop, an if."""
    if not x:
        return [1]
    if y or z:
        return [2, 3 if y else 5]
    return [2, 7, 9 if w else 10]


CALLS = "call label0; callc_nz r0.y, label1; callc_z r0.y, label2; iadd r1.w, r1.w, l(1)"


def calls(x: int, y: int, z: int, w: int) -> list[int]:
    """A subroutine that calls another, returns from a loop, and shares all registers."""
    step = 100 if z else 1100
    return [1 if x else 11, 5 if y else 0, (4 if y else 1) * step, 1]


FLOW_CASES: tuple[Case, ...] = (
    flow("nop", "nop; mov r1.x, r0.x; nop", lambda x, y, z, w: [x]),
    flow("default among labels", STACKED_DEFAULT, lambda x, y, z, w: [2 if x == 4 else 1]),
    flow("loop in a switch", LISTINGS["loop in a switch"], loop_in_switch),
    flow("switch with nothing in it", "switch r0.x; endswitch; mov r1.x, l(5)", lambda *_: [5]),
    flow("break out of ifs in a switch", LISTINGS["break out of ifs in a switch"], out_of_ifs),
    flow("returns", LISTINGS["returns"], returns),
    flow("calls", CALLS, calls, LISTINGS["subroutines"]),
)
