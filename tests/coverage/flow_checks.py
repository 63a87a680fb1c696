"""Dispatches of the shaders about control flow, arrays and rounding; results from their HLSL."""

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Rows = dict[str, Array]
Check = Callable[[Any, Any], None]

THREADS = 24
ROUNDS = 9
TABLE = np.array(
    [[1, 2, 3, 4], [0.5, -0.25, 1e-9, 3e10], [-7, 0, -0.0, 8],
     [1.5, 2.5, 3.5, 4.5], [9, 10, 11, 12], [100, 200, 300, 400]], np.float32,
)  # fmt: skip
PRIMES = (2, 3, 5, 7, 11, 13, 17)


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


# --- the dispatches ------------------------------------------------------------------------------


def compare_fields(actual: Array, expected: Rows) -> None:
    assert set(expected) == set(actual.dtype.names or ())
    for name, value in expected.items():
        np.testing.assert_array_equal(actual[name], value, err_msg=name)


def check_flow(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(7).integers(0, 256, THREADS, dtype=np.uint32)
    inputs[:8] = np.arange(8)
    empty = np.zeros(THREADS, kernel.interface["u0"].dtype)
    limits = {"rounds": ROUNDS, "threads": THREADS}
    result = kernel.dispatch(THREADS // 8, t0=inputs, u0=empty, cb0=limits)
    compare_fields(result.u0, flow_rows(inputs))


def check_arrays(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(8).integers(0, 1 << 15, THREADS, dtype=np.uint32)
    constants = np.arange(16, dtype=np.float32).reshape(4, 4) / 8
    empty = np.zeros(THREADS, kernel.interface["u0"].dtype)
    result = kernel.dispatch(THREADS // 8, t0=inputs, u0=empty, cb0={"values": constants})
    compare_fields(result.u0, array_rows(inputs, constants))


def check_min_precision(device: Any, kernel: Any) -> None:
    """Small enough for 16 bits where nothing goes below 0; unsigned ones wrap at 32."""
    rng = np.random.default_rng(6)
    f = (rng.integers(-32, 33, (16, 4)) / 4).astype(np.float32)
    i = rng.integers(-90, 90, (16, 4), dtype=np.int32)
    empty = np.zeros(16, kernel.interface["u0"].dtype)
    result = kernel.dispatch(2, t0=f, t1=i, u0=empty)
    u, turned = i[:, ::-1].astype(np.uint32), [1, 0, 3, 2]
    expected = {
        "f": f * f + np.float32(0.5), "i": (i << 1) - i[:, turned] * 3,
        "u": (u & 15) + u // 3 + u * u, "compared": f > f[:, turned],
    }  # fmt: skip
    compare_fields(result.u0, expected)


def check_precise(device: Any, kernel: Any) -> None:
    """Every operation rounds separately, in the order of the source."""
    x = np.random.default_rng(9).normal(size=(16, 4)).astype(np.float32)
    y = x * x[:, [1, 2, 3, 0]] + x[:, [2, 3, 0, 1]]
    z = (y[:, 0] + y[:, 1]) - y[:, 0]
    result = kernel.dispatch(2, t0=x, u0=np.zeros_like(x))
    np.testing.assert_array_equal(result.u0, np.column_stack([y[:, :3], z]))


def check_conditional(device: Any, kernel: Any) -> None:
    """Numbers up to 40, so that the total passes 99 before the end."""
    inputs = np.random.default_rng(10).integers(0, 40, 16, dtype=np.uint32)
    for rounds, done in ((7, False), (3, False), (7, True)):
        empty = np.full(128, 9, np.uint32)
        limits = {"rounds": rounds, "done": done}
        result = kernel.dispatch(2, t0=inputs, u0=empty, cb0=limits)
        rows = empty if done else conditional_rows(inputs, rounds)
        np.testing.assert_array_equal(result.u0, rows)


def check_called(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(11).integers(0, 1 << 32, 16, dtype=np.uint32)
    short, long = inputs.astype(np.int64) & 7, inputs.astype(np.int64) & 15
    for twice in (0, 1):
        expected = short * (short + 1) // 2 + twice * long * (long + 1)
        result = kernel.dispatch(2, t0=inputs, u0=np.zeros_like(inputs), cb0={"twice": twice})
        np.testing.assert_array_equal(result.u0, expected.astype(np.uint32))


CHECKS: dict[str, Check] = {
    "flow": check_flow,
    "conditional": check_conditional,
    "called": check_called,
    "arrays": check_arrays,
    "min_precision": check_min_precision,
    "precise": check_precise,
}
