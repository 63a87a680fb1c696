"""Claims about guards of texels, of windows, and of arrays of resources.

As in `guards`: for every coordinate, extent, window and descriptor's index, with each robust access
of a device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from translate.ir.ops import OPS

from .guards import ATOMIC, DWORDS, LOAD, LOADS, ONE, ROBUST, ROBUST_IMAGES, claims, text_of
from .proving import Claim

_LOAD_TEXEL = """  %2: texel.BITS = load_typed ADDRESS (R.0)
  %3: BITS = extract %2 (0)
  %4: BITS = extract %2 (1)
  %5: BITS = extract %2 (2)
  %6: BITS = extract %2 (3)
SHOWN"""
_SHOWN = {
    "u32": "  store 0, %3, %4, %5, %6 (u9.0)\n",
    "f32": """  %7: u32 = bitcast %3
  %8: u32 = bitcast %4
  %9: u32 = bitcast %5
  %10: u32 = bitcast %6
  store 0, %7, %8, %9, %10 (u9.0)
""",
}
_STORE_TEXEL = """  %2: texel.BITS = compose NUMBERS
  store_typed ADDRESS, %2 (R.0)
"""
_NUMBERS = {"u32": "5, 6, 7, 8", "f32": "5.0f, 6.0f, 7.0f, 8.0f"}
_UNUSED_ATOMIC = "  %2: u32 = atomic ADDRESS, 3 (R.0 iadd)\n"


def _body(body: str, resource: str, address: str) -> str:
    bits = "f32" if "component=float" in resource else "u32"
    body = body.replace("SHOWN", _SHOWN[bits]).replace("NUMBERS", _NUMBERS[bits])
    body = body.replace("BITS", bits).replace("ADDRESS", address)
    return re.sub(r"\(R\b", f"({resource.split()[0]}", body)


# --- texels -----------------------------------------------------------------------------------

_SHAPES = {
    "buffer": ("dimension=buffer", "%0"),
    "1d": ("dimension=texture1d shape=(1)", "%0"),
    "1d array": ("dimension=texture1darray shape=(1 arrayed)", "%0, %1"),
    "2d": ("dimension=texture2d shape=(2)", "%0, %1"),
    "2d array": ("dimension=texture2darray shape=(2 arrayed)", "%0, %1, %20"),
    "3d": ("dimension=texture3d shape=(3)", "%0, %1, %20"),
}
_MULTISAMPLED = {
    "2d": ("dimension=texture2dms shape=(2 multisampled)", "%0, %1, %20"),
    "2d array": ("dimension=texture2dmsarray shape=(2 arrayed multisampled)", "%0, %1, %20, %21"),
}
_FORMATS = ("component=uint", "component=float has_alpha=false")


def of_texels() -> Iterator[Claim]:
    """Typed buffers and images: loads from the first mip and from any, stores, atomics."""
    for name, (shape, address) in _SHAPES.items():
        for format_ in _FORMATS:
            sampled = f"t0 typed 0 {shape} {format_}"
            if name == "buffer":
                yield from _claims(sampled, "load", _LOAD_TEXEL, address)
            else:
                yield from _claims(sampled, "load from the first mip", _LOAD_TEXEL, f"{address}, 0")
                yield from _claims(sampled, "load from a mip", _LOAD_TEXEL, f"{address}, %22")
            stored = f"u0 typed 0 is_uav {shape} {format_}"
            yield from _claims(stored, "load", _LOAD_TEXEL, address)
            yield from _claims(stored, "store", _STORE_TEXEL, address)
            both = _STORE_TEXEL + _LOAD_TEXEL.replace("%2:", "%12:").replace("%2 ", "%12 ")
            yield from _claims(stored, "store and load", both, address)
        atomic = f"u0 typed 0 is_uav {shape} component=uint atomic"
        yield from _claims(atomic, "atomic", ATOMIC, address)
        yield from _claims(atomic, "unused atomic", _UNUSED_ATOMIC, address)
    for shape, address in _MULTISAMPLED.values():
        for format_ in _FORMATS:
            yield from _claims(f"t0 typed 0 {shape} {format_}", "load", _LOAD_TEXEL, address)


def _claims(resource: str, name: str, body: str, address: str) -> Iterator[Claim]:
    text = text_of(resource, _body(body, resource, address), profile="cs_5_1")
    is_buffer = "typed" not in resource or "=buffer" in resource
    yield from claims(f"{name} of {resource}", text, ROBUST if is_buffer else ROBUST_IMAGES)


# --- windows ----------------------------------------------------------------------------------

_COUNT = """  %2: u32 = element_count (R)
  store 0, %2 (u9.0)
"""
_SIZE = """  %2: texel.u32 = image_size (R)
  %3: u32 = extract %2 (0)
  %4: u32 = extract %2 (1)
  %5: u32 = extract %2 (2)
  store 0, %3, %4, %5 (u9.0)
"""
_ONE_BY_ONE = {"load": LOAD, "store": ONE, "atomic": ATOMIC, "count": _COUNT}
_OF_TEXELS = {"load": _LOAD_TEXEL, "store": _STORE_TEXEL, "atomic": ATOMIC}
_SLICES = "u0 typed 0 is_uav dimension=texture3d shape=(3) component=uint atomic windowed"
_WINDOWED: dict[str, tuple[str, dict[str, str]]] = {
    "u0 raw 0 is_uav windowed": ("%0", _ONE_BY_ONE),
    "u0 structured 0 is_uav stride=16 windowed": ("%0, %1", _ONE_BY_ONE),
    "u0 structured 0 is_uav stride=12 windowed": ("%0, %1", {"load": LOAD, "store": ONE}),
    "u0 typed 0 is_uav dimension=buffer component=uint atomic windowed": (
        "%0",
        {**_OF_TEXELS, "count": _COUNT},
    ),
    _SLICES: ("%0, %1, %20", {**_OF_TEXELS, "size": _SIZE}),
}


def of_windows() -> Iterator[Claim]:
    """Views that begin inside a buffer, and some slices of a 3D image: they change nothing else."""
    for resource, (address, bodies) in _WINDOWED.items():
        for name, body in bodies.items():
            yield from _claims(resource, name, body, address)


# --- arrays of resources ----------------------------------------------------------------------

_SAMPLE = """  %2: f32 = bitcast %0
  %3: texel.f32 = sample %2, %2, 0.0f (R s0 lod)
  %4: f32 = extract %3 (0)
  %5: f32 = extract %3 (3)
  %6: u32 = bitcast %4
  %7: u32 = bitcast %5
  store 0, %6, %7 (u9.0)
"""
_COMPARE = """  %2: f32 = bitcast %0
  %3: f32 = sample_compare %2, %2, %2 (R s0 compare)
  %4: u32 = bitcast %3
  store 0, %4 (u9.0)
"""
_LEVELS = """  %2: u32 = image_levels (R)
  store 0, %2 (u9.0)
"""
_COUNTER = """  %2: u32 = counter_add 1 (R)
  store 0, %2 (u9.0)
"""
_ARRAYS: dict[str, tuple[str, dict[str, str]]] = {
    "u0 raw 0 is_uav count=3": ("%0", _ONE_BY_ONE),
    "u0 raw 0 is_uav count=3 windowed": ("%0", _ONE_BY_ONE),
    "t0 raw 0 count=3 size_table": ("%0", {"load": LOAD, "count": _COUNT}),
    "u0 raw 0 is_uav indexed": ("%0", {"load": LOAD, "store": ONE, "atomic": ATOMIC}),
    "u0 structured 0 is_uav stride=16 count=3 counter": (
        "%0, %20",
        {**DWORDS, "count": _COUNT, "counter": _COUNTER},
    ),
    "cb0 constants 0 length=7 count=3": ("%0", {"loads": LOADS}),
    "u0 typed 0 is_uav dimension=buffer component=uint atomic count=3": (
        "%0",
        {**_OF_TEXELS, "count": _COUNT},
    ),
    "t0 typed 0 dimension=texture2d shape=(2) component=float count=3 has_alpha=false": (
        "%0, %20, %22",
        {"load": _LOAD_TEXEL, "sample": _SAMPLE, "compare": _COMPARE, "levels": _LEVELS},
    ),
    "t0 typed 0 dimension=buffer component=uint count=3"
    " formats=[r32_uint, r32g32b32a32_uint, r16_uint]": ("%0", {"load": _LOAD_TEXEL}),
    "u0 typed 0 is_uav dimension=texture2darray shape=(2 arrayed) component=uint count=3 atomic": (
        "%0, %20, %21",
        _OF_TEXELS,
    ),
}


def of_arrays() -> Iterator[Claim]:
    """An index outside of a range names no register: 0 is read, nothing is written."""
    for resource, (address, bodies) in _ARRAYS.items():
        for name, body in bodies.items():
            for index, shown in (("%1", ""), ("1", ", register 1"), ("3", ", register 3")):
                yield from _claims(resource, name + shown, _indexed(body, index), address)


def _indexed(body: str, index: str) -> str:
    """The operations on the resource, with the descriptor's index as the last operand."""

    def with_index(found: re.Match[str]) -> str:
        comma = "" if found[1] in OPS else ","
        return f"{found[1]}{comma} {index} (R"

    return re.sub(r"(\S+) \(R", with_index, body)
