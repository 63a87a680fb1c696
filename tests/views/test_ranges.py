"""Arrays of buffers (cs_5_1) whose views begin and end anywhere, show nothing, or are null."""

import itertools
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate.interface import Table

from ..conftest import needs
from .shaders import shader

Array = np.ndarray[Any, Any]

INDICES = ("constant", "uniform", "divergent")
BUFFER_DWORDS = 2048
# First element and number of elements. 64 is aligned for every device and stride, 3 for few.
VIEWS = ((3, 7), (64, 4), (3, 0), None)
ADDRESSES = (0, 3, 6, 9, 2**30 + 12, 2**31 + 15, 2**32 - 8)  # each access has its own elements


@dataclass(frozen=True)
class Kind:
    """The declaration of an array, and its elements; the shader accesses their last dwords."""

    is_uav: bool = False
    is_raw: bool = False
    stride: int | None = None
    formats: Sequence[str] = ()

    def view(self, buffer: Any, place: tuple[int, int] | None, number: int) -> Any:
        if place is None:
            return None
        named = {"format": self.formats[number]} if self.formats else {"stride": self.stride}
        return buffer.view(*place, **named)

    def elements(self, data: Array, number: int) -> Array:
        """The numbers that the shader accesses in the whole buffer, as a view of `data`."""
        if self.formats:
            bits = int(self.formats[number][1:].partition("_")[0])
            return data.view(f"<u{bits // 8}")
        width = (self.stride or 4) // 4
        whole = data[: len(data) // width * width]
        return whole.reshape(-1, width)[:, -1]


KINDS = {
    "raw": Kind(is_raw=True),
    "raw_uav": Kind(is_uav=True, is_raw=True),
    "structured": Kind(stride=12),
    "structured_uav": Kind(is_uav=True, stride=12),
    "typed": Kind(formats=("r8_uint", "r16_uint", "r32_uint")),
    "typed_uav": Kind(is_uav=True, formats=("r32_uint",) * 3),
}


def perform(kind: Kind, data: Array, places: Sequence[Any], rows: Array) -> Array:
    """Run the threads in turn; returns their results, u32[rows, 3], and changes `data`."""
    found = np.zeros((len(rows), 3), np.uint32)
    for result, (number, at, value, _) in zip(found, rows.tolist(), strict=True):
        if places[number] is None:
            continue
        first, count = places[number]
        view = kind.elements(data, number)[first : first + count]
        wrap = 2**30 if kind.is_raw else 2**32  # a byte offset wraps in the shader
        load, add, store = ((at + n) % 2**32 % wrap for n in range(3))
        result[2] = count
        result[0] = view[load] if load < count else 0
        if kind.is_uav and add < count:
            result[1] = view[add]
            view[add] += np.uint32(value)
        if kind.is_uav and store < count:
            view[store] = value
    return found


def rows_of(views: int) -> Array:
    """Every view at every address, each with a different value."""
    pairs = itertools.product(enumerate(ADDRESSES), range(views))
    return np.array([(view, at, 1000 + 100 * view + n, 0) for (n, at), view in pairs], np.uint32)


def check(device: Any, kernel: Any, kind: Kind, places: Sequence[Any], times: int = 1) -> None:
    """Dispatch, and compare the results and the whole buffer with the model."""
    data = np.random.default_rng(8).integers(1, 2**32, BUFFER_DWORDS, np.uint32)
    rows, buffer = rows_of(len(places)), device.buffer(data)
    views = [kind.view(buffer, place, n) for n, place in enumerate(places)]
    register = ("u" if kind.is_uav else "t", 1, 1)
    for _ in range(times):
        expected = perform(kind, data, places, rows)
        found = np.full_like(expected, 0xEE)
        result = kernel.dispatch(len(rows), rows=rows, found=found, bindings={register: views})
        np.testing.assert_array_equal(result["found"], expected)
        np.testing.assert_array_equal(buffer.read(), data)


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("name", KINDS)
def test_every_kind(device: Any, name: str, index: str, guards: str) -> None:
    """One view begins where no descriptor can; then all views have windows."""
    kind = KINDS[name]
    kernel = device.kernel(shader(f"ranges_{name}_{index}"), guards=guards)
    check(device, kernel, kind, VIEWS, times=2)


@pytest.mark.parametrize("name", KINDS)
def test_views_that_descriptors_show(device: Any, name: str) -> None:
    """The same kernel serves views with windows and views without."""
    aligned = ((64, 7), (128, 4), (256, 4), (192, 1))
    kind = KINDS[name]
    if kind.formats:
        kind = Kind(kind.is_uav, formats=("r32_uint",) * 4)
    kernel = device.kernel(shader(f"ranges_{name}_constant"))
    for places in (aligned, ((3, 7), *aligned[1:]), aligned):
        check(device, kernel, kind, places)


def test_more_views_than_push_constants_hold(device: Any) -> None:
    places = [(1 + 11 * n, n % 9) for n in range(20)]
    kernel = device.kernel(shader("ranges_many"))
    check(device, kernel, KINDS["raw_uav"], places)


def test_unbounded_arrays(device: Any) -> None:
    kernel = device.kernel(shader("ranges_unbounded"))
    for places in (((3, 7), (64, 4), (20, 2)), ((64, 7), (3, 2), None)):
        check(device, kernel, KINDS["raw_uav"], places)


def test_an_unbounded_array_of_nothing(device: Any) -> None:
    kernel, rows = device.kernel(shader("ranges_unbounded")), rows_of(3)
    found = np.full((len(rows), 3), 0xEE, np.uint32)
    result = kernel.dispatch(len(rows), rows=rows, found=found, bindings={("u", 1, 1): []})
    assert not result["found"].any()


def test_a_recording_that_is_submitted_again(device: Any) -> None:
    kind, rows = KINDS["structured_uav"], rows_of(4)
    data = np.random.default_rng(9).integers(1, 2**32, BUFFER_DWORDS, np.uint32)
    buffer, found = device.buffer(data), device.buffer(np.zeros((len(rows), 3), np.uint32))
    views = [kind.view(buffer, place, n) for n, place in enumerate(VIEWS)]
    kernel = device.kernel(shader("ranges_structured_uav_constant"))
    with device.record() as work:
        work.dispatch(kernel, len(rows), rows=rows, found=found, bindings={("u", 1, 1): views})
    for _ in range(3):
        work.submit().wait()
        np.testing.assert_array_equal(found.read(), perform(kind, data, VIEWS, rows))
        np.testing.assert_array_equal(buffer.read(), data)


def test_the_table_of_a_module(device: Any) -> None:
    """A module that was translated with windows takes any views, aligned or not."""
    program = translate.load(shader("ranges_raw_uav_constant"))
    module = translate.to_spirv(program, translate.Options(windows=frozenset({"u1_space1"})))
    assert module.interface.tables == (Table("u1_space1", "windows", first=0, stride=2),)
    assert module.interface["tables"].size_bytes == 4 * 8
    assert module.interface.windows == ()  # none is in push constants
    if isinstance(device, vkrunner.ReferenceDevice):
        return  # it runs no SPIR-V
    with device.kernel(module) as kernel:
        check(device, kernel, KINDS["raw_uav"], VIEWS)
        check(device, kernel, KINDS["raw_uav"], ((64, 7), (128, 4), (64, 0), (192, 1)))


def test_a_table_beside_one_of_sizes() -> None:
    windows = frozenset({"u1_space1"})
    options = translate.Options(windows=windows, size_tables="non_uniform")
    program = translate.load(shader("ranges_raw_uav_divergent"))
    interface = translate.to_spirv(program, options).interface
    assert interface.tables == (
        Table("u1_space1", "sizes", first=0, stride=1),
        Table("u1_space1", "windows", first=4, stride=2),
    )
    assert interface["tables"].size_bytes == 4 * (4 + 8)


def test_tables_of_a_module_with_unbounded_arrays(device: Any) -> None:
    """The numbers of two arrays of any length share the table."""
    listing = (
        "cs_5_1\ndcl_resource_raw T0[0:*], space=0\ndcl_resource_raw T1[4:*], space=1\n"
        "dcl_uav_raw U0[0:0], space=0\ndcl_input vThreadGroupID.x\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nld_raw r0.x, l(4), T0[vThreadGroupID.x + 0].xxxx\n"
        "ld_raw r0.y, l(4), T1[vThreadGroupID.x + 4].xxxx\nishl r0.z, vThreadGroupID.x, l(3)\n"
        "store_raw U0[0].xy, r0.z, r0.xyxx\nret\n"
    )
    windows = frozenset({"t0", "t4_space1"})
    options = translate.Options(windows=windows, size_tables="dynamic")
    module = translate.to_spirv(translate.load(listing), options)
    strides = {(t.register, t.kind): (t.first, t.stride) for t in module.interface.tables}
    assert strides["t4_space1", "windows"] == (4, 6)
    if isinstance(device, vkrunner.ReferenceDevice):
        return  # it runs no SPIR-V
    needed = ("runtime_descriptor_array", "storage_buffer_dynamic_indexing")
    with needs(device, *needed), closing(device.kernel(module)) as kernel:
        buffer = device.buffer(np.arange(100, dtype=np.uint32))
        lists = {"t0": ((1, 5), (30, 1), (8, 2)), ("t", 1, 4): ((50, 2), None, (60, 3))}
        views = {
            key: [place and buffer.view(*place) for place in places]
            for key, places in lists.items()
        }
        seen = kernel.dispatch(3, u0=np.full(6, 9, np.uint32), bindings=views).u0
        assert seen.tolist() == [2, 51, 0, 0, 9, 61]
