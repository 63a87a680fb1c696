"""map_chunks gives the results of one dispatch over the whole, however it is divided."""

import hashlib
import signal
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checks.driver import DEVICE_LOST, NOT_READY, Driver
from checks.running.shaders import ADD, NEXT_TEXEL, listing
from vkrunner import (
    ArgumentError,
    Chunk,
    Device,
    DeviceLostError,
    DuplicateError,
    Kernel,
    LimitError,
    MissingError,
    map_chunks,
)

SHADERS = Path(__file__).parents[2] / "shaders"
CORPUS = Path(__file__).parents[1] / "corpus/cs_5_0"
COUNT = 200
X = np.random.default_rng(8).normal(size=COUNT).astype(np.float32)
Y = X[::-1].copy()
HUNDRED = np.arange(100, dtype=np.uint32)


@pytest.fixture(scope="module")
def add(device: Device) -> Kernel:
    return device.kernel(ADD)


@pytest.fixture(scope="module")
def saxpy(device: Device) -> Kernel:
    return device.kernel(SHADERS / "saxpy.dxbc")


def scaled(chunk: Chunk) -> dict[str, Any]:
    return {"Params": {"a": 2.5, "count": chunk.rows}}


def one_pass(kernel: Kernel) -> Any:
    whole = {"a": 2.5, "count": COUNT}
    return kernel.dispatch(-(-COUNT // 64), x=X, y=Y, Params=whole).y


# --- results ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 64, 77, COUNT, 5000])
def test_any_length(saxpy: Kernel, rows: int) -> None:
    out, ended = np.zeros_like(Y), list[Chunk]()
    arrays: dict[str, Any] = {"inputs": {"x": X, "y": Y}, "outputs": {"y": out}}
    map_chunks(saxpy, **arrays, arguments=scaled, rows=rows, progress=ended.append)
    np.testing.assert_array_equal(out, one_pass(saxpy))
    np.testing.assert_array_equal(out, np.float32(2.5) * X + Y)
    assert [chunk.start for chunk in ended] == list(range(0, COUNT, rows))
    assert all(chunk.stop == min(chunk.start + rows, COUNT) for chunk in ended)


def test_in_place(add: Kernel) -> None:
    array = HUNDRED.copy()
    map_chunks(add, inputs={"u0": array}, outputs={"u0": array}, arguments={"cb0": 7}, rows=9)
    np.testing.assert_array_equal(array, HUNDRED + 7)


def test_outputs_begin_with_zeros(add: Kernel) -> None:
    out = np.full(100, 5, np.uint32)
    map_chunks(add, inputs={}, outputs={"u0": out}, arguments={"cb0": 7}, rows=9)
    assert (out == 7).all()


def test_a_register_as_input_and_a_name_as_output(saxpy: Kernel) -> None:
    for first, second in (("u0", "y"), ("y", "u0")):
        out = np.zeros_like(Y)
        arrays: dict[str, Any] = {"inputs": {"x": X, first: Y}, "outputs": {second: out}}
        map_chunks(saxpy, **arrays, arguments=scaled, rows=77)
        np.testing.assert_array_equal(out, np.float32(2.5) * X + Y)
    with pytest.raises(DuplicateError, match="u0 is given twice"):
        map_chunks(saxpy, inputs={"x": X, "y": Y, "u0": Y}, outputs={"y": out}, arguments=scaled)


def test_chunks_add_up_in_a_buffer(device: Device) -> None:
    histogram = device.kernel(CORPUS / "histogram.dxbc")
    values = np.random.default_rng(9).integers(0, 256, 100_000, np.uint32)
    with device.buffer(np.zeros(256, np.uint32)) as bins:

        def arguments(chunk: Chunk) -> dict[str, Any]:
            return {"bins": bins, "Params": {"count": chunk.rows}}

        map_chunks(histogram, inputs={"values": values}, outputs={}, arguments=arguments, rows=999)
        np.testing.assert_array_equal(bins.read(), np.bincount(values, minlength=256))


def test_no_rows(add: Kernel) -> None:
    out, called = np.empty(0, np.uint32), list[Chunk]()
    map_chunks(add, inputs={}, outputs={"u0": out}, arguments={"cb0": 1}, progress=called.append)
    assert not called


@pytest.mark.parametrize("rows", [1, 7, 99, 100, COUNT])
def test_neighbours(device: Device, rows: int) -> None:
    """Each mean reads its neighbours; beyond the ends the shader reads 0."""
    kernel, out = device.kernel(SHADERS / "moving_average.dxbc"), np.zeros_like(X)

    def count(chunk: Chunk) -> dict[str, Any]:
        assert (chunk.first, chunk.last) == (max(0, chunk.start - 1), min(chunk.stop + 1, COUNT))
        return {"Params": {"count": chunk.rows}}

    arrays: dict[str, Any] = {"inputs": {"samples": X}, "outputs": {"means": out}}
    map_chunks(kernel, **arrays, arguments=count, rows=rows, halo=1)
    whole = {"samples": X, "means": np.zeros_like(X), "Params": {"count": COUNT}}
    np.testing.assert_array_equal(out, kernel.dispatch(-(-COUNT // 64), **whole).means)
    wide = np.pad(X, 1)
    np.testing.assert_allclose(out, (wide[:-2] + X + wide[2:]) / 3, rtol=1e-5, atol=1e-6)


def test_bands_of_a_picture(device: Device) -> None:
    """Rows of a texture; the sampler clamps only at the edges of the whole picture."""
    picture = np.random.default_rng(3).integers(0, 256, (70, 45, 4), np.uint8)
    formats = {"image": "r8g8b8a8_unorm"}
    kernel = device.kernel(SHADERS / "sobel.dxbc", formats={"t0": formats["image"]})
    sampler, bands = device.sampler("point", "clamp"), np.zeros((70, 45), np.float32)

    def groups(chunk: Chunk) -> tuple[int, int]:
        return -(-45 // 16), -(-chunk.rows // 16)

    arrays: dict[str, Any] = {"inputs": {"image": picture}, "outputs": {"gradient": bands}}
    map_chunks(kernel, **arrays, arguments={"edges": sampler}, groups=groups, rows=13, halo=1)
    whole = kernel.dispatch((3, 5), image=picture, edges=sampler, gradient=np.zeros_like(bands))
    np.testing.assert_array_equal(bands, whole.gradient)


def test_files_and_rows_of_several_widths(device: Device, tmp_path: Path) -> None:
    """From one file to another; neither has to fit into memory."""
    kernel = device.kernel(SHADERS / "sha256.dxbc")
    messages = np.memmap(tmp_path / "messages", np.uint8, "w+", shape=(200, 60))
    messages[:] = np.random.default_rng(4).integers(0, 256, messages.shape, np.uint8)
    digests = np.memmap(tmp_path / "digests", np.uint8, "w+", shape=(200, 32))

    def lengths(chunk: Chunk) -> dict[str, Any]:
        return {"Params": {"count": chunk.rows, "length": 60, "words_per_message": 15}}

    arrays: dict[str, Any] = {"inputs": {"messages": messages}, "outputs": {"digests": digests}}
    map_chunks(kernel, **arrays, arguments=lengths, rows=70)
    digests.flush()
    found = (tmp_path / "digests").read_bytes()
    assert found == b"".join(hashlib.sha256(message.tobytes()).digest() for message in messages)


def test_arguments_that_depend_on_the_chunk(device: Device) -> None:
    kernel, numbers = device.kernel(SHADERS / "philox.dxbc"), np.zeros((500, 4), np.uint64)

    def place(chunk: Chunk) -> dict[str, Any]:
        key = {"key0": [11, 0], "key1": [12, 0]}
        return {"Params": {**key, "first_block": 1 + chunk.first, "blocks": chunk.rows}}

    map_chunks(kernel, inputs={}, outputs={"numbers": numbers}, arguments=place, rows=64)
    np.testing.assert_array_equal(numbers.ravel(), np.random.Philox(key=[11, 12]).random_raw(2000))


def test_several_devices(saxpy: Kernel, machine: Device) -> None:
    """Both work: neither starts its second chunk before the other has its first."""
    kernels, out = [saxpy, machine.kernel(SHADERS / "saxpy.dxbc")], np.zeros_like(Y)
    both, taken = threading.Barrier(2), list[Kernel]()

    def scaled_by_both(chunk: Chunk) -> dict[str, Any]:
        first = chunk.kernel not in taken
        taken.append(chunk.kernel)
        if first:
            both.wait(60)
        return scaled(chunk)

    arrays: dict[str, Any] = {"inputs": {"x": X, "y": Y}, "outputs": {"y": out}}
    map_chunks(kernels, **arrays, arguments=scaled_by_both, rows=20)
    assert len(taken) == 10
    assert set(taken) == set(kernels)
    np.testing.assert_array_equal(out, one_pass(saxpy))


def test_the_device_works_while_rows_are_copied(add: Kernel) -> None:
    """The device has two chunks while the rows of the one before them are filled."""
    events: list[str] = []

    class Noting(list[Any]):
        shape, dtype = (50,), np.dtype(np.uint32)

        def __setitem__(self, rows: Any, values: Any) -> None:
            events.append(f"fill {rows.start}")
            super().__setitem__(rows, values)

    def constants(chunk: Chunk) -> dict[str, Any]:
        events.append(f"submit {chunk.start}")
        return {"cb0": 1}

    out: Any = Noting(range(50))
    map_chunks(add, inputs={}, outputs={"u0": out}, arguments=constants, rows=10)
    first = ["submit 0", "submit 10", "submit 20", "fill 0", "submit 30", "fill 10", "submit 40"]
    assert events == [*first, "fill 20", "fill 30", "fill 40"]
    assert out == [1] * 50


class LongWork:
    """Work of a device that goes on until the next chunk comes to it, with its rows."""

    def __init__(self, driver: Driver, chunks: int):
        self._chunks, self._fences, self._came = chunks, list[Any](), threading.Condition()
        driver.replace("vkQueueSubmit", self._submit)
        driver.replace("vkGetFenceStatus", self._status)
        driver.replace("vkWaitForFences", self._wait)

    def _has_ended(self, fence: Any) -> bool:
        """Whether no work came yet, all came, or other work came after that of this fence."""
        return len(self._fences) in (0, self._chunks) or fence != self._fences[-1]

    def _submit(self, function: Callable[..., int], *given: Any) -> int:
        with self._came:
            self._fences.append(given[3])
            self._came.notify_all()
            return function(*given)

    def _status(self, function: Callable[..., int], device: Any, fence: Any) -> int:
        return function(device, fence) if self._has_ended(fence) else NOT_READY

    def _wait(self, function: Callable[..., int], *given: Any) -> int:
        with self._came:
            ended = self._came.wait_for(lambda: self._has_ended(given[2][0]), timeout=20)
        assert ended, "no chunk comes while the device computes the one before"
        return function(*given)


def test_rows_are_sent_while_the_device_computes(driven: Device, driver: Driver) -> None:
    """Also to memory of its own, by a copy in each chunk's command buffer."""
    kernel, array = driven.kernel(ADD), np.arange(50, dtype=np.uint32)
    kernel.dispatch(1, u0=np.zeros(10, np.uint32), cb0=1)
    LongWork(driver, chunks=5)
    map_chunks(kernel, inputs={"u0": array}, outputs={"u0": array}, arguments={"cb0": 7}, rows=10)
    np.testing.assert_array_equal(array, np.arange(50) + 7)


# --- the default length of a chunk ---------------------------------------------------------------


def lengths_of(kernel: Kernel, **options: Any) -> list[int]:
    ended: list[Chunk] = []
    map_chunks(kernel, **options, progress=ended.append)
    return [chunk.stop - chunk.start for chunk in ended]


def test_chunks_are_limited_by_groups(add: Kernel) -> None:
    """With one thread a group; D3D allows 65,535 groups."""
    out = np.zeros(150_000, np.uint32)
    lengths = lengths_of(add, inputs={}, outputs={"u0": out}, arguments={"cb0": 2}, halo=10)
    assert lengths == [65_515, 65_515, 18_970]
    assert (out == 2).all()


@pytest.mark.parametrize(("halo", "most"), [(0, 32_767), (1000, 30_767)])
def test_chunks_are_limited_by_given_groups(add: Kernel, halo: int, most: int) -> None:
    """Two groups for each row and those of the halo, of which D3D allows 65,535 together."""
    out = np.zeros((80_000, 2), np.uint32)

    def groups(chunk: Chunk) -> int:
        return 2 * chunk.rows

    given: dict[str, Any] = {"inputs": {}, "outputs": {"u0": out}, "arguments": {"cb0": 2}}
    given |= {"groups": groups, "halo": halo}
    assert lengths_of(add, **given) == [most, most, 80_000 - 2 * most]
    assert (out == 2).all()
    with pytest.raises(LimitError, match="65535") as caught:
        map_chunks(add, **given, rows=40_000)
    assert "smaller rows=" in caught.value.__notes__[0]


@pytest.mark.parametrize("width", [1, 3])
def test_chunks_are_limited_by_texels(device: Device, width: int) -> None:
    """Every device has textures of 4096 rows, and few have many more."""
    kernel, texels = device.kernel(NEXT_TEXEL), np.arange(10_000 * width, dtype=np.uint32)
    texels, out = texels.reshape(-1, width, 1), np.zeros((10_000, width, 1), np.uint32)

    def groups(chunk: Chunk) -> tuple[int, int]:
        return width, chunk.rows

    arrays: dict[str, Any] = {"inputs": {"t0": texels}, "outputs": {"u0": out}}
    assert lengths_of(kernel, **arrays, groups=groups) == [4096, 4096, 1808]
    np.testing.assert_array_equal(out, texels + 1)


# u0[i].x = t0[i].x + 1, of typed buffers
NEXT_TYPED = listing((Path(__file__).parent / "data/chunks.asm").read_text("utf-8"))


def test_chunks_are_limited_by_elements(device: Device) -> None:
    """Some devices have typed buffers of at most 65,536 elements."""
    most = device.limits.max_texel_buffer_elements
    array = np.arange(70_000, dtype=np.uint32)
    out = np.zeros_like(array)
    arrays: dict[str, Any] = {"inputs": {"t0": array}, "outputs": {"u0": out}}
    assert max(lengths_of(device.kernel(NEXT_TYPED), **arrays)) == min(70_000, most)
    np.testing.assert_array_equal(out, array + 1)


def test_chunks_are_limited_by_bytes(add: Kernel) -> None:
    """With 1 MiB a row a chunk has 32 rows of all arrays together."""
    array = np.zeros((40, 1 << 18), np.uint32)
    groups: Callable[[Chunk], int] = lambda chunk: 1  # noqa: E731
    arrays: dict[str, Any] = {"inputs": {}, "outputs": {"u0": array}}
    assert lengths_of(add, **arrays, arguments={"cb0": 1}, groups=groups) == [32, 8]


# --- progress ------------------------------------------------------------------------------------


def test_a_bar(add: Kernel, capsys: pytest.CaptureFixture[str]) -> None:
    out = np.zeros(100, np.uint32)
    map_chunks(add, inputs={}, outputs={"u0": out}, arguments={"cb0": 1}, rows=9, progress=True)
    assert "100/100" in capsys.readouterr().err


def test_progress_is_called_by_the_caller(add: Kernel) -> None:
    threads: set[int] = set()

    def note(chunk: Chunk) -> None:
        threads.add(threading.get_ident())

    out = np.zeros(100, np.uint32)
    map_chunks(add, inputs={}, outputs={"u0": out}, arguments={"cb0": 1}, rows=9, progress=note)
    assert threads == {threading.get_ident()}


def test_results_are_copied_once(saxpy: Kernel) -> None:
    """No array of a chunk's size is made for them."""
    x, y = np.arange(1 << 20, dtype=np.float32), np.ones(1 << 20, np.float32)
    tracemalloc.start()
    try:
        map_chunks(saxpy, inputs={"x": x, "y": y}, outputs={"y": y}, arguments=scaled, rows=1 << 18)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < y[: 1 << 18].nbytes
    np.testing.assert_array_equal(y, np.float32(2.5) * x + 1)


# --- what goes wrong -----------------------------------------------------------------------------

OUT, FROZEN = np.zeros((2, 100), np.uint32)
FROZEN.flags.writeable = False


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"kernels": []}, "kernels is empty: pass at least one"),
        ({"kernels": "saxpy.dxbc"}, r"made by device\.kernel\(\.\.\.\), not of type str"),
        ({"kernels": [None]}, r"made by device\.kernel\(\.\.\.\), not of type NoneType"),
        ({"outputs": {}}, "outputs is empty: pass at least one"),
        ({"outputs": {"u7": OUT}}, "no resource 'u7'; the shader has cb0, u0"),
        ({"outputs": {"cb0": OUT}}, "cb0 is not a UAV: only UAVs can be outputs"),
        ({"inputs": {"u0": OUT[:50]}}, "same number of rows; u0 has 50, u0 has 100"),
        ({"inputs": {"u0": np.uint32(1)}}, "u0 has no rows: it is a single value"),
        ({"rows": 0}, "a chunk has at least one row, not 0"),
        ({"rows": 1.5}, r"rows is a whole number, not 1\.5"),
        ({"halo": -1}, "a halo has 0 or more rows, not -1"),
        ({"inputs": {"u0": OUT[::-1]}, "halo": 1}, "u0 shares memory with an input"),
        ({"inputs": {"u0": OUT[::-1]}}, "u0 shares memory with other rows of an input"),
        (
            {"inputs": {"u0": OUT.astype(np.float32)}},
            r"u0 begins as an input of float32\[100\], the output has uint32\[100\]: pass .*uint32",
        ),
        ({"inputs": {"u0": np.zeros((100, 2), np.uint32)}}, r"begins as .* uint32\[100, 2\]"),
        ({"arguments": {"u0": OUT, "cb0": 1}}, "u0 is given twice"),
        ({"arguments": None}, "missing: cb0, a constant buffer"),
        ({"arguments": print}, "arguments returns a dict .* not None"),
        ({"arguments": [1]}, r"arguments is a dict .* not \[1\]"),
        ({"outputs": {"u0": FROZEN}}, "u0 is filled, but its array is read-only"),
        ({"inputs": {"z": OUT}}, "no resource 'z'; the shader has cb0, u0"),
        ({"inputs": {"u0": [1.0]}}, "u0 is a list: pass numpy.asarray"),
        ({"groups": 2}, "groups is a function"),
        ({"inputs": OUT}, "inputs is a dict of arrays, not a ndarray"),
        ({"outputs": OUT}, "outputs is a dict of arrays, not a ndarray"),
    ],
)
def test_invalid_arguments(add: Kernel, changes: dict[str, Any], error: str) -> None:
    given = {"kernels": add, "inputs": {}, "outputs": {"u0": OUT}, "arguments": {"cb0": 1}}
    with pytest.raises(ArgumentError, match=error):
        map_chunks(**{**given, **changes})
    assert (OUT == 0).all()


def test_groups_of_several_axes_are_asked_for(device: Device) -> None:
    kernel, out = device.kernel(SHADERS / "sobel.dxbc"), np.zeros((4, 4), np.float32)
    with pytest.raises(MissingError, match="16 x 16 x 1"):
        map_chunks(kernel, inputs={"image": out}, outputs={"gradient": out.copy()})


def test_an_error_names_the_chunk(add: Kernel) -> None:
    def groups(chunk: Chunk) -> int:
        return 70_000 if chunk.index == 2 else chunk.rows

    arrays: dict[str, Any] = {"inputs": {}, "outputs": {"u0": np.zeros(100, np.uint32)}}
    with pytest.raises(LimitError, match=r"70000.*x") as caught:
        map_chunks(add, **arrays, arguments={"cb0": 1}, groups=groups, rows=30)
    assert f"in chunk 2, rows 60 to 90, on {add.device_info.name}" in caught.value.__notes__


class Unreadable:
    """Rows that cannot be read from the 50th on, as in a damaged file."""

    shape, dtype = (100,), np.dtype(np.uint32)

    def __getitem__(self, rows: slice) -> Any:
        if rows.stop > 50:
            raise OSError("damaged")
        return HUNDRED[rows]


def test_no_thread_is_left(add: Kernel, machine: Device) -> None:
    kernels, before = [add, machine.kernel(ADD)], threading.enumerate()
    out = np.zeros(100, np.uint32)
    arrays: dict[str, Any] = {"inputs": {"u0": Unreadable()}, "outputs": {"u0": out}}
    with pytest.raises(OSError, match="damaged") as caught:
        map_chunks(kernels, **arrays, arguments={"cb0": 1}, rows=10)
    assert "in chunk" in caught.value.__notes__[0]
    assert threading.enumerate() == before
    assert set(out) <= {0, *range(1, 51)}
    assert add.dispatch(1, u0=np.zeros(1, np.uint32), cb0=3).u0[0] == 3


def test_a_lost_device(driven: Device, driver: Driver) -> None:
    kernel, before = driven.kernel(ADD), threading.enumerate()

    def lose(chunk: Chunk) -> None:
        driver.fail("vkQueueSubmit", DEVICE_LOST)

    arrays: dict[str, Any] = {"inputs": {}, "outputs": {"u0": np.zeros(100, np.uint32)}}
    with pytest.raises(DeviceLostError) as caught:
        map_chunks(kernel, **arrays, arguments={"cb0": 1}, rows=1, progress=lose)
    assert caught.value.__notes__[0].endswith(f"on {driven.name}")
    assert threading.enumerate() == before


def test_ctrl_c(add: Kernel) -> None:
    """It comes while the caller waits for its threads, which then take no further chunks."""
    seen: list[Chunk] = []

    def interrupt(chunk: Chunk) -> dict[str, Any]:
        seen.append(chunk)
        if chunk.index == 5:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return {"cb0": 1}

    before, out = threading.enumerate(), np.zeros(1_000_000, np.uint32)
    with pytest.raises(KeyboardInterrupt):
        map_chunks(add, inputs={}, outputs={"u0": out}, arguments=interrupt, rows=1)
    assert threading.enumerate() == before
    assert 5 < len(seen) < 100_000
    assert add.dispatch(1, u0=np.zeros(1, np.uint32), cb0=3).u0[0] == 3


# --- mistakes -----------------------------------------------------------------------------------


def test_masked_arrays_are_refused(saxpy: Kernel) -> None:
    """As `dispatch` refuses them; also where slicing makes them, as netCDF4's variables do."""
    masked = np.ma.masked_greater(X, 0)
    out = np.zeros_like(Y)

    class Variable:
        shape, dtype = X.shape, X.dtype

        def __getitem__(self, rows: slice) -> Any:
            return masked[rows]

    for given in (masked, Variable()):
        with pytest.raises(ArgumentError, match="x has masked values"):
            map_chunks(saxpy, inputs={"x": given, "y": Y}, outputs={"y": out}, arguments=scaled)
    with pytest.raises(ArgumentError, match="y has masked values"):
        map_chunks(saxpy, inputs={"x": X}, outputs={"y": masked}, arguments=scaled)
    assert not out.any()


def test_lost_results_give_a_warning(device: Device) -> None:
    scan = device.kernel(SHADERS / "prefix_sum.dxbc")
    numbers, totals = np.ones((4, 256), np.uint32), np.zeros(4, np.uint32)
    constants = {"Params": {"count": 1024, "add_offsets": 0}, "offsets": None}
    sums = np.zeros_like(numbers)
    arrays: dict[str, Any] = {"inputs": {"values": numbers}, "outputs": {"sums": sums}}
    with pytest.warns(RuntimeWarning, match=r"u1 \(totals\) is a UAV whose results are lost"):
        map_chunks(
            scan,
            **arrays,
            arguments={**constants, "totals": totals},
            groups=lambda chunk: chunk.rows,
        )
    np.testing.assert_array_equal(sums, np.cumsum(numbers, axis=1))
