"""Control flow: listings, and the same algorithms in Python. Source: FS §22.7.

Every thread has four values in r0; its final r1, which starts as zeros, is compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from .case import Case
from .listing import listing, load, store

Model = Callable[[int, int, int, int], Sequence[int]]  # r0 to r1, missing components 0

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


# --- if, else -----------------------------------------------------------------------------------

NESTED = """
    if_nz r0.x
      if_nz r0.y; mov r1.x, l(2); else; mov r1.x, l(3); endif
      mov r1.y, l(4)
    else
      mov r1.x, l(1)
    endif
"""


def nested(x: int, y: int, z: int, w: int) -> list[int]:
    if not x:
        return [1]
    return [2 if y else 3, 4]


# --- loops --------------------------------------------------------------------------------------

ODD_SUM = """
    umin r2.w, r0.x, l(20)
    loop
      iadd r1.y, r1.y, l(1)
      ult r2.y, r2.z, r2.w
      breakc_z r2.y
      and r2.x, r2.z, l(1)
      iadd r2.z, r2.z, l(1)
      continuec_z r2.x
      iadd r1.x, r1.x, r2.z
      iadd r1.x, r1.x, l(-1)
      continue
      mov r1.x, l(9999)
    endloop
"""


def odd_sum(x: int, y: int, z: int, w: int) -> list[int]:
    """The sum of the odd numbers below min(x, 20), and the number of rounds."""
    numbers = range(min(x, 20))
    return [sum(i for i in numbers if i & 1), len(numbers) + 1]


NESTED_LOOPS = """
    and r2.xy, r0.xyxx, l(7, 7, 0, 0)
    mov r3.x, l(0)
    loop
      uge r4.x, r3.x, r2.x
      breakc_nz r4.x
      mov r3.y, l(0)
      loop
        uge r4.x, r3.y, r2.y
        breakc_nz r4.x
        imul null, r4.y, r3.x, r3.y
        ieq r4.x, r4.y, r0.z
        if_nz r4.x; iadd r1.y, r1.y, l(1); break; endif
        iadd r1.x, r1.x, l(1)
        iadd r3.y, r3.y, l(1)
      endloop
      iadd r3.x, r3.x, l(1)
    endloop
"""


def nested_loops(x: int, y: int, z: int, w: int) -> list[int]:
    """Pairs below (x, y) modulo 8 up to the first whose product is z; how many such rows."""
    count = found = 0
    for i in range(x & 7):
        for j in range(y & 7):
            if i * j == z:
                found += 1
                break
            count += 1
    return [count, found]


# --- switches -----------------------------------------------------------------------------------

CASES = """
    switch r0.x
      case l(0); mov r1.x, l(10); break
      case l(1); case l(2); mov r1.x, l(20); break
      default; mov r1.x, l(30); break
      case l(0x80000000); mov r1.x, l(40); breakc_nz r0.y; mov r1.y, l(41); break
      case l(-1); mov r1.x, l(50); break
    endswitch
    iadd r1.z, r1.x, l(1)
"""


def cases(x: int, y: int, z: int, w: int) -> list[int]:
    """Stacked labels, a default in the middle, `breakc`."""
    first = {0: 10, 1: 20, 2: 20, 0x80000000: 40, 0xFFFFFFFF: 50}.get(x, 30)
    return [first, 41 if x == 0x80000000 and not y else 0, first + 1]


STACKED_DEFAULT = """
    switch r0.x
      case l(3); default; case l(5); mov r1.x, l(1); break
      case l(4); mov r1.x, l(2); break
    endswitch
"""

THROUGH = """
    switch r0.x
      case l(1); iadd r1.x, r1.x, l(1)
      case l(2); iadd r1.x, r1.x, l(20)
      default; iadd r1.x, r1.x, l(300)
      case l(4); iadd r1.x, r1.x, l(4000); break
      case l(5); iadd r1.x, r1.x, l(50000)
    endswitch
"""


def through(x: int, y: int, z: int, w: int) -> list[int]:
    """Bodies that fall through, the default's among them."""
    return [{1: 4321, 2: 4320, 4: 4000, 5: 50000}.get(x, 4300)]


IN_LOOP = """
    loop
      uge r2.x, r1.x, l(8)
      breakc_nz r2.x
      iadd r1.x, r1.x, l(1)
      and r2.y, r1.x, l(3)
      switch r2.y
        case l(0); continue
        case l(1); iadd r1.y, r1.y, r0.z; break
        case l(2); ieq r2.z, r1.x, r0.w; continuec_nz r2.z; iadd r1.y, r1.y, l(100); break
        default; break
      endswitch
      iadd r1.z, r1.z, l(1)
    endloop
"""


def in_loop(x: int, y: int, z: int, w: int) -> list[int]:
    """`break` leaves the switch, `continue` continues the loop around it."""
    total = after = 0
    for turn in range(1, 9):
        if turn & 3 == 0 or (turn & 3 == 2 and turn == w):
            continue
        total += {1: z, 2: 100}.get(turn & 3, 0)
        after += 1
    return [8, total, after]


LOOP_IN_SWITCH = """
    switch r0.x
      case l(2)
        loop; iadd r1.x, r1.x, l(3); ult r2.x, l(9), r1.x; if_nz r2.x; break; endif; endloop
        iadd r1.y, r1.y, l(1)
        break
      case l(3)
        loop
          iadd r1.x, r1.x, l(1)
          ult r2.x, r1.x, r0.y
          ult r2.y, r1.x, l(9)
          and r2.x, r2.x, r2.y
          continuec_nz r2.x
          break
        endloop
      default
        iadd r1.z, r1.z, l(7)
    endswitch
"""


def loop_in_switch(x: int, y: int, z: int, w: int) -> list[int]:
    """The loop's `break` stays in the switch; its `continue` stays in the loop."""
    if x == 2:
        return [12, 1]
    return [max(1, min(y, 9)) if x == 3 else 0, 0, 7]


OUT_OF_IFS = """
    switch r0.x
      case l(1)
        if_nz r0.y
          if_nz r0.z; break; endif
          mov r1.x, l(3)
        else
          break
        endif
        iadd r1.y, r1.y, l(1)
        break
      default
        mov r1.x, l(4)
        break
    endswitch
    mov r1.z, l(1)
"""


def out_of_ifs(x: int, y: int, z: int, w: int) -> list[int]:
    if x != 1:
        return [4, 0, 1]
    return [3, 1, 1] if y and not z else [0, 0, 1]


def five(x: int, y: int, z: int, w: int) -> list[int]:
    return [5]


# --- returns and subroutines --------------------------------------------------------------------

RETURNS = f"""
    mov r1.x, l(1)
    {store("r1")}
    retc_z r0.x
    mov r1.x, l(2)
    loop
      iadd r1.y, r1.y, l(1)
      {store("r1")}
      switch r1.y
        case l(3); if_nz r0.y; ret; endif; break
        case l(5); retc_nz r0.z; break
      endswitch
      ieq r2.x, r1.y, l(7)
      breakc_nz r2.x
    endloop
    mov r1.z, l(9)
    {store("r1")}
    if_nz r0.w; ret; else; mov r1.z, l(10); endif
"""


def returns(x: int, y: int, z: int, w: int) -> list[int]:
    """A thread stores nothing after its return from main, a loop, a switch in a loop, an if."""
    if not x:
        return [1]
    if y or z:
        return [2, 3 if y else 5]
    return [2, 7, 9 if w else 10]


CALLS = "call label0; callc_nz r0.y, label1; callc_z r0.y, label2; iadd r1.w, r1.w, l(1)"
SUBROUTINES = """
    label label0
      iadd r1.x, r1.x, l(1)
      retc_nz r0.x
      iadd r1.x, r1.x, l(10)
    ret
    label label1
      loop
        iadd r1.y, r1.y, l(1)
        uge r2.x, r1.y, l(5)
        retc_nz r2.x
        call label2
      endloop
    ret
    label label2
      iadd r1.z, r1.z, l(100)
      if_nz r0.z; ret; endif
      iadd r1.z, r1.z, l(1000)
"""


def calls(x: int, y: int, z: int, w: int) -> list[int]:
    """A subroutine that calls another, returns from a loop, and shares all registers."""
    step = 100 if z else 1100
    return [1 if x else 11, 5 if y else 0, (4 if y else 1) * step, 1]


IF_Z = "if_z r0.x; mov r1.x, l(1); else; mov r1.x, l(2); endif"
NO_MATCH = "switch r0.x; case l(77); mov r1.x, l(1); break; endswitch; iadd r1.x, r1.x, l(5)"
ONLY_DEFAULT = "switch r0.x; default; mov r1.x, l(5); break; endswitch"
DEAD = "loop; mov r1.x, l(5); break; mov r1.x, l(2); endloop"

FLOW_CASES: tuple[Case, ...] = (
    flow("if_nz", "if_nz r0.x; mov r1.x, l(1); endif", lambda x, y, z, w: [int(x != 0)]),
    flow("if_z, else", IF_Z, lambda x, y, z, w: [2 if x else 1]),
    flow("nested ifs", NESTED, nested),
    flow("nop", "nop; mov r1.x, r0.x; nop", lambda x, y, z, w: [x]),
    flow("loop with breakc, continuec and continue", ODD_SUM, odd_sum),
    flow("nested loops", NESTED_LOOPS, nested_loops),
    flow("code after a break is dead", DEAD, five),
    flow("switch", CASES, cases),
    flow("default among labels", STACKED_DEFAULT, lambda x, y, z, w: [2 if x == 4 else 1]),
    flow("fall through", THROUGH, through),
    flow("switch in a loop", IN_LOOP, in_loop),
    flow("loop in a switch", LOOP_IN_SWITCH, loop_in_switch),
    flow("switch with nothing in it", "switch r0.x; endswitch; mov r1.x, l(5)", five),
    flow("switch without a match", NO_MATCH, five),
    flow("only a default", ONLY_DEFAULT, five),
    flow("break out of ifs in a switch", OUT_OF_IFS, out_of_ifs),
    flow("returns", RETURNS, returns),
    flow("calls", CALLS, calls, SUBROUTINES),
)
