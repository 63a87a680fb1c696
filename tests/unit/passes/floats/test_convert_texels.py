"""Conversion of texels to their format: the ranges of integers and fixed point, and NaNs.

Some drivers clamp by themselves; so the stored values are computed from the code.
"""

from __future__ import annotations

import numpy as np
import pytest

from translate.ir import ops
from translate.ir.memory import Access, ImageShape, MemoryKind, Resource
from translate.ir.tables import View
from translate.ir.types import F32, TEXELS
from translate.passes.floats.convert_texels import convert_texels

from ...ir.building import Small
from ..evaluate import evaluate

NAN, INF = np.float32(np.nan), np.float32(np.inf)


def stored(name: str, component: str, numbers: list[float]) -> list[float]:
    """The stored values of a format's first channel, for numbers of the component's type."""
    small = Small()
    resource = Resource(
        "u3", MemoryKind.TYPED, 3, is_uav=True, shape=ImageShape(2), component=component
    )
    small.known(resource, View(format=name))
    is_float = component == "float"
    number = small.thread()
    value = small.b.bitcast(F32, number) if is_float else number
    texel = small.b.compose(TEXELS[component], *[value] * 4)
    at = [small.b.u32(0), small.b.u32(0)]
    small.b.store_typed(Access(resource, 2), at, texel)
    module = small.finish()
    convert_texels(module)
    (store,) = (v for v in module.walk() if v.op is ops.STORE_TYPED)
    dtype = {"float": np.float32, "uint": np.uint32, "sint": np.int32}[component]
    given = np.array(numbers, dtype).view(np.uint32).astype(np.int64)
    found = evaluate(store.args[2].args[0], {number: given}, {})
    return (found if is_float else found.astype(np.uint32).view(dtype)).tolist()


@pytest.mark.parametrize(("name", "bits"), [("r8_uint", 8), ("r16g16_uint", 16)])
def test_unsigned(name: str, bits: int) -> None:
    most = 2**bits - 1
    assert stored(name, "uint", [0, most, most + 1, 2**32 - 1]) == [0, most, most, most]


@pytest.mark.parametrize(("name", "bits"), [("r8_sint", 8), ("r16g16b16a16_sint", 16)])
def test_signed(name: str, bits: int) -> None:
    most = 2 ** (bits - 1) - 1
    numbers = [0, most, most + 1, -most - 1, -most - 2, -(2**31), 2**31 - 1]
    expected = [0, most, most, -most - 1, -most - 1, -most - 1, most]
    assert stored(name, "sint", numbers) == expected


def test_whole_words_stay() -> None:
    assert stored("r32_uint", "uint", [0, 2**32 - 1]) == [0, 2**32 - 1]
    assert stored("r32_sint", "sint", [-(2**31), 2**31 - 1]) == [-(2**31), 2**31 - 1]


def test_fixed_point() -> None:
    """Numbers are clamped, and a NaN becomes 0 (FS §3.2.3)."""
    numbers = [-INF, -2.0, -0.5, 0.25, 1.0, 1.5, INF, NAN]
    assert stored("r8_unorm", "float", numbers) == [0, 0, 0, 0.25, 1, 1, 1, 0]
    assert stored("r8_snorm", "float", numbers) == [-1, -1, -0.5, 0.25, 1, 1, 1, 0]


def test_small_floats_round_toward_zero() -> None:
    """NumPy's halves round to nearest; here the expected ones are truncated to 10 bits."""
    numbers = [1 + 2**-10 + 2**-11, -(1 + 2**-10 + 2**-11), 65504.0, 65535.0, 1e9, -1e9, INF]
    expected = [1 + 2**-10, -(1 + 2**-10), 65504.0, 65504.0, 65504.0, -65504.0, INF]
    assert stored("r16_float", "float", numbers) == expected
    assert np.isnan(stored("r16_float", "float", [NAN])).all()


def test_small_floats_without_a_sign() -> None:
    """Floats of 11 bits have 6 for the mantissa; negative numbers become 0."""
    found = stored("r11g11b10_float", "float", [1 + 2**-6 + 2**-7, -1.0, 1e9])
    assert found == [1 + 2**-6, 0.0, (2 - 2**-6) * 2.0**15]
