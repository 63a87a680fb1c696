"""Probes of robust access features: whether an out-of-bounds access to a view reaches memory.

Each probe tries the loads, stores and atomics that the translated code does not check if
`Options.robust_access` names the feature. The probe is translated with that option, so that it has
the same accesses as a kernel. Some threads access element 0, the others are out of bounds. All
memory holds _OLD; threads in bounds change element 0 to _NEW. A view is a part of its resource, so
that an access beyond its end is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from translate import FormatName, RobustAccess
from vkrunner.info.faults import FAULTS
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.textures import TextureView, make_texture
from vkrunner.values.numbers import Array

if TYPE_CHECKING:
    from vkrunner.probes.trial import Dispatch, Trial

_OLD, _NEW = 5, 77
_THREADS, _INSIDE = 64, 16  # threads in bounds come first
_FAR = (0x10000, 0x40000001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
_UINT = "(uint,uint,uint,uint)"
_SEEN = 28  # the bytes of a thread's results
_HEADER = f"""
dcl_uav_structured u7, {_SEEN}
dcl_input vThreadID.x
dcl_temps 5
dcl_thread_group {_THREADS}, 1, 1
"""


def _outside(ends: Sequence[int], step: int = 1) -> Array:
    """Addresses, u32[threads, 4]: 0 for threads in bounds; others exceed one coordinate's bound.

    `ends` are the bounds of the coordinates, `step` is the distance of two elements.
    """
    rows = np.zeros((_THREADS, 4), np.uint32)
    for number, row in enumerate(rows[_INSIDE:]):
        which, axis = divmod(number, len(ends))
        end = ends[axis]
        addresses = (end, end + step, 2 * end, *_FAR)
        row[axis] = addresses[which % len(addresses)]
    return rows


def _fails(loaded: Array, written: Sequence[Array]) -> bool:
    """Whether an access went wrong, such as an out-of-bounds load that did not give 0.

    `loaded` has a row for each thread: _OLD in bounds, 0 out of bounds. `written` has the resources
    after the stores: each must have _NEW in one element and _OLD in all others.
    """
    if (loaded[:_INSIDE] != _OLD).any() or loaded[_INSIDE:].any():
        return True
    return any(np.count_nonzero(array == _NEW) != 1 for array in written) or any(
        np.count_nonzero(array == _OLD) != array.size - 1 for array in written
    )


# --- textures -----------------------------------------------------------------------------------

_Dimension = Literal["1d", "1darray", "2d", "2darray", "3d"]
_EXTENT = 4  # of views, in texels, in each axis except slices
_MIP = 1  # of 1d and 2d views: a coordinate outside of this mip may be inside of mip 0

_IMAGE = """ld_structured r0.xyzw, vThreadID.x, l({place}), t7.xyzw
mov r1.xyz, r0.xyzx
mov r1.w, l(0)
ld_indexable(texture{dimension}){uint} r2.xyzw, r1.xyzw, t{n}.xyzw
ld_uav_typed_indexable(texture{dimension}){uint} r3.xyzw, r0.xyzw, u{loaded}.xyzw
mov r2.y, r3.x
store_structured u7.xy, vThreadID.x, l({result}), r2.xyxx
store_uav_typed u{written}.xyzw, r0.xyzw, l({new}, {new}, {new}, {new})
"""
_IMAGE_ATOMIC = "atomic_umax u{written}, r0.xyzw, l({new})\n"


def images_fail(
    trial: Trial,
    dimensions: Sequence[_Dimension],
    slices: Sequence[tuple[int, int]] = ((1, 1),),
    format: FormatName = "r32_uint",
) -> bool:
    """Whether out-of-bounds accesses to textures give wrong results or change texels.

    For each pair in `slices`, a view of an array has so many of so many slices; a 3D texture has
    the first number as its depth.
    """
    head, body = "cs_5_0\ndcl_resource_structured t7, 48", ""
    for n, dimension in enumerate(dimensions):
        for register in _registers(n):
            kind = "uav_typed" if register[0] == "u" else "resource"
            head += f"\ndcl_{kind}_texture{dimension} {_UINT} {register}"
        text = _IMAGE + _IMAGE_ATOMIC * (format == "r32_uint")
        body += text.format(
            **{"dimension": dimension, "uint": _UINT, "n": n, "new": _NEW},
            **{"loaded": 2 * n, "written": 2 * n + 1, "place": 16 * n, "result": 8 * n},
        )
    images = (register for n in range(len(dimensions)) for register in _registers(n))
    options = {
        "guards": "d3d",
        "robust_access": frozenset(("robust_image_access",)),
        "formats": dict.fromkeys(images, format),
    }
    with trial.opened(f"{head}{_HEADER}{body}ret\n", **options) as dispatch:
        return any(_view_fails(trial, dispatch, dimensions, *row, format) for row in slices)


def _registers(n: int) -> tuple[str, str, str]:
    """The registers of dimension `n`: a texture, a UAV to load from, and one to store to."""
    return f"t{n}", f"u{2 * n}", f"u{2 * n + 1}"


def _view_fails(
    trial: Trial,
    dispatch: Dispatch,
    dimensions: Sequence[_Dimension],
    slices: int,
    in_all: int,
    format: FormatName,
) -> bool:
    resources: dict[str, Any] = {}
    table = np.zeros((_THREADS, 12), np.uint32)
    for n, dimension in enumerate(dimensions):
        table[:, 4 * n : 4 * n + 4] = _outside(_shape(dimension, slices)[::-1])
        for register in _registers(n):
            resources[register] = _texture(trial, dimension, slices, in_all, format)
    seen = np.zeros((_THREADS, _SEEN // 4), np.uint32)
    seen = dispatch(1, {"t7": table, "u7": seen, **resources})["u7"]
    written = [resources[f"u{2 * n + 1}"].texture for n in range(len(dimensions))]
    return _fails(
        seen[:, : 2 * len(dimensions)],
        [np.concatenate([t.read(m).ravel() for m in range(t.mips)]) for t in written],
    )


def _shape(dimension: _Dimension, slices: int) -> tuple[int, ...]:
    """The shape of a view's texels as an array."""
    axes = (_EXTENT,) * int(dimension[0])
    if dimension == "3d":
        return (slices, *axes[1:])
    return (slices, *axes) if dimension.endswith("array") else axes


def _texture(
    trial: Trial, dimension: _Dimension, slices: int, in_all: int, format: FormatName
) -> TextureView:
    """A view of mip 1 of a 1D or 2D texture, of an array's middle slices, or of a 3D texture."""
    shape = _shape(dimension, in_all if dimension.endswith("array") else slices)
    dtype = np.dtype(f"u{int(format[1:3].rstrip('_')) // 8}")
    texels = np.full(shape, _OLD, dtype)
    if dimension in ("1d", "2d"):
        whole = np.full([2 * n for n in shape], _OLD, dtype)
        texture = make_texture(trial.backend, whole, format, dimension, [texels], None)
        return texture.view(mip=_MIP)
    texture = make_texture(trial.backend, texels, format, dimension, 1, None)
    if dimension == "3d":
        return texture.view()
    return texture.view(first_slice=(in_all - slices) // 2, num_slices=slices)


# --- buffers ------------------------------------------------------------------------------------

_DWORD, _STRIDE = 4, 16
_VIEW_BYTES = 256  # a multiple of the largest alignment that Vulkan allows
_BUFFERS = f"""cs_5_0
dcl_resource_raw t0
dcl_resource_structured t1, {_STRIDE}
dcl_resource_structured t2, {_STRIDE}
dcl_resource_buffer {_UINT} t3
dcl_resource_structured t7, 16
dcl_uav_raw u0
dcl_uav_raw u1
dcl_uav_structured u2, {_STRIDE}
dcl_uav_structured u3, {_STRIDE}
dcl_uav_typed_buffer {_UINT} u4
dcl_uav_typed_buffer {_UINT} u5
{_HEADER}
ld_structured r0.xyzw, vThreadID.x, l(0), t7.xyzw
ld_raw r1.x, r0.x, t0.xxxx
ld_raw r2.x, r0.x, u0.xxxx
ld_structured r3.x, r0.y, l(0), t1.xxxx
ld_structured r4.x, r0.y, r0.w, t2.xxxx
ld_indexable(buffer){_UINT} r4.y, r0.zzzz, t3.yxzw
ld_structured r4.z, r0.y, l(0), u2.xxxx
ld_uav_typed_indexable(buffer){_UINT} r4.w, r0.zzzz, u4.yzwx
mov r1.y, r2.x
mov r1.z, r3.x
mov r1.w, r4.x
store_structured u7.xyzw, vThreadID.x, l(0), r1.xyzw
store_structured u7.xyz, vThreadID.x, l(16), r4.yzwy
store_raw u1.x, r0.x, l({_NEW})
atomic_umax u1, r0.x, l({_NEW})
store_structured u3.x, r0.y, l(0), l({_NEW})
mov r1.x, r0.y
mov r1.y, l(0)
atomic_umax u3, r1.xyxx, l({_NEW})
store_uav_typed u5.xyzw, r0.zzzz, l({_NEW}, {_NEW}, {_NEW}, {_NEW})
atomic_umax u5, r0.z, l({_NEW})
ret
"""


_LOADS: RobustAccess = "robust_buffer_access"
_EVERY: RobustAccess = "robust_buffer_access2"


def loads_fail(trial: Trial) -> bool:
    """Whether out-of-bounds loads from buffers go wrong without checks."""
    return _used_fail(trial) and _buffers_fail(trial, {_LOADS})


def buffers_fail(trial: Trial) -> bool:
    """Whether any out-of-bounds accesses to buffers go wrong without checks.

    Also if they only do without the checks that both features replace: kernels use the other then.
    """
    return _used_fail(trial) and (
        _buffers_fail(trial, {_EVERY}) or not _buffers_fail(trial, {_LOADS})
    )


def _used_fail(trial: Trial) -> bool:
    """Whether accesses go wrong without the checks that kernels leave out if no probe fails."""
    info = trial.backend.context.info
    known = {FAULTS[name].robust_access for name in info.known_faults}
    return _buffers_fail(trial, info.features.robust_access & {_LOADS, _EVERY} - known)


def _buffers_fail(trial: Trial, relied_on: Set[RobustAccess]) -> bool:
    """Whether out-of-bounds buffer accesses, unchecked because of features, go wrong.

    Each register has a view of the middle third of its row in one buffer.
    """
    kept = frozenset(relied_on)
    if kept not in trial.answers:
        trial.answers[kept] = _go_wrong(trial, kept)
    return trial.answers[kept]


def _go_wrong(trial: Trial, relied_on: frozenset[RobustAccess]) -> bool:
    registers = (*(f"t{n}" for n in range(4)), *(f"u{n}" for n in range(6)))
    strides = {"t1": _STRIDE, "t2": _STRIDE, "u2": _STRIDE, "u3": _STRIDE}
    typed = ("t3", "u4", "u5")
    words = np.full((len(registers), 3 * _VIEW_BYTES // _DWORD), _OLD, np.uint32)
    buffer = Buffer(trial.backend, words)
    resources: dict[str, Any] = {}
    for number, register in enumerate(registers):
        stride = strides.get(register)
        format: FormatName | None = "r32_uint" if register in typed else None
        count = _VIEW_BYTES // (stride or _DWORD)
        resources[register] = buffer.view((3 * number + 1) * count, count, stride, format)
    units = (1, _STRIDE, _DWORD)
    table = np.zeros((_THREADS, 4), np.uint32)
    for column, unit in enumerate(units):
        table[:, column] = _outside([_VIEW_BYTES // unit], _DWORD // min(unit, _DWORD))[:, 0]
    seen = np.zeros((_THREADS, _SEEN // 4), np.uint32)
    options = {
        "guards": "d3d",
        "robust_access": relied_on,
        "formats": dict.fromkeys(typed, "r32_uint"),
    }
    seen = trial.run(_BUFFERS, t7=table, u7=seen, **options, **resources)["u7"]
    written = [registers.index(name) for name in ("u1", "u3", "u5")]
    after = buffer.read()
    others = np.delete(after, written, axis=0)
    return _fails(seen, [*after[written]]) or bool((others != _OLD).any())
