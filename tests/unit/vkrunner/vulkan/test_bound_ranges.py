"""The bytes of a buffer that a driver is told to bind: exactly the view's.

Robust access hides a range that is too short or begins elsewhere where nothing is read, and a CPU
has memory after a range that is too long. So these tests read the driver's arguments, not results.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import Driver
from vkrunner.vulkan.loader import vk

ELEMENTS = 256
DECLARED = 4  # vectors of the constant buffer


class Range(NamedTuple):
    """Bytes of a VkBuffer."""

    buffer: int
    first: int
    nbytes: int


class Kind(NamedTuple):
    """Lines that declare and use a register, how a buffer is viewed for it, bytes of an element."""

    declared: str
    used: str
    viewed: dict[str, Any]
    nbytes: int

    @property
    def register(self) -> str:
        return "u0" if "uav" in self.declared else "t0"

    @property
    def listing(self) -> str:
        return (
            f"cs_5_0\n{self.declared}\ndcl_uav_raw u7\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
            f"{self.used}\nstore_raw u7.x, l(0), r0.x\nret\n"
        )

    @property
    def window_unit(self) -> int:
        """The bytes that windows of this kind count in: a texel or a dword."""
        return self.nbytes if "format" in self.viewed else 4


_UINT = "(uint,uint,uint,uint)"
KINDS = {
    "raw": Kind("dcl_resource_raw t0", "ld_raw r0.x, l(0), t0.xxxx", {}, 4),
    "raw_uav": Kind("dcl_uav_raw u0", "ld_raw r0.x, l(0), u0.xxxx", {}, 4),
    "structured": Kind(
        "dcl_resource_structured t0, 12",
        "ld_structured r0.x, l(0), l(0), t0.xxxx",
        {"stride": 12}, 12,
    ),
    "structured_uav": Kind(
        "dcl_uav_structured u0, 12",
        "ld_structured r0.x, l(0), l(0), u0.xxxx",
        {"stride": 12}, 12,
    ),
    "typed": Kind(
        f"dcl_resource_buffer {_UINT} t0",
        f"ld_indexable(buffer){_UINT} r0.x, l(0, 0, 0, 0), t0.xyzw",
        {"format": "r16_uint"}, 2,
    ),
    "typed_uav": Kind(
        f"dcl_uav_typed_buffer {_UINT} u0",
        f"ld_uav_typed_indexable(buffer){_UINT} r0.x, l(0, 0, 0, 0), u0.xyzw",
        {"format": "r32_uint"}, 4,
    ),
}  # fmt: skip
CONSTANTS = Kind(
    f"dcl_constantbuffer CB0[{DECLARED}], immediateIndexed", "mov r0.x, cb0[3].x", {}, 16
)
SIZES = (Path(__file__).parent / "data/bound_ranges.asm").read_text("utf-8")


class Told:
    """What a driver is told in dispatches: bound and filled bytes, copies and push constants."""

    def __init__(self, driver: Driver):
        self.bound: dict[int, Range] = {}  # by binding number
        self.copied: list[tuple[Range, Range]] = []  # source and target
        self.filled: list[Range] = []
        self.pushed: list[int] = []
        self._views: dict[int, Range] = {}
        driver.replace("vkCreateBufferView", self._view)
        driver.replace("vkUpdateDescriptorSets", self._update)
        driver.replace("vkCmdPushConstants", self._push)
        driver.replace("vkCmdCopyBuffer", self._copy)
        driver.replace("vkCmdFillBuffer", self._fill)

    def _view(self, function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
        result = function(handle, info, *rest)
        self._views[number(rest[-1][0])] = Range(number(info.buffer), info.offset, info.range)
        return result

    def _update(self, function: Callable[..., None], handle: Any, count: int, *rest: Any) -> None:
        function(handle, count, *rest)
        for write in rest[0][0:count]:
            if write.pBufferInfo != vk.ffi().NULL:
                info = write.pBufferInfo[0]
                self.bound[write.dstBinding] = Range(number(info.buffer), info.offset, info.range)
            elif write.pTexelBufferView != vk.ffi().NULL:
                self.bound[write.dstBinding] = self._views[number(write.pTexelBufferView[0])]

    def _push(self, function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)
        first, size, words = arguments[3:]
        assert first == 0
        self.pushed = [*words[0 : size // 4]]

    def _copy(self, function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)
        source, target, count, regions = arguments[1:]
        for one in regions[0:count]:
            ours = Range(number(source), one.srcOffset, one.size)
            self.copied.append((ours, Range(number(target), one.dstOffset, one.size)))

    def _fill(self, function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)
        self.filled.append(Range(number(arguments[1]), *arguments[2:4]))


def number(handle: Any) -> int:
    return int(vk.ffi().cast("uintptr_t", handle))


@pytest.fixture
def own(device: vkrunner.Device, driver: Driver) -> Iterator[Any]:
    with vkrunner.open_device(device.info.index) as opened:
        yield opened
        driver.restore()


def tell(own: Any, driver: Driver, kind: Kind, argument: Any) -> tuple[Range, Told]:
    """The range of the kind's register in a dispatch, and all that the driver is told."""
    kernel = own.kernel(kind.listing)
    told = Told(driver)
    register = "cb0" if kind is CONSTANTS else kind.register
    kernel.dispatch(1, u7=np.zeros(1, np.uint32), **{register: argument})
    driver.restore()
    return told.bound[kernel.interface[register].binding], told


def alignment(own: Any, kind: Kind) -> int:
    memory = "texel" if "format" in kind.viewed else "storage"
    memory = "uniform" if kind is CONSTANTS else memory
    return getattr(own.limits, f"{memory}_buffer_offset_alignment")


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("first", [0, 1, 3, 128])
@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_view(own: Any, driver: Driver, kind: Kind, first: int, count: int) -> None:
    """An unaligned view has a longer range, which ends with it; the window says what it is."""
    buffer = own.buffer(np.zeros(ELEMENTS * kind.nbytes, np.uint8))
    whole, _ = tell(own, driver, kind, buffer.view(**kind.viewed))
    assert whole.nbytes == ELEMENTS * kind.nbytes
    bound, told = tell(own, driver, kind, buffer.view(first, count, **kind.viewed))
    start, size = whole.first + first * kind.nbytes, count * kind.nbytes
    assert bound.buffer == whole.buffer
    assert bound.first + bound.nbytes == start + size
    assert bound.first % alignment(own, kind) == 0
    if start % alignment(own, kind) == 0:
        assert (bound.first, told.pushed) == (start, [])
        return
    skipped, shown = (n * kind.window_unit for n in told.pushed)
    assert (bound.first + skipped, shown) == (start, size)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_an_array(own: Any, driver: Driver, kind: Kind) -> None:
    dtype = np.uint16 if kind.nbytes == 2 else np.uint32
    array = np.zeros(5 * kind.nbytes // dtype().itemsize, dtype)
    bound, told = tell(own, driver, kind, array)
    assert (bound.nbytes, told.pushed) == (array.nbytes, [])


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5])
def test_constants_of_an_array(own: Any, driver: Driver, count: int) -> None:
    """All vectors that the shader declares, as Vulkan requires, and no others."""
    bound, _ = tell(own, driver, CONSTANTS, np.zeros((count, 4), np.uint32))
    assert bound.nbytes == 16 * DECLARED


@pytest.mark.parametrize("count", [1, 3, 4, 5])
@pytest.mark.parametrize("first", [0, 1, 16])
def test_constants_of_a_buffer(own: Any, driver: Driver, first: int, count: int) -> None:
    """The same of a view that is aligned and long enough; of others a copy, with zeros after it."""
    buffer = own.buffer(np.zeros((ELEMENTS, 4), np.uint32))
    whole, _ = tell(own, driver, CONSTANTS, buffer)
    shown = Range(whole.buffer, whole.first + 16 * first, 16 * min(count, DECLARED))
    bound, told = tell(own, driver, CONSTANTS, buffer.view(first, count))
    assert bound.nbytes == 16 * DECLARED
    if count >= DECLARED and shown.first % alignment(own, CONSTANTS) == 0:
        assert bound == shown
        return
    assert (shown, Range(bound.buffer, bound.first, shown.nbytes)) in told.copied
    assert bound in told.filled


def test_tables(own: Any, driver: Driver) -> None:
    """A number for each of three buffers."""
    if not own.features.storage_buffer_dynamic_indexing:
        pytest.skip(f"{own.name} has no arrays of buffers")
    kernel = own.kernel(SIZES, size_tables="dynamic")
    told = Told(driver)
    buffers = [np.zeros(n, np.uint32) for n in (3, 9, 5)]
    kernel.dispatch(1, u7=np.zeros(1, np.uint32), t0=buffers)
    options = vkrunner.options_for(own.info, SIZES, size_tables="dynamic")
    table = translate.to_spirv(translate.load(SIZES), options).interface["tables"]
    assert told.bound[table.binding].nbytes == 4 * len(buffers)
