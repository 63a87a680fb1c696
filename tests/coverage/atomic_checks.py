"""The atomics shader: final values are the same in any order; some order explains the old ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.corpus.case import explained_by_some_order

from .expected_alu import Array

THREADS = 8
START = np.array(
    [0xFFFFFFFF, 1 << 20, 0xABCD, 5, 40, 0x40000000, 77, 100, 0xFF, 0, 0xF0, 0, -5, 50, -7, 70],
    np.int64,
).astype(np.uint32)


def check(device: Any, kernel: Any, typed: bool = False) -> None:
    """One group, so that group-shared memory gives the same; the last four cells are signed."""
    inputs = np.random.default_rng(50).integers(0, 1 << 32, THREADS, dtype=np.uint32)
    arguments: dict[str, Any] = {"u0": START.copy()}
    if kernel.interface["u0"].dtype is not None and kernel.interface["u0"].dtype.itemsize == 64:
        arguments["u0"] = START.view(kernel.interface["u0"].dtype)
    if typed:
        arguments["u2"] = START[12:].view(np.int32).copy()
    old = np.zeros((THREADS, 16), np.uint32)
    result = kernel.dispatch(1, t0=inputs, u1=old.ravel(), **arguments)
    final = np.ascontiguousarray(result.u0).view(np.uint32).copy()
    if typed:
        final[12:] = result.u2.view(np.uint32)
    check_final(inputs, final)
    check_old(inputs, final, result.u1.reshape(THREADS, 16))


def check_final(inputs: Array, final: Array) -> None:
    signed = inputs.view(np.int32)
    expected = START.copy()
    expected[0] = np.bitwise_and.reduce(inputs | 0xFF) & START[0]
    expected[1] |= np.bitwise_or.reduce(inputs & 0xFFFF)
    expected[2] ^= np.bitwise_xor.reduce(inputs)
    expected[3] += inputs.sum(dtype=np.uint32)
    expected[4] = max(START[4], inputs.max())
    expected[5] = min(START[5], inputs.min())
    expected[7] += THREADS
    expected[8] = START[8] & ~np.uint32((1 << THREADS) - 1)
    expected[9] = START[9] | (1 << THREADS) - 1
    expected[10] = START[10] ^ (1 << THREADS) - 1
    for cell, extreme in ((12, max), (13, min), (14, max), (15, min)):
        start = int(START[cell : cell + 1].view(np.int32)[0])
        bound = extreme(start, int(signed.max() if extreme is max else signed.min()))
        expected[cell] = bound & 0xFFFFFFFF
    assert 1000 <= final[6] < 1000 + THREADS or 2000 <= final[6] < 2000 + THREADS
    assert 1 <= final[11] <= THREADS
    expected[6], expected[11] = final[6], final[11]
    np.testing.assert_array_equal(final, expected)


def check_old(inputs: Array, final: Array, old: Array) -> None:
    lanes = range(THREADS)
    signed = [int(x) for x in inputs.view(np.int32)]
    orders = [
        (0, 7, [1] * THREADS, lambda value, one: value + one),
        (1, 8, [0xFFFFFFFF ^ 1 << i for i in lanes], lambda value, mask: value & mask),
        (2, 9, [1 << i for i in lanes], lambda value, bit: value | bit),
        (3, 10, [1 << i for i in lanes], lambda value, bit: value ^ bit),
        (4, 11, [i + 1 for i in lanes], lambda value, new: new),
        (5, 14, signed, max),
        (6, 15, signed, min),
    ]
    for column, cell, operands, operation in orders:
        kind = np.int32 if cell >= 12 else np.uint32
        start, end = (int(words[cell : cell + 1].view(kind)[0]) for words in (START, final))
        returned = [int(x) for x in old[:, column].copy().view(kind)]
        found = explained_by_some_order(start, operands, returned, end, operation)
        assert found, f"cell {cell}: {returned} from {start} to {end}"
    # They follow the plain forms of the same operations, which other threads may still execute.
    assert (old[:, 7] >= np.maximum(START[4], inputs)).all()
    assert (old[:, 8] <= np.minimum(START[5], inputs)).all()
    compared = old[:, 9]
    assert np.isin(compared, [77, final[6]]).all()
    assert (compared == 77).sum() <= 1
