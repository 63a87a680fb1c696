"""map_chunks: run a kernel over arrays of any length in chunks, on one device or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import cast

import numpy as np

from translate.interface import TEXTURE, TYPED_BUFFER, Binding
from vkrunner.api.chunk_workers import (
    Arguments,
    Chunk,
    ChunkedWork,
    Groups,
    Rows,
    WritableRows,
    run_chunks,
)
from vkrunner.api.kernel import Kernel
from vkrunner.binding.registers import find
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_S
from vkrunner.dispatch.groups import D3D_MAX_GROUPS
from vkrunner.errors import (
    DuplicateError,
    InvalidValueError,
    MissingError,
    OverlapError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
)
from vkrunner.values.numbers import Array, as_integer, check_unmasked

# Total size of a chunk's arrays: more is no faster, and every device has 128 MiB storage buffers
_CHUNK_BYTES = 32 << 20
_MEMORY_SHARE = 16  # a chunk takes at most this part of a device's memory
# The least that a Vulkan device allows along the first axis of a texture
_TEXTURE_ROWS = {"1d": 4096, "2d": 4096}
_TEXTURE_SLICES = 256


def map_chunks(
    kernels: Kernel | Sequence[Kernel],
    *,
    inputs: Mapping[str, Rows],
    outputs: Mapping[str, WritableRows],
    arguments: Arguments | Callable[[Chunk], Arguments] | None = None,
    groups: Callable[[Chunk], Groups] | None = None,
    rows: int | None = None,
    halo: int = 0,
    timeout: float = DEFAULT_TIMEOUT_S,
    progress: bool | Callable[[Chunk], object] = False,
) -> None:
    """Run a kernel over arrays that may be larger than the device's memory, in chunks of rows.

    A row is an index of the first axis. For each dispatch, the kernel's inputs and outputs are
    arrays of the chunk's rows. While a device works on one chunk, the host copies the rows of
    others. A device takes the next chunk when it has finished one. The results equal those of one
    dispatch over the whole arrays if each row of an output depends only on rows of the inputs that
    are at most `halo` rows away.

    Parameters
    ----------
    kernels : Kernel or sequence of Kernel
        The kernel, or kernels of the same shader on several devices.
    inputs : mapping of str to array
        The arrays to split into chunks, by register or HLSL name: arrays, `np.memmap`, or objects
        with `shape`, `dtype` and slices that are arrays of that dtype, with the requested rows. For
        several kernels, several threads slice them.
    outputs : mapping of str to array
        The arrays to fill, by the UAV's register or HLSL name: arrays, `np.memmap`, or objects with
        assignable slices. They have as many rows as the inputs. Empty if all results are in buffers
        on the device, passed as `arguments`. The initial contents of a UAV are
        the rows of the input with the same name, dtype and shape, or zeros without such an input.
        Without `halo` an output may be the same array as an input. It may not share memory with
        other rows of an input.
    arguments : mapping or callable, optional
        Further arguments of `Kernel.dispatch`, or a callable that returns them for a `Chunk`. The
        results of arrays among them are lost, with a RuntimeWarning; a buffer keeps its own.
    groups : callable, optional
        Returns the number of thread groups for a `Chunk`. By default one thread computes each row.
        Without `rows` it is called for chunks of several sizes until one is within the limits.
    rows : int, optional
        The number of rows that a chunk fills. By default the arrays of a chunk take 32 MiB
        together, or less if a device's memory or limits require it.
    halo : int, optional
        The number of additional rows before and after a chunk, except at the ends of the arrays.
        The kernel computes them too, and their results are dropped.
    timeout : float, optional
        The longest time of a chunk, in seconds.
    progress : bool or callable, optional
        True shows a progress bar (tqdm). A callable is called with each finished `Chunk`, in the
        thread that called `map_chunks`.

    Raises
    ------
    ArgumentError
        An argument does not fit.
    RunnerError
        The errors of `Kernel.dispatch`. A note names the chunk, also for an error of an array or a
        callable. No further chunk is started, and all threads have ended.
    """
    chosen = [kernels] if isinstance(kernels, Kernel) else _kernels(kernels)
    _check_types(inputs, outputs, groups)
    if not outputs and (arguments is None or not inputs):
        raise MissingError(
            "outputs is empty: pass at least one, or inputs, and in arguments a buffer on the"
            " device to which all chunks write"
        )
    total = _total_rows(inputs, outputs)
    if chosen:
        inputs = _named_as(outputs, inputs, chosen[0])
    _check(chosen, inputs, outputs, groups, halo := as_integer(halo, "halo"))
    if is_default := rows is None:
        rows = _default_rows(chosen, {**inputs, **outputs}, groups, halo)
    elif (rows := as_integer(rows, "rows")) < 1:
        raise InvalidValueError(f"a chunk has at least one row, not {rows}")
    grouping = groups or _thread_a_row
    each = {name: (a.shape[1:], a.dtype) for name, a in {**outputs, **inputs}.items()}
    work = ChunkedWork(inputs, outputs, each, arguments, grouping, total, rows, halo, timeout)
    work = work.within_limits(chosen) if is_default and groups is not None else work
    if progress is True:
        from tqdm.auto import tqdm  # for a terminal or a notebook

        from translate.child import safe_path

        with safe_path():  # since Python 3.14 its lock starts a process
            shown = tqdm(total=total, unit="row", unit_scale=True)
        with shown as bar:
            run_chunks(work, chosen, lambda chunk: bar.update(chunk.stop - chunk.start))
    else:
        run_chunks(work, chosen, progress or _nothing)


# --- arguments --------------------------------------------------------------------------------


def _kernels(given: object) -> list[Kernel]:
    found: list[object] = [given]
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        found = [*cast("Iterable[object]", given)]
    others = [type(one).__name__ for one in found if not isinstance(one, Kernel)]
    if others:
        raise WrongTypeError(f"kernels are made by device.kernel(...), not of type {others[0]}")
    return cast("list[Kernel]", found)


def _check_types(
    inputs: Mapping[str, object], outputs: Mapping[str, object], groups: object
) -> None:
    for role, given in (("inputs", inputs), ("outputs", outputs)):
        if not hasattr(given, "items"):
            raise WrongTypeError(f"{role} is a dict of arrays, not a {type(given).__name__}")
    for name, value in (*inputs.items(), *outputs.items()):
        if not (hasattr(value, "shape") and hasattr(value, "dtype")):
            kind = type(value).__name__
            raise WrongTypeError(f"{name} is a {kind}: pass numpy.asarray(value, dtype)")
    if not (groups is None or callable(groups)):
        raise WrongTypeError("groups is a function that returns the thread groups of a Chunk")


def _total_rows(inputs: Mapping[str, Rows], outputs: Mapping[str, Rows]) -> int:
    """The number of rows that all arrays have. Raises ArgumentError if their numbers differ."""
    counts: dict[int, str] = {}
    for name, array in (*inputs.items(), *outputs.items()):
        if not array.shape:
            raise ShapeError(f"{name} has no rows: it is a single value")
        counts.setdefault(array.shape[0], name)
    if len(counts) > 1:
        listed = ", ".join(f"{name} has {count}" for count, name in counts.items())
        raise ShapeError(
            f"all arrays have the same number of rows; {listed}: reshape them so that a row has"
            " what belongs together, such as the elements of a thread group"
        )
    return next(iter(counts))


def _named_as(
    outputs: Mapping[str, Rows], inputs: Mapping[str, Rows], kernel: Kernel
) -> dict[str, Rows]:
    """The inputs; one that is also an output has its key there, a register or an HLSL name.

    Raises ArgumentError for an input that is given twice.
    """
    names = {find(kernel.interface, name): name for name in outputs}
    found: dict[str, Rows] = {}
    for name, array in inputs.items():
        key = names.get(find(kernel.interface, name), name)
        if key in found:
            raise DuplicateError(f"{name} is given twice")
        found[key] = array
    return found


def _check(
    kernels: Sequence[Kernel],
    inputs: Mapping[str, Rows],
    outputs: Mapping[str, Rows],
    groups: Callable[[Chunk], Groups] | None,
    halo: int,
) -> None:
    if not kernels:
        raise MissingError("kernels is empty: pass at least one")
    if halo < 0:
        raise InvalidValueError(f"a halo has 0 or more rows, not {halo}")
    for kernel in kernels:
        for name in outputs:
            if not _binding(kernel, name).register.startswith("u"):
                raise UnknownNameError(f"{name} is not a UAV: only UAVs can be outputs")
        if groups is None and kernel.interface.thread_group[1:] != (1, 1):
            size = " x ".join(map(str, kernel.interface.thread_group))
            raise MissingError(
                f"a thread group is {size}: pass groups, a function of a Chunk, such as"
                " lambda chunk: kernel.groups_for(width, chunk.rows)"
            )
    for name, output in outputs.items():
        _check_output(name, output, inputs, halo)
        other = next((n for n, o in outputs.items() if n != name and _share(o, output)), None)
        if other is not None:
            raise OverlapError(f"{name} shares memory with {other}: both are filled")


def _check_output(name: str, output: Rows, inputs: Mapping[str, Rows], halo: int) -> None:
    """Raise ArgumentError if an output overlaps rows of inputs that later chunks read.

    Also if the input of the same name, with its initial contents, has another dtype or shape.
    """
    check_unmasked(output, name)
    if not _is_writable(output):
        raise InvalidValueError(f"{name} is filled, but its array is read-only")
    begins = inputs.get(name, output)
    if begins.dtype != output.dtype or begins.shape != output.shape:
        cure = f": pass array.astype(np.{output.dtype})" if begins.shape == output.shape else ""
        raise ShapeError(
            f"{name} begins as an input of {begins.dtype}{list(begins.shape)}, the output has"
            f" {output.dtype}{list(output.shape)}{cure}"
        )
    for array in inputs.values():
        if not _share(output, array):
            continue
        if halo:
            raise OverlapError(f"{name} shares memory with an input, which a halo does not allow")
        if not _have_same_rows(output, array):
            raise OverlapError(f"{name} shares memory with other rows of an input: pass a copy")


def _is_writable(output: Rows) -> bool:
    return not isinstance(output, np.ndarray) or cast("Array", output).flags.writeable


def _have_same_rows(output: Rows, array: Rows) -> bool:
    """Whether each row has the same address in both arrays."""
    if isinstance(output, np.ndarray) and isinstance(array, np.ndarray):
        places = [(a.ctypes.data, a.strides[0]) for a in cast("list[Array]", [output, array])]
        return places[0] == places[1]
    return output is array


def _binding(kernel: Kernel, name: str) -> Binding:
    return find(kernel.interface, name)[0]


def _share(output: Rows, array: Rows) -> bool:
    if isinstance(output, np.ndarray) and isinstance(array, np.ndarray):
        return np.shares_memory(cast("Array", output), cast("Array", array))
    return output is array


def _default_rows(
    kernels: Sequence[Kernel],
    arrays: Mapping[str, Rows],
    groups: Callable[[Chunk], Groups] | None,
    halo: int,
) -> int:
    """The default for `map_chunks(rows=...)`.

    With its halo such a chunk takes up to 32 MiB, and is within the limits of all devices.
    """
    row_bytes = sum(_row_bytes(array) for array in arrays.values())
    memory = min(kernel.device_info.memory_bytes for kernel in kernels)
    found = min(_CHUNK_BYTES, memory // _MEMORY_SHARE) // max(row_bytes, 1)
    for kernel in kernels:
        found = min([found, *_limits(kernel, arrays)])
        if groups is None:
            most = kernel.device_info.limits.max_workgroup_count[0]
            found = min(found, min(most, D3D_MAX_GROUPS) * kernel.interface.thread_group[0])
    return max(1, found - 2 * halo)


def _limits(kernel: Kernel, arrays: Mapping[str, Rows]) -> Iterator[int]:
    """The most rows of each texture and typed buffer that the kernel's device can bind.

    Other buffers can hold any chunk of _CHUNK_BYTES.
    """
    for name, array in arrays.items():
        binding = _binding(kernel, name)
        if binding.kind == TEXTURE:
            yield _TEXTURE_ROWS.get(binding.dimension or "", _TEXTURE_SLICES)
        elif binding.kind == TYPED_BUFFER:  # with one component or more
            texels = kernel.device_info.limits.max_texel_buffer_elements
            yield texels // max(prod(array.shape[1:]), 1)


def _row_bytes(array: Rows) -> int:
    return prod(array.shape[1:]) * array.dtype.itemsize


def _thread_a_row(chunk: Chunk) -> Groups:
    return -(-chunk.rows // chunk.kernel.interface.thread_group[0])


def _nothing(chunk: Chunk) -> None:
    """Report nothing."""
