"""Whether two runs did the same: their final memory, and their reports.

Memory has to be equal bit for bit, except for NaNs. The bits of a NaN that arithmetic gives are
undefined, and a pass may simplify an operation so that an operand's NaN remains (`x + -0` is `x`).
Arithmetic of the interpreter gives one NaN. So two dwords are also equal if both are NaNs and one
of them is the interpreter's, of either sign; the same holds for doubles and for single halves.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from checks.interpret import Outcome, Reported
from translate.ir.memory import Cause
from translate.reference.formats import decode, read_format
from translate.reference.resources import Buffer, Resource, Texture, Written

Array = np.ndarray[Any, Any]

_LEAST_NORMAL = 2.0**-126
_MAGNITUDE = np.uint32(0x7FFFFFFF)
_INFINITY = {"f32": np.uint32(0x7F800000), "f64": np.uint32(0x7FF00000)}
_NAN = {"f32": np.uint32(0x7FC00000), "f64": np.uint32(0x7FF80000)}
_HALF_INFINITY, _HALF_NAN = 0x7C00, 0x7E00


def same_words(a: Array, b: Array) -> Array:
    """For each pair of u32 dwords, whether they are equal."""
    same = (a == b) | _nans(a, b, "f32") | _half_nans(a, b)
    if len(a) > 1:
        doubles = _nans(a[1:], b[1:], "f64") & ((a[:-1] == 0) | (b[:-1] == 0))
        same[1:] |= doubles
        same[:-1] |= doubles
    return same


def _nans(a: Array, b: Array, kind: str) -> Array:
    """Whether both are NaNs (or the high dwords of NaNs), one of them the interpreter's."""
    x, y, infinity = a & _MAGNITUDE, b & _MAGNITUDE, _INFINITY[kind]
    return (x >= infinity) & (y >= infinity) & ((x == _NAN[kind]) | (y == _NAN[kind]))


def _half_nans(a: Array, b: Array) -> Array:
    """The same for dwords that hold only a half, as `f32tof16` gives."""
    x, y = a & np.uint32(0xFFFF7FFF), b & np.uint32(0xFFFF7FFF)
    both = (x > _HALF_INFINITY) & (x < 0x8000) & (y > _HALF_INFINITY) & (y < 0x8000)
    return both & ((x == _HALF_NAN) | (y == _HALF_NAN))


def _close(a: Array, b: Array, distance: float) -> Array:
    """Whether neither is a denormal and, as floats, they differ by no more than `distance`."""
    x, y = a.view(np.float32), b.view(np.float32)
    normal = [(n == 0) | (np.abs(n) >= _LEAST_NORMAL) for n in (x, y)]
    with np.errstate(invalid="ignore"):
        return normal[0] & normal[1] & (np.abs(x - y) <= distance)


def difference(
    resources: Mapping[str, Resource], a: Written, b: Written, distance: float = 0.0, sines: int = 0
) -> str | None:
    """The first difference in memory after two runs; floats may differ by `distance`.

    Up to `sines` dwords may be any numbers from -1 to 1: sines of numbers outside of the range for
    which D3D defines a precision.
    """
    if a.counters != b.counters:
        return f"hidden counters are {dict(b.counters)}, not {dict(a.counters)}"
    for name, resource in resources.items():
        if name not in a.buffers and name not in a.textures:
            continue
        wanted, found = _words(name, resource, a), _words(name, resource, b)
        same = same_words(wanted, found)
        if distance:
            same |= _close(wanted, found, distance)
        wrong = np.flatnonzero(~same)
        large = wrong[_are_sines(wanted[wrong]) & _are_sines(found[wrong])]
        if len(large) <= sines:
            wrong = np.setdiff1d(wrong, large)
        if len(wrong):
            at = int(wrong[0])
            shown = f"{found[at]:#x}, not {wanted[at]:#x}"
            return f"{name} has {shown} in dword {at} ({len(wrong)} of {len(wanted)} differ)"
    return None


def _are_sines(words: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return np.abs(words.view(np.float32)) <= 1


def _words(name: str, resource: Resource, written: Written) -> Array:
    """Dwords; a dword for each component of a texel, so that NaNs of any size are recognised."""
    if isinstance(resource, Texture):
        mips = written.textures[name]
        return np.concatenate([_components(mip, resource.format) for mip in mips])
    assert isinstance(resource, Buffer)
    data = written.buffers[name]
    texel_bytes = read_format(resource.format).texel_bytes if resource.format else 4
    whole = len(data) // texel_bytes * texel_bytes
    if resource.format is not None:
        return _components(data[:whole].reshape(-1, texel_bytes), resource.format)
    return data[:whole].view(np.uint32)


def _components(texels: Array, format: str) -> Array:
    rows = np.ascontiguousarray(texels.reshape(-1, texels.shape[-1]))
    return np.concatenate(decode(read_format(format), rows))


def reports_differ(a: Outcome, b: Outcome, marked: bool) -> str | None:
    """The reports that only one of the runs made.

    Without marks (`passes.report`), reads of uninitialised memory are not reported.
    """

    def counted(outcome: Outcome) -> Counter[Reported]:
        left_out = () if marked else (Cause.UNINITIALISED,)
        kept = {r: n for r, n in outcome.reported.items() if r.cause not in left_out}
        return Counter(kept)

    return _only_one(counted(a), counted(b), "reported")


def messages_differ(a: Outcome, b: Outcome) -> str | None:
    """The messages that only one of the runs sent."""
    return _only_one(a.sent, b.sent, "sent")


def _only_one(a: Counter[Any], b: Counter[Any], done: str) -> str | None:
    for verb, some in (("is not", a - b), ("is", b - a)):
        if some:
            return f"{next(iter(some))} {verb} {done} ({sum(some.values())} such)"
    return None
