"""The results of the control-flow and array shaders: their HLSL as Python."""

from __future__ import annotations

import numpy as np

from .expected_alu import Array, Rows

THREADS = 24
ROUNDS = 9
TABLE = np.array(
    [
        [1, 2, 3, 4],
        [0.5, -0.25, 1e-9, 3e10],
        [-7, 0, -0.0, 8],
        [1.5, 2.5, 3.5, 4.5],
        [9, 10, 11, 12],
        [100, 200, 300, 400],
    ],
    np.float32,
)
PRIMES = (2, 3, 5, 7, 11, 13, 17)


def flow_inputs() -> Array:
    numbers = np.random.default_rng(7).integers(0, 256, THREADS, dtype=np.uint32)
    numbers[:8] = np.arange(8)
    return numbers


def sum_to(n: int) -> int:
    return n * (n + 1) // 2


def looped(x: int) -> int:
    total = 0
    for i in range(ROUNDS):
        if x >> i & 1:
            continue
        total += i * i
        if total > 300:
            break
    return total


def nested(x: int) -> int:
    total = 0
    for i in range(1, (x & 7) + 3):
        for j in range(6):
            if j == x & 3:
                continue
            total += i + j
            if total > 60:
                total -= 7
                break
        if i != 3:
            total += 100
    return total


def switched(x: int, before: int) -> int:
    """The switch inside of the do loop; returns `row.switched` after it."""
    selector = x >> 2 & 7
    if selector in (0, 5):
        return 50
    if selector == 1:
        return sum_to(x & 3)
    if selector == 3:
        return before if x & 1 else 33
    return x if selector == 7 else 999


def fell(x: int) -> tuple[int, int, int]:
    """`switched`, `fell`, and x after the do loop."""
    value = total = 0
    while True:
        value = switched(x, value)
        total += value
        x += 4
        if not total or total >= 900:
            return value, total, x


def called(x: int) -> int:
    return (sum_to(x & 15), x * 3, sum_to(x & 7) + 100, x ^ 0x55)[x & 3]


def flow_row(x: int, thread: int) -> dict[str, int]:
    odd = sum_to(x & 15) if x & 1 else 1000 + x if x & 2 else 0
    value, total, after = fell(x)
    return {
        "chosen": odd, "looped": looped(x), "nested": nested(x), "switched": value, "fell": total,
        "called": called(after), "predicated": 11 if after > 40 or after & 8 else 22,
        "returned": sum_to(thread) if thread + 2 < THREADS else 0,
    }  # fmt: skip


def flow_rows(inputs: Array) -> Rows:
    rows = [flow_row(int(x), thread) for thread, x in enumerate(inputs)]
    return {name: np.array([row[name] for row in rows], np.uint32) for name in rows[0]}


def conditional_rows(inputs: Array, rounds: int) -> Array:
    """Eight numbers a thread: the rounds that were not skipped, and last the total."""
    rows = np.full((len(inputs), 8), 9, np.uint32)
    for thread, x in enumerate(inputs):
        total = 0
        for i in range(rounds):
            if inputs[i] == x:
                continue
            rows[thread, i] = i
            total += int(inputs[i])
            total = total if total > 99 else total ^ 5
        rows[thread, 7] = total
    return rows.ravel()


def array_rows(inputs: Array, constants: Array) -> Rows:
    """Look-ups, a sort of five digits, and an array with one element replaced."""
    digits = np.sort(inputs[:, None] >> np.arange(0, 15, 3, dtype=np.uint32) & 15, axis=1)
    swept = []
    for x in map(int, inputs):
        pairs = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]
        pairs[x % 3] = (float(x & 255), 0.5)
        swept.append(pairs[(x >> 4) % 3])
    return {
        "looked_up": TABLE[inputs % 6], "prime": np.array(PRIMES)[inputs % 7], "sorted": digits,
        "constant": constants[inputs & 3], "swept": np.array(swept, np.float32),
    }  # fmt: skip
