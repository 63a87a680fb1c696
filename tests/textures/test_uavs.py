"""UAV textures: stores and loads in every dimension and format, accesses outside, atomics."""

import itertools
import re
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.values.formats import FORMATS

from ..conftest import needs
from .shaders import SHAPES, Array, numbered, pad, shader

WRITTEN = ("1d", "1darray", "2d", "2darray", "3d")


def places_of(dimension: str) -> Array:
    """u32[n, 4] with x first: places at the edges and outside of them."""
    edges = [(0, 1, n - 1, n, 2**31, 2**32 - 1) for n in SHAPES[dimension][::-1]]
    rows = list(itertools.product(*edges))
    places = np.full((-(-len(rows) // 32) * 32, 4), 2**32 - 1, np.uint32)
    places[: len(rows), : len(edges)] = rows
    return places


def inside(place: Array, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    at = tuple(int(i) for i in place[: len(shape)][::-1])
    return at if all(i < n for i, n in zip(at, shape, strict=True)) else None


def replaced(texels: Array, places: Array, values: Array, add: bool = False) -> Array:
    """The texels with the values at, or added to, those places that are inside."""
    after = texels.copy()
    for place, value in zip(places, values, strict=True):
        at = inside(place, after.shape[: places.shape[1]])
        if at is not None:
            after[at] = after[at] + value if add else value
    return after


def along_a_row(count: int = 32) -> Array:
    """u32[count, 4]: the first texels of a row."""
    places = np.zeros((count, 4), np.uint32)
    places[:, 0] = np.arange(count)
    return places


def first_alone() -> Array:
    """u32[32, 4]: the first texel, then places outside."""
    places = np.zeros((32, 4), np.uint32)
    places[1:] = 99
    return places


def perform(
    device: Any, name: str, target: Any, places: Array, values: Array, **options: Any
) -> Any:
    """Store or add the values to the texels at the places."""
    kernel = device.kernel(shader(name), **options)
    return kernel.dispatch(len(places) // 32, target=target, places=places, values=values)


@pytest.mark.parametrize("kept", [False, True], ids=["array", "texture"])
@pytest.mark.parametrize("dimension", WRITTEN)
def test_stores(device: Any, dimension: str, kept: bool) -> None:
    """Textures have all checks in the shader; arrays only those that the device needs."""
    shape, places = SHAPES[dimension], places_of(dimension)
    before, values = numbered((*shape, 4)), -numbered((len(places), 4))
    after = replaced(before, places[:, : len(shape)], values)
    target = device.texture(before, dimension=dimension) if kept else before
    options = {"robust_access": frozenset[str]()} if kept else {}
    result = perform(device, f"store_{dimension}_float4", target, places, values, **options)
    np.testing.assert_array_equal(result.target, after)
    assert (after != before).any()
    np.testing.assert_array_equal(before, numbered((*shape, 4)))


@pytest.mark.parametrize("options", [{}, {"robust_access": frozenset()}], ids=["device", "shader"])
@pytest.mark.parametrize(
    ("dimension", "kind"), [*((one, "uint") for one in WRITTEN), ("2d", "int"), ("2d", "float")]
)
def test_loads(device: Any, dimension: str, kind: str, options: dict[str, Any]) -> None:
    """The shader stores the loaded texel and its neighbour before, which is 0 outside."""
    dtype = {"uint": np.uint32, "int": np.int32, "float": np.float32}[kind]
    shape, places = SHAPES[dimension], places_of(dimension)
    values = numbered((len(places),), dtype) * dtype(1 << 16)
    before = numbered(shape, dtype) - dtype(5 if kind != "uint" else 0)
    after = replaced(before, places[:, : len(shape)], values, add=True)
    result = perform(device, f"update_{dimension}_{kind}", before, places, values, **options)
    np.testing.assert_array_equal(result.target, after)


def store(device: Any, name: str, format: str, raw: Array, values: Array) -> Array:
    """Store values to a row of texels of a format; returns the texels' bits in memory."""
    target = device.texture(raw, format=format)
    return perform(device, name, target, along_a_row(), pad(values, 32)).target[0]


INF, NAN = np.inf, np.nan
FLOATS = np.array(
    [
        (0.0, 1.0, 0.5, 0.25),
        (-1.0, 2.0, -2.0, 1e9),
        (INF, -INF, NAN, 1.0),
        (1 / 3, 2 / 3, 0.1, 0.9),
        (1e-9, -1e-9, 0.002, -0.002),
        (65504.0, 65519.0, 65520.0, 1e6),
        (-65504.0, -65520.0, -1e6, 6e-8),
        (6.1e-5, 5.9e-5, -5.9e-5, 2049.0),
        (1.0009, 1.9999, -1.9999, 3.1415927),
    ],
    np.float32,
)


def stored(device: Any) -> Array:
    """FLOATS, without infinities and NaNs where the driver damages texels by them."""
    if "SwiftShader" not in device.info.driver:  # docs/drivers.md
        return FLOATS
    return np.where(np.isfinite(FLOATS), FLOATS, np.float32(3.0))


def toward_zero(values: Array, mantissa: int) -> Array:
    """Floats with 5 bits of exponent and `mantissa` of fraction, truncated: FS §3.2.2."""
    x = np.abs(values.astype(np.float64))
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.floor(np.log2(x)), -14)
        step = 2.0 ** (exponent - mantissa)
        cut = np.floor(x / step) * step
    cut = np.where(x == 0, 0, cut)
    largest = (2 - 2.0**-mantissa) * 2.0**15
    cut = np.where(np.isfinite(x), np.minimum(cut, largest), x)
    return np.copysign(cut, values)


def small(values: Array, mantissa: int) -> Array:
    """The bits of an unsigned float with 5 bits of exponent; negative numbers become 0."""
    cut = toward_zero(values, mantissa)
    cut = np.where(cut < 0, 0, cut)
    half = cut.astype(np.float16).view(np.uint16).astype(np.uint32)  # 10 bits of fraction
    return (half & 0x7FFF) >> (10 - mantissa)


def check_steps(found: Array, low: float, top: Any) -> None:
    """FLOATS in fixed point: NaN becomes 0 (FS §3.2.3.6), and whole steps are exact."""
    exact = np.clip(np.nan_to_num(FLOATS.astype(float), nan=0), low, 1) * top
    # D3D allows 0.6 of a step where 0.5 is exact: FS §3.2.3.5
    assert (np.abs(found - exact) <= 0.6).all(), (found, exact)
    whole = exact == np.rint(exact)
    np.testing.assert_array_equal(found[whole], exact[whole])


@pytest.mark.parametrize(
    ("format", "dtype", "bits", "signed"),
    [
        ("r8g8b8a8_unorm", "u1", 8, False),
        ("r8g8b8a8_snorm", "i1", 8, True),
        ("r16g16b16a16_unorm", "u2", 16, False),
        ("r16g16b16a16_snorm", "i2", 16, True),
    ],
)
@pytest.mark.parametrize("name", ["store_2d_float4", "store_2d_unorm"])
def test_fixed(device: Any, name: str, format: str, dtype: str, bits: int, signed: bool) -> None:
    found = store(device, name, format, np.zeros((1, 9, 4), dtype), FLOATS).astype(np.int64)
    check_steps(found, -1 if signed else 0, 2 ** (bits - signed) - 1)


def test_half_floats_are_truncated(device: Any) -> None:
    raw = np.zeros((1, 9, 4), np.float16)
    values = stored(device)
    found = store(device, "store_2d_float4", "r16g16b16a16_float", raw, values)
    np.testing.assert_array_equal(found.astype(np.float64), toward_zero(values, 10))


def test_r11g11b10_float(device: Any) -> None:
    values = stored(device)
    found = store(device, "store_2d_float4", "r11g11b10_float", np.zeros((1, 9), "u4"), values)
    expected = [small(values[:, n], bits) for n, bits in enumerate((6, 6, 5))]
    numbers = [found & 0x7FF, found >> 11 & 0x7FF, found >> 22]
    for n, mantissa in enumerate((6, 6, 5)):
        nan = np.isnan(values[:, n])
        np.testing.assert_array_equal(numbers[n][~nan], expected[n][~nan])
        assert (numbers[n][nan] > 31 << mantissa).all()  # any NaN


def test_r10g10b10a2_unorm(device: Any) -> None:
    found = store(device, "store_2d_float4", "r10g10b10a2_unorm", np.zeros((1, 9), "u4"), FLOATS)
    numbers = found[:, None] >> np.array([0, 10, 20, 30]) & np.array([1023, 1023, 1023, 3])
    check_steps(numbers.astype(float), 0, np.array([1023, 1023, 1023, 3]))


@pytest.mark.parametrize(
    ("format", "dtype"),
    [
        ("r8g8b8a8_uint", "u1"),
        ("r16g16b16a16_uint", "u2"),
        ("r32g32b32a32_uint", "u4"),
        ("r8g8b8a8_sint", "i1"),
        ("r16g16b16a16_sint", "i2"),
        ("r32g32b32a32_sint", "i4"),
    ],
)
def test_integers_are_clamped(device: Any, format: str, dtype: str) -> None:
    kind = np.dtype(dtype)
    wide = np.uint32 if kind.kind == "u" else np.int32
    edges = [0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, -1, -128, -129]
    edges += [-32768, -32769, -(2**31), 2**31]
    values = np.resize(np.array(edges) % 2**32, (9, 4)).astype(np.uint32).view(wide)
    name = "store_2d_uint4" if wide is np.uint32 else "store_2d_int4"
    found = store(device, name, format, np.zeros((1, 9, 4), dtype), values)
    bounds = np.iinfo(kind)
    np.testing.assert_array_equal(found, np.clip(values.astype(np.int64), bounds.min, bounds.max))


def test_r10g10b10a2_uint(device: Any) -> None:
    values = np.array([(1023, 1024, 5, 3), (0, 2**32 - 1, 1022, 4)], np.uint32)
    raw = np.zeros((1, 2), np.uint32)
    found = store(device, "store_2d_uint4", "r10g10b10a2_uint", raw, values)
    expected = [1023 | 1023 << 10 | 5 << 20 | 3 << 30, 1023 << 10 | 1022 << 20 | 3 << 30]
    assert found.tolist() == expected


@pytest.mark.parametrize("format", ["r16_float", "r8_unorm", "r16_snorm", "r32_float"])
def test_loads_convert_from_the_format(device: Any, format: str) -> None:
    """A load gives every representable number exactly, and storing it keeps its bits."""
    kind = {"r16_float": "f2", "r8_unorm": "u1", "r16_snorm": "i2", "r32_float": "f4"}[format]
    raw = np.resize(np.array([0, 1, 3, 100, 127], kind), (1, 32))
    top = {"u1": 255.0, "i2": 32767.0}.get(kind, 1.0)
    values = np.full(32, 2 / top, np.float32)
    target = device.texture(raw, format=format)
    found = perform(device, "update_2d_float", target, along_a_row(), values).target
    np.testing.assert_array_equal(found, raw + np.array(2, kind))


EVEN = [f for f in FORMATS.values() if re.fullmatch(r"r(\d+)(g\1)?(b\1a\1)?_[a-z]+", f.name)]

# Vulkan specification, "Mandatory Format Support": the formats that every device stores to.
EVERYWHERE = {
    *(f"r8g8b8a8_{kind}" for kind in ("unorm", "snorm", "uint", "sint")),
    *(f"r16g16b16a16_{kind}" for kind in ("uint", "sint", "float")),
    *(f"{layout}_{kind}" for layout in ("r32", "r32g32", "r32g32b32a32")
      for kind in ("uint", "sint", "float")),
}  # fmt: skip


@pytest.mark.parametrize("format", [f for f in EVEN if f.components != 3], ids=lambda f: f.name)
def test_numbers_of_every_format(device: Any, format: Any) -> None:
    """Numbers that a channel holds exactly, in 1, 2 and 4 channels; other channels are dropped."""
    kind = format.dtype
    numbers = {
        "float": [1.5, -2.0, 0.25, 1024.0],
        "unorm": [1.0, 0.0, 1.0, 0.0],
        "snorm": [-1.0, 1.0, 0.0, -1.0],
        "uint": [1, 0, 200, 77],
        "sint": [-1, 0, 100, -77],
    }[format.kind]
    top = np.iinfo(kind).max if format.kind in ("unorm", "snorm") else 1
    suffix, wide = {"float": ("float4", "f4"), "uint": ("uint4", "u4"), "sint": ("int4", "i4")}[
        format.component
    ]
    values = np.array([numbers, numbers[::-1]], wide)
    raw = np.zeros((1, 2, format.components), kind)
    try:
        found = store(device, f"store_2d_{suffix}", format.name, raw, values)
    except vkrunner.FeatureError as error:
        if format.name in EVERYWHERE or f"does not take {format.name}" not in str(error):
            raise
        return
    expected = (values[:, : format.components].astype(np.float64) * top).astype(kind)
    np.testing.assert_array_equal(found, expected)


def test_a_module_for_any_format_needs_the_devices_feature(device: Any) -> None:
    module = translate.to_spirv(translate.load(shader("update_2d_uint")))
    assert "storage_image_read_without_format" in module.interface.features
    with needs(device, "storage_image_read_without_format", "storage_image_write_without_format"):
        given = {"places": first_alone(), "values": np.full(32, 5, np.uint32)}
        result = device.kernel(module).dispatch(1, target=numbered((2, 2), "u4"), **given)
        assert result.target.tolist() == [[6, 2], [3, 4]]


def test_a_format_that_spirv_does_not_name_needs_it_too(device: Any) -> None:
    target = device.texture(np.zeros((2, 2, 4), "u1"), format="b8g8r8a8_unorm")
    with needs(device, "storage_image_read_without_format"):
        perform(device, "update_2d_float", target, first_alone(), np.zeros(32, np.float32))


def atomics(before: Array) -> Array:
    """16 texels after the HLSL's 16 operations."""
    kind = before.dtype.type
    operands = np.array([5, -6, -7, 0xF0F0, 0x0F0F, 0xFFFF]).astype(np.uint32).view(before.dtype)
    functions = (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)
    after = before.copy()
    for n, (function, operand) in enumerate(zip(functions, operands, strict=True)):
        after[n] = function(before[n], operand)
        after[9 + n] = function(before[9 + n], operand)
    after[6] = kind(77)
    after[7] = kind(88) if before[7] == 1007 else before[7]
    after[8] = kind(99) if before[8] == 1 else before[8]
    after[15] = kind(66) if before[15] == 1015 else before[15]
    return after


@pytest.mark.parametrize("kind", ["uint", "int"])
@pytest.mark.parametrize("dimension", WRITTEN)
def test_atomics(device: Any, dimension: str, kind: str) -> None:
    dtype = np.uint32 if kind == "uint" else np.int32
    shape = SHAPES[dimension]
    before = numbered(shape, dtype)
    at = np.array(np.unravel_index(np.linspace(0, before.size - 1, 16, dtype=int), shape)).T
    if dimension == "1d":  # one row of 13 cells for 16 operations: the last three lie outside
        at = np.arange(16)[:, None]
    places = np.zeros((16, 4), np.uint32)
    places[:, : len(shape)] = at[:, ::-1]
    start = (np.arange(16) + 1000).astype(dtype)
    before = replaced(before, places[:, : len(shape)], start)
    kernel = device.kernel(shader(f"atomics_{dimension}_{kind}"))
    result = kernel.dispatch(1, target=before, places=places, old=np.zeros(9, dtype))
    after = replaced(before, places[:, : len(shape)], atomics(start))
    np.testing.assert_array_equal(result.target, after)
    is_inside = np.array([inside(place, shape) is not None for place in places])
    np.testing.assert_array_equal(result.old, np.where(is_inside, start, 0)[:9])


def test_many_threads_count_in_one_texel(device: Any) -> None:
    kernel = device.kernel(shader("atomics_2d_uint"))
    before, old = np.zeros((1, 16), np.uint32), np.zeros(9, "u4")
    result = kernel.dispatch(500, target=before, places=along_a_row(16), old=old)
    assert result.target[0, 0] == result.target[0, 9] == 2500


def test_null(device: Any) -> None:
    with needs(device, "null_descriptor"):
        places = places_of("2d")
        values = numbered((len(places),), "u4")
        assert len(perform(device, "update_2d_uint", None, places, values)) == 0
        kernel, old = device.kernel(shader("atomics_2d_uint")), np.full(9, 5, np.uint32)
        result = kernel.dispatch(1, target=None, places=along_a_row(16), old=old)
        assert not result.old.any()
        assert "target" not in result


def test_a_mip_or_slice_as_a_uav(device: Any) -> None:
    texture = device.texture((2, 4, 4), "r32_uint", "2darray", mips=2)
    places, values = first_alone(), np.full(32, 7, np.uint32)
    perform(device, "update_2darray_uint", texture.view(1), places, values)
    flat = texture.view(0, first_slice=1, dimension="2d")
    result = perform(device, "update_2d_uint", flat, places, values)
    assert result.target.shape == (4, 4)
    expected = np.zeros((2, 4, 4))
    expected[1, 0, 0] = 7
    np.testing.assert_array_equal(texture.read(), expected)
    assert texture.read(1).tolist() == [[[7, 0], [0, 0]], [[0, 0], [0, 0]]]


def test_a_format_of_another_component(device: Any) -> None:
    given = along_a_row(), np.zeros(32, "u4")
    with pytest.raises(vkrunner.FormatError, match="r32_float"):
        perform(device, "update_2d_uint", np.zeros((2, 2), "f4"), *given)
    layers = device.texture((1, 2, 2), "r32_uint", "2darray")
    with pytest.raises(vkrunner.FormatError, match=r"2d.*2darray"):
        perform(device, "update_2d_uint", layers, *given)
