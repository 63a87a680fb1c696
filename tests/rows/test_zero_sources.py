"""Operations on zeros that only a driver may know, of many sources: results are IEEE 754's.

Expected are NumPy's results for -0, infinities, NaNs and numbers. Each source has its own shader,
with doubles where the device has them.
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import needs
from tests.rows.zero_sources import SOURCES, Source
from tests.slow import share

X: NDArray[Any] = np.array(
    [0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 2.0**-126, -(2.0**100), 0.5], np.float32
)
# With x in r0.x and the zero in r2.x; NumPy's expression for the result, of x and z
FLOATS = {
    "add {}, r0.x, r2.x": "x + z",
    "add {}, r2.x, -r0.x": "z - x",
    "add {}, r0.x, -r2.x": "x - z",
    "add {}, r2.x, -r2.x": "z - z",
    "add {}, r2.x, l(0x80000000)": "z + -np.zeros_like(z)",
    "mul {}, r0.x, r2.x": "x * z",
    "mul {}, -r2.x, r0.x": "-z * x",
    "mul {}, |r2.x|, r0.x": "abs(z) * x",
    "mul {}, r2.x, l(-3.0)": "z * -3",
    "div {}, r0.x, r2.x": "x / z",
    "div {}, r2.x, r0.x": "z / x",
    "div {}, r2.x, r2.x": "z / z",
    "div {}, l(-1.0), r2.x": "-1 / z",
    "div {}, r2.x, l(-2.0)": "z / -2",
    "rcp {}, r2.x": "1 / z",
    "rsq {}, |r2.x|": "1 / np.sqrt(abs(z))",
    "log {}, |r2.x|": "np.log2(abs(z))",
    "mad {}, r0.x, r2.x, r0.x": "x * z + x",
    "mad {}, r0.x, l(1.5), r2.x": "x * np.float32(1.5) + z",
    "dp2 {}, r0.xxxx, r2.xxxx": "x * z + x * z",
    "add r3.x, r0.x, l(1.0)\nmax {}, r3.x, -|r2.x|": "np.where(x + 1 > 0, x + 1, -abs(z))",
    "add r3.x, r0.x, l(1.0)\nmin {}, -|r2.x|, r3.x": "np.where(x + 1 < 0, x + 1, -abs(z))",
    "add r3.x, r0.x, l(1.0)\nmax {}, l(0x80000000), r3.x": "np.where(x + 1 > 0, x + 1, -abs(z))",
}
# With x in r8.xy and the zero in r9.xy
DOUBLES = {
    "dadd {}, r8.xyxy, r9.xyxy": "x + z",
    "dadd {}, r9.xyxy, -r8.xyxy": "z - x",
    "dmul {}, r8.xyxy, r9.xyxy": "x * z",
    "ddiv {}, r8.xyxy, r9.xyxy": "x / z",
    "ddiv {}, r9.xyxy, r8.xyxy": "z / x",
    "dfma {}, r8.xyxy, r9.xyxy, r8.xyxy": "x * z + x",
    "dfma {}, r8.xyxy, r8.xyxy, r9.xyxy": "x * x + z",
    "drcp {}, r9.xyxy": "1 / z",
    "dadd r10.xy, r8.xyxy, l(0, 0x3ff00000, 0, 0)\ndmax {}, r10.xyxy, -|r9.xyxy|": (
        "np.where(x + 1 > 0, x + 1, -abs(z))"
    ),
    "dadd r10.xy, r8.xyxy, l(0, 0x3ff00000, 0, 0)\ndmin {}, -|r9.xyxy|, r10.xyxy": (
        "np.where(x + 1 < 0, x + 1, -abs(z))"
    ),
}
HEAD = f"""
dcl_resource_raw t0
dcl_uav_structured u0, {4 * len(FLOATS)}
dcl_input vThreadID.x
dcl_temps 12
dcl_thread_group {len(X)}, 1, 1
ishl r4.x, vThreadID.x, l(2)
ld_raw r0.x, r4.x, t0.x
"""
# The zero's bits are the high half of the double
WIDE = f"dcl_uav_structured u7, {8 * len(DOUBLES)}"
WIDENED = "ftod r8.xy, r0.x\nmov r9.x, l(0)\nmov r9.y, r2.x"


def listing(source: Source, with_doubles: bool) -> str:
    lines: list[str] = []
    for place, line in enumerate(FLOATS):
        lines.append(line.format("r1.x"))
        lines.append(f"store_structured u0.x, vThreadID.x, l({4 * place}), r1.x")
    lines += [WIDENED] * with_doubles
    for place, line in enumerate(DOUBLES if with_doubles else ()):
        lines.append(line.format("r1.xy"))
        lines.append(f"store_structured u7.xy, vThreadID.x, l({8 * place}), r1.xy")
    body = "\n".join(lines)
    declared = f"{source.declarations}\n{WIDE * with_doubles}"
    return f"cs_5_0\n{declared}{HEAD}{source.lines}\n{body}\n{source.after}\nret\n"


def right(rows: dict[str, str], x: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
    with np.errstate(all="ignore"):
        results = [eval(text, {"np": np, "x": x, "z": z}) for text in rows.values()]
    return np.stack(results, axis=1, dtype=x.dtype)


def differing(found: NDArray[Any], wanted: NDArray[Any], rows: dict[str, str]) -> list[Any]:
    found = np.reshape(found, wanted.shape)
    bits = np.uint32 if found.dtype == np.float32 else np.uint64
    same = found.view(bits) == wanted.view(bits)
    same |= np.isnan(found) & np.isnan(wanted)
    texts = [*rows.values()]
    return [(texts[k], X[i], found[i, k], wanted[i, k]) for i, k in np.argwhere(~same)]


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize(
    "name", share([*SOURCES], str, 6, "a shader for each source of a zero, of many")
)
def test_operations_with_a_zero_a_driver_may_know(device: Any, name: str, optimize: bool) -> None:
    source = SOURCES[name]
    with needs(device, *features(source)):
        check(device, source, optimize)


def features(source: Source) -> list[str]:
    """The features that a source's own lines and resources need."""
    is_null = any(data is None for data in source.resources.values())
    doubles = any(name in source.lines for name in ("dtof", "ftod"))
    null = is_null and "texture" in source.declarations
    return ["null_descriptor"] * null + ["float64"] * doubles


def check(device: Any, source: Source, optimize: bool) -> None:
    with_doubles = device.features.float64
    kernel = device.kernel(listing(source, with_doubles), optimize=optimize)
    outputs: dict[str, Any] = {"u0": np.zeros((len(X), len(FLOATS)), np.float32)}
    if with_doubles:
        outputs["u7"] = np.zeros((len(X), len(DOUBLES)))
    results = kernel.dispatch(1, t0=X, **outputs, **source.resources)
    kernel.close()
    z = np.full_like(X, source.number)
    assert not differing(results.u0, right(FLOATS, X, z), FLOATS)
    if with_doubles:
        high = z.view(np.uint32).astype(np.uint64) << np.uint64(32)
        wide = X.astype(np.float64), high.view(np.float64)
        assert not differing(results.u7, right(DOUBLES, *wide), DOUBLES)
