"""bounds, raw_views, counters, append_consume: cases computed from their HLSL and D3D's rules."""

from typing import Any

import numpy as np

from checks.corpus.case import (
    Array,
    Case,
    Counted,
    exactly,
    explained_by_some_order,
    groups_for,
    padded,
)

PAIR = np.dtype([("lo", "<u4"), ("hi", "<u4")])
CELL = np.dtype([("a", "<u4"), ("b", "<i4")])
RAY = np.dtype([("origin", "<f4", 3), ("pixel", "<u4")])


def bounds_cases() -> list[Case]:
    rng = np.random.default_rng(7)
    # 0x20000001 * 8 and 0xe0000003 * 8 wrap to elements 1 and 3: out of bounds all the same.
    far = [0x20000001, 0xE0000003, 0x40000001, 0x80000000, 0xFFFFFFFF, 0x1FFFFFFF, 10, 9, 20, 19]
    return [
        bounds("inside", rng.integers(0, 10, 32), 10, 10, 32),
        bounds("just outside", rng.integers(0, 24, 64), 10, 20, 64),
        bounds("far outside", np.array(far * 3), 10, 20, 32),
        bounds("indices and seen past the end", rng.integers(0, 12, 40), 11, 10, 50),
        bounds("source is longer than target", rng.integers(0, 40, 96), 40, 3, 96),
    ]


def bounds(name: str, index: Array, sources: int, targets: int, seen: int) -> Case:
    index = index.astype(np.uint32)
    threads = -(-max(len(index), seen) // 32) * 32
    source = np.zeros(sources, PAIR)
    source["lo"], source["hi"] = 100 + np.arange(sources), 900 + np.arange(sources)
    target = np.zeros(targets, PAIR)
    target["lo"], target["hi"] = 5, 6
    after, read = target.copy(), np.zeros((threads, 2), np.uint32)
    for thread, i in enumerate(padded(index, threads)):
        if i < sources:
            read[thread] = source[i]["lo"], source[i]["hi"]
        if i < targets:
            after[i]["hi"] = read[thread][0] + 1
            after[i]["lo"] += 1
    arguments = {"t0": index, "t1": source, "u0": target, "u1": np.full((seen, 2), 8, np.uint32)}
    return Case(name, groups_for(threads, 32), arguments, exactly(u0=after, u1=read[:seen]))


def raw_views_cases() -> list[Case]:
    return [
        raw_views("whole", 256, 256, 64),
        raw_views("source ends within a vector", 230, 256, 64),
        raw_views("target ends within a vector", 256, 101, 64),
        raw_views("bytes", 64, 64, 32, np.uint8),
    ]


def raw_views(name: str, sources: int, targets: int, threads: int, dtype: Any = np.uint32) -> Case:
    """`sources` and `targets` in dwords."""
    source = np.random.default_rng(sources).integers(0, 2**32, sources).astype(np.uint32)
    after = np.arange(targets, dtype=np.uint32)
    before = after.copy()
    # D3D checks each dword of a raw access separately: both buffers act as if zeros followed.
    words, room = padded(source, threads * 4 + 4), padded(after, threads * 4)
    for at in range(0, min(threads * 4, sources), 4):
        room[at] = words[at + 3]
        room[at + 1 : at + 4] = words[at : at + 3] + words[at + 1]
    kept = min(targets, threads * 4)
    after[:kept] = room[:kept]
    arguments = {"t0": source.view(dtype), "u0": before.view(dtype)}
    return Case(name, groups_for(threads, 32), arguments, exactly(u0=after.view(dtype)))


def counters_cases() -> list[Case]:
    return [
        counters("one group", 1, raw=4, cells=4, typed=9),
        counters("three groups", 3, raw=5, cells=6, typed=20),
        counters("the last addresses of each are outside", 2, raw=2, cells=3, typed=7),
    ]


def counters(name: str, groups: int, raw: int, cells: int, typed: int) -> Case:
    """All returned values and final values have to follow from some order of the atomics."""
    before = {
        "u0": padded(np.array([5, 0x0F, 0xFFFF00FF, 1], np.uint32), raw),
        "u1": np.full(cells, 0, CELL),
        "u2": padded(np.arange(1, 10, dtype=np.uint32) * np.uint32(6), typed),
        "u3": np.zeros((groups * 96, 4), np.uint32),
    }
    before["u2"][6] = 0
    threads = range(groups * 32)

    def check(result: Any) -> None:
        seen = result.u3.reshape(-1, 3, 4).tolist()
        for row, column, resource, at, operation in ATOMICS:
            start, end = words(before[resource]), words(result[resource])
            returned = [thread[row][column] for thread in seen]
            where = f"{resource}[{at}]"
            if at >= len(start):
                assert set(returned) == {0}, where
                continue
            args = (start[at], threads, returned, end[at], operation)
            assert explained_by_some_order(*args), where
        constant = before["u2"][8] if typed > 8 else 0
        assert {(thread[2][2], thread[2][3]) for thread in seen} == {(constant, 0)}
        expected = words(before["u2"])
        expected[6] = 77
        untouched = [at for at in range(typed) if at not in (5, 7)]
        assert [words(result.u2)[at] for at in untouched] == [expected[at] for at in untouched]
        assert words(result.u1)[0] == words(before["u1"])[0]

    return Case(name, (groups, 1, 1), before, check)


def words(array: Array) -> list[int]:
    return np.ascontiguousarray(array).view(np.uint32).ravel().tolist()


def signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word


# The component and row of `seen` that hold the returned value of a dword of a UAV, and the value
# that the atomic of thread `i` makes of v.
ATOMICS = (
    (0, 0, "u0", 0, lambda v, i: (v + i) % 2**32),
    (0, 1, "u0", 1, lambda v, i: v | 1 << i % 32),
    (0, 2, "u0", 2, lambda v, i: v & ~(1 << i % 32)),
    (0, 3, "u0", 3, lambda v, i: v ^ i * 3),
    (1, 0, "u1", 3, lambda v, i: min(signed(v), -i) % 2**32),
    (1, 1, "u1", 2, lambda v, i: max(v, i)),
    (1, 2, "u1", 4, lambda v, i: i),
    (1, 3, "u1", 6, lambda v, i: i + 1 if v == 0 else v),
    (2, 0, "u2", 5, lambda v, i: (v + 2) % 2**32),
    (2, 1, "u2", 7, lambda v, i: max(v, i)),
)


def append_consume_cases() -> list[Case]:
    return [
        append_consume("as many as there are", 128, 128, 128, 200),
        append_consume("the last group partly used", 128, 100, 70, 200),
        append_consume("consume below zero", 20, 3, 10, 40),
        append_consume("append past the end", 128, 128, 128, 20),
        append_consume("consume above the end", 10, 40, 30, 64),
    ]


def append_consume(name: str, inputs: int, counter: int, count: int, outputs: int) -> Case:
    """The order is free: the appended rays are compared without regard to it."""
    rays = np.zeros(inputs, RAY)
    rays["origin"] = np.random.default_rng(inputs).integers(-40, 40, (inputs, 3)) / 4
    rays["pixel"] = np.arange(inputs)
    taken = np.zeros(count, RAY)
    for n in range(count):
        at = (counter - 1 - n) % 2**32
        taken[n] = rays[at] if at < inputs else np.zeros((), RAY)
    kept = taken[taken["origin"][:, 0] < 2.0]
    kept["origin"] *= 2
    first = 5
    before = np.full(outputs, np.frombuffer(b"\x11" * 16, RAY)[0])

    def check(result: Any) -> None:
        assert result.counters["u0"] == (counter - count) % 2**32
        assert result.counters["u1"] == first + len(kept)
        np.testing.assert_array_equal(result.u0, rays)
        end = min(first + len(kept), outputs)
        np.testing.assert_array_equal(result.u1[:first], before[:first])
        np.testing.assert_array_equal(result.u1[end:], before[end:])
        left = sorted(ray.tobytes() for ray in kept)
        for ray in result.u1[first:end]:
            left.remove(ray.tobytes())
        assert len(left) == first + len(kept) - end

    arguments = {
        "u0": Counted(rays, counter),
        "u1": Counted(before, first),
        "cb0": {"count": count, "limit": 2.0},
    }
    return Case(name, groups_for(count, 64), arguments, check)
