"""Ranges of cs_5_1 whose buffers differ in size: each access is checked by its buffer's size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner

from ..conftest import needs

Array = np.ndarray[Any, Any]

SIZES = (1, 33, 8)  # elements of dwords; a null buffer follows where the device has such
THREADS = 64
OUT_OF_BRANCH = 4  # threads that do not enter the branch in which the index is uniform
_ADDRESSES = (0, 1, 7, 8, 20, 32, 33, 40)


@dataclass(frozen=True)
class Range:
    """A kind of buffer, and how its instructions are spelled; `{}` is the range's operand.

    r0 has the element, the address and the byte offset, r1.x the value; r2.x gets the result.
    """

    declared: str
    feature: str
    load: str
    store: str = ""
    atomic: str = ""
    count_unit: int = 1  # bufinfo counts bytes of raw buffers (FS §22.4.1)

    @property
    def register(self) -> str:
        return "U1" if "uav" in self.declared else "T1"

    @property
    def count(self) -> Sequence[str]:
        """The loaded value, with the number of elements from bit 16 on."""
        shift = ("ishl r3.y, r3.y, l(16)", "or r2.x, r2.x, r3.y")
        return (self.load, "bufinfo r3.y, {}.x", *shift)


_STRUCTURED = "ld_structured r2.x, r0.y, l(0), {}.xxxx"
RANGES = {
    "structured": Range("dcl_resource_structured {}, 4", "storage_buffer", _STRUCTURED),
    "raw": Range("dcl_resource_raw {}", "storage_buffer", "ld_raw r2.x, r0.z, {}.xxxx", "", "", 4),
    "typed": Range(
        "dcl_resource_buffer (uint,uint,uint,uint) {}",
        "uniform_texel_buffer",
        "ld r2.x, r0.yyyy, {}.xxxx",
    ),
    "structured_uav": Range(
        "dcl_uav_structured {}, 4",
        "storage_buffer",
        _STRUCTURED,
        "store_structured {}.x, r0.y, l(0), r1.x",
        "imm_atomic_iadd r2.x, {}, r0.ywyy, r1.x",
    ),
    "raw_uav": Range(
        "dcl_uav_raw {}",
        "storage_buffer",
        "ld_raw r2.x, r0.z, {}.xxxx",
        "store_raw {}.x, r0.z, r1.x",
        "imm_atomic_iadd r2.x, {}, r0.z, r1.x",
        4,
    ),
    "typed_uav": Range(
        "dcl_uav_typed_buffer (uint,uint,uint,uint) {}",
        "storage_texel_buffer",
        "ld_uav_typed r2.x, r0.yyyy, {}.xxxx",
        "store_uav_typed {}.xyzw, r0.yyyy, r1.xxxx",
        "imm_atomic_iadd r2.x, {}, r0.yyyy, r1.x",
    ),
}
UAVS = [name for name, row in RANGES.items() if row.store]

_LISTING = (Path(__file__).parent / "data/range_sizes.txt").read_text("utf-8")


def operand(line: str, register: str, pick: str) -> str:
    """The instruction with its operand; a destination's mask precedes `nonuniform`."""
    if "{}" not in line:
        return line
    named = f"{register}[r0.x + 0]"
    if pick != "non_uniform":
        return line.format(named)
    before, after = line.split("{}")
    swizzle, comma, rest = after.partition(",")
    return f"{before}{named}{swizzle} {{ nonuniform }}{comma}{rest}"


class Run:
    """One instruction on a range, in threads that name its buffers and addresses.

    `pick` is "non_uniform", or "uniform": then all threads that execute it name buffer 1, and the
    first ones, which would name buffer 0, do not execute it.
    """

    def __init__(self, device: Any, kind: str, pick: str, tables: str | None, unbounded: bool):
        self.device, self.row, self.pick = device, RANGES[kind], pick
        self.options: dict[str, Any] = {} if tables is None else {"size_tables": tables}
        self.unbounded = unbounded
        self.first = 0 if pick == "non_uniform" else OUT_OF_BRANCH
        self.buffers: list[Any] = [
            np.arange(100 * n + 1, 100 * n + 1 + size, dtype=np.uint32)
            for n, size in enumerate(SIZES)
        ]
        if device.features.null_descriptor:
            self.buffers.append(None)
        sizes = np.array([0 if b is None else len(b) for b in self.buffers], np.uint32)
        contents = np.zeros((len(self.buffers), 100), np.uint32)
        for n, size in enumerate(SIZES):
            contents[n, :size] = self.buffers[n]
        # No two threads have the same place
        count = len(self.buffers) if pick == "non_uniform" else 1
        places = [(e, a) for e in range(count) for a in _ADDRESSES]
        places += [(e, a) for a in (*range(9, 20), *range(41, 95)) for e in range(count)]
        rng = np.random.default_rng(len(sizes))
        chosen = rng.permutation(np.array(places[:THREADS], np.uint32))
        self.executing = np.arange(THREADS) >= self.first
        self.elements = chosen[:, 0] if pick == "non_uniform" else self.executing.astype(np.uint32)
        self.addresses = chosen[:, 1]
        self.sizes = sizes[self.elements]  # of each thread's buffer
        self.inside = self.executing & (self.addresses < self.sizes)
        self.values = contents[self.elements, self.addresses]  # before the dispatch, 0 outside

    def count_in(self, lists: Sequence[Any]) -> None:
        """Put lists with counters, or None, in the place of the buffers."""
        self.row = replace(self.row, declared="dcl_uav_structured_opc {}, 4")
        self.buffers = [*lists]
        self.elements %= len(lists)

    def kernel(self, *lines: str, **options: Any) -> Any:
        register = self.row.register
        last = "*" if self.unbounded else len(self.buffers) - 1
        listing = _LISTING.format(
            declaration=self.row.declared.format(f"{register}[0:{last}]"),
            line="\n  ".join(operand(line, register, self.pick) for line in lines),
            threads=THREADS,
            first=self.first,
        )
        return self.device.kernel(listing, **self.options, **options)

    def dispatch(self, *lines: str, **options: Any) -> Any:
        zeros = np.zeros(THREADS, np.uint32)
        given = np.stack([self.elements, self.addresses, 4 * self.addresses, zeros], axis=1)
        key = (self.row.register[0].lower(), 1, 0)
        bindings = {("t", 0, 0): given, ("u", 0, 0): zeros, key: self.buffers}
        return self.kernel(*lines, **options).dispatch(1, bindings=bindings)

    def check_returned(self, result: Any, expected: Array) -> None:
        """Threads that do not execute the instruction keep the initial 7."""
        np.testing.assert_array_equal(result["u0"], np.where(self.executing, expected, 7))

    def check_buffers(self, result: Any, new: Array) -> None:
        """The threads' values are at the places that are inside, and nothing else changed."""
        for n, buffer in enumerate(self.buffers):
            if buffer is None:
                continue
            expected = buffer.copy()
            here = self.inside & (self.elements == n)
            expected[self.addresses[here]] = new[here]
            np.testing.assert_array_equal(result["u0_space1"][n], expected)


Way = tuple[str, str | None]

# Index, and `Options.size_tables`: None leaves it to the device.
WAYS: list[Way] = [
    ("non_uniform", None),
    ("non_uniform", "non_uniform"),
    ("non_uniform", "dynamic"),
    ("uniform", None),
    ("uniform", "dynamic"),
]


def cases(*kinds: str) -> pytest.MarkDecorator:
    """Each kind in each way; the sizes of typed buffers come from no table."""
    found = [
        pytest.param(kind, way, id=f"{kind}-{way[0]}-tables_{way[1] or 'by_device'}")
        for kind in kinds
        for way in (WAYS if RANGES[kind].feature == "storage_buffer" else WAYS[:1])
    ]
    return pytest.mark.parametrize(("kind", "way"), found)


@pytest.mark.parametrize("unbounded", [False, True], ids=["bounded", "unbounded"])
@cases(*RANGES)
def test_counts(device: Any, kind: str, way: Way, unbounded: bool) -> None:
    run = Run(device, kind, *way, unbounded)
    result = run.dispatch(*run.row.count)
    run.check_returned(result, run.values | run.sizes * run.row.count_unit << 16)


@cases(*RANGES)
def test_loads(device: Any, kind: str, way: Way) -> None:
    """FS §22.4.6, §22.4.10, §22.4.12: 0 outside."""
    run = Run(device, kind, *way, unbounded=False)
    run.check_returned(run.dispatch(run.row.load), run.values)


@cases(*UAVS)
def test_stores(device: Any, kind: str, way: Way) -> None:
    """FS §22.4.9, §22.4.11, §22.4.13: nothing is stored outside, everything inside."""
    run = Run(device, kind, *way, unbounded=False)
    result = run.dispatch(run.row.store)
    run.check_buffers(result, np.arange(1000, 1000 + THREADS))


@cases(*UAVS)
def test_atomics(device: Any, kind: str, way: Way) -> None:
    run = Run(device, kind, *way, unbounded=False)
    result = run.dispatch(run.row.atomic)
    run.check_buffers(result, run.values + np.arange(1000, 1000 + THREADS))
    returned = np.where(run.inside, result["u0"], run.values)  # outside it is undefined
    run.check_returned({"u0": np.where(run.executing, returned, 7)}, run.values)


@cases(*RANGES)
def test_reports(device: Any, kind: str, way: Way) -> None:
    """A thread is reported where its place is outside of its own buffer, and nowhere else."""
    run = Run(device, kind, *way, unbounded=False)
    result = run.dispatch(run.row.store or run.row.load, guards="report")
    reported = sorted(violation.thread[0] for violation in result.violations)
    assert reported == np.flatnonzero(run.executing & ~run.inside).tolist()


@cases("structured_uav")
def test_appended_in_each_buffer(device: Any, kind: str, way: Way) -> None:
    """A store to the slot that `imm_atomic_alloc` gave is done within the buffer (FS §22.17.17)."""
    run = Run(device, kind, *way, unbounded=False)
    targets = [device.buffer(np.zeros(size, np.uint32), counter=0) for size in SIZES]
    run.count_in(targets)
    run.dispatch("imm_atomic_alloc r2.x, {}", "store_structured {}.x, r2.x, l(0), r1.x")
    for n, target in enumerate(targets):
        threads = np.flatnonzero(run.executing & (run.elements == n))
        found = target.read()
        assert target.counter == len(threads)
        kept = min(len(threads), SIZES[n])
        assert len(set(found[:kept])) == kept
        assert set(found[:kept]) <= set((threads + 1000).tolist())
        assert not found[kept:].any()


@cases("structured_uav")
def test_counters_that_are_not_there(device: Any, kind: str, way: Way) -> None:
    """A missing counter gives 0 and is reported; the others count, each in its own buffer."""
    run = Run(device, kind, *way, unbounded=False)
    with needs(device, "null_descriptor"):
        targets = [None, *(device.buffer(np.zeros(2, "u4"), counter=100 * n) for n in (1, 2)), None]
        run.count_in(targets)
        result = run.dispatch("imm_atomic_consume r2.x, {}", guards="report")
        missing = run.executing & np.isin(run.elements, (0, 3))
        assert not result["u0"][missing].any()
        reported = sorted(violation.thread[0] for violation in result.violations)
        assert reported == np.flatnonzero(missing).tolist()
        for n in (1, 2):
            found = result["u0"][run.executing & (run.elements == n)]
            assert sorted(found) == [*range(100 * n - len(found), 100 * n)]
            assert targets[n].counter == 100 * n - len(found)


@cases("structured")
def test_views_of_buffers(device: Any, kind: str, way: Way) -> None:
    """The view's size counts, not the buffer's, also when a recording is submitted again."""
    run = Run(device, kind, *way, unbounded=False)
    kernel = run.kernel(*run.row.count)
    buffer = device.buffer(np.zeros(400, np.uint32))
    views = [buffer.view(64 * n, size) for n, size in enumerate((5, 50, 20))]
    given = np.zeros((THREADS, 4), np.uint32)
    given[:, 0] = run.elements % 3
    out = device.buffer(np.zeros(THREADS, np.uint32))
    recording = device.record()
    ranges = [*views, *run.buffers[len(views) :]]
    bindings = {("t", 0, 0): device.buffer(given), ("u", 0, 0): out, ("t", 1, 0): ranges}
    recording.dispatch(kernel, 1, bindings=bindings)
    for _ in range(2):
        recording.submit().wait()
        expected = np.array([5, 50, 20], np.uint32)[given[:, 0]]
        run.check_returned({"u0": out.read()}, expected << 16)


def test_buffers_that_are_copied(device: Any) -> None:
    """The tables lie in the device's own memory, where buffers do."""
    with vkrunner.open_device(device.info.index, staged=True) as own:
        run = Run(own, "structured_uav", "uniform", "dynamic", unbounded=True)
        run.check_buffers(run.dispatch(run.row.store), np.arange(1000, 1000 + THREADS))


def test_tables_take_no_place_of_a_buffer(device: Any) -> None:
    """32 UAVs are as many storage buffers as lavapipe allows; SwiftShader allows 30."""
    each = min(32, device.info.limits.max_storage_buffers) // 4
    firsts = [each * n for n in range(4)]
    declared = [f"dcl_uav_structured U{n}[{n}:{n + each - 1}], 4, space=0" for n in firsts]
    stores = [
        f"store_structured U{n}[vThreadGroupID.x + {n}].x, vThreadGroupID.x, l(0), l({100 + n})"
        for n in firsts
    ]
    head = ["cs_5_1", *declared, "dcl_input vThreadGroupID.x", "dcl_thread_group 1, 1, 1"]
    kernel = device.kernel("\n".join([*head, *stores, "ret"]) + "\n", size_tables="dynamic")
    buffers = [device.buffer(np.zeros(5, np.uint32)) for _ in range(4 * each)]
    given = {f"u{n}": [one.view(1, 3) for one in buffers[n : n + each]] for n in firsts}
    kernel.dispatch(each, **given)
    for n, buffer in enumerate(buffers):
        group, expected = n % each, np.zeros(5, np.uint32)
        if group < 3:
            expected[1 + group] = 100 + n - group
        np.testing.assert_array_equal(buffer.read(), expected)
