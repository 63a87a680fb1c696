"""philox, branches, histogram: cases computed from their HLSL, exact to the bit."""

import numpy as np

from checks.corpus.case import Array, Case, exactly, groups_for, padded

WEIGHTS = (3, -1, 4, 1, -5, 9, 2, 6)
# Philox-4x32-10 of counter 0 and key 0, from the known answers of Random123 (kat_vectors).
PHILOX_ZERO = (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


def philox_cases() -> list[Case]:
    return [
        philox("known answer", (0, 0), 100, 100),
        philox("a seed", (0xDEADBEEF, 0x12345678), 1000, 1000),
        philox("stores past the end", (1, 2), 50, 130),
    ]


def philox(name: str, seed: tuple[int, int], size: int, count: int) -> Case:
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    c = np.zeros((4, min(size, count)), np.uint64)
    c[0] = np.arange(c.shape[1])
    key = [np.uint64(word) for word in seed]
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = np.stack([p1 >> half ^ c[1] ^ key[0], p1 & low, p0 >> half ^ c[3] ^ key[1], p0 & low])
        key = [key[0] + np.uint64(0x9E3779B9) & low, key[1] + np.uint64(0xBB67AE85) & low]
    if seed == (0, 0):
        assert tuple(c[:, 0].tolist()) == PHILOX_ZERO
    expected = np.full((size, 4), 7, np.uint32)
    expected[: c.shape[1]] = c.T.astype(np.uint32)
    arguments = {
        "u0": np.full((size, 4), 7, np.uint32),
        "cb0": {"seed": np.array(seed, np.uint32), "count": count},
    }
    return Case(name, groups_for(count, 64), arguments, exactly(u0=expected))


def branches_cases() -> list[Case]:
    rng = np.random.default_rng(5)
    any_value = rng.integers(-(2**31), 2**31, 640).astype(np.int32)
    edges = np.array([-1, 0, 1, 2, 5, -2, 2**31 - 1, -(2**31), 0x15555555], np.int32)
    return [
        branches("random", any_value, 640),
        branches("edges, and threads past the end", edges, 100),
        branches("small values", np.arange(-2, 500, dtype=np.int32), 490),
    ]


def branches(name: str, values: Array, outputs: int) -> Case:
    threads = groups_for(max(len(values), outputs), 64)
    expected = [branches_of(int(v)) for v in padded(values, outputs)]
    arguments = {"t0": values, "u0": np.full(outputs, 123, np.int32)}
    return Case(name, threads, arguments, exactly(u0=np.array(expected, np.int32)))


def branches_of(value: int) -> int:
    """One thread of branches.hlsl."""
    if value == -1:
        return -1
    stack: list[int] = []
    while value > 0 and len(stack) < 16:
        stack.append(value & 7)
        value >>= 2
    total = 0
    for item in stack:
        if item == 5:
            continue
        total = after_switch(WEIGHTS[item], total, stack[0])
        if total > 40:
            return total * 10
    return total


def after_switch(weight: int, total: int, first: int) -> int:
    if weight == 3:
        return total + 1
    if weight in (-1, 4):
        return total + weight * 2
    if weight != 9:
        return total + weight
    for j in range(weight):
        if j == first:
            break
        total ^= j
    return total


def histogram_cases() -> list[Case]:
    values = np.random.default_rng(6).integers(0, 2**32, 1200).astype(np.uint32)
    return [
        histogram("last group partly used", values, 1000, 256),
        histogram("reads past the end count as 0", values, 1500, 256),
        histogram("fewer bins", values, 1200, 100),
        histogram("nothing to count", values, 0, 256),
    ]


def histogram(name: str, values: Array, count: int, bins: int) -> Case:
    counted = np.bincount(padded(values, count) & 255, minlength=256).astype(np.uint32)
    before = np.arange(bins, dtype=np.uint32)
    arguments = {"t0": values, "u0": before, "cb0": {"count": count}}
    check = exactly(u0=before + counted[:bins])
    return Case(name, groups_for(max(count, 1), 256), arguments, check)
