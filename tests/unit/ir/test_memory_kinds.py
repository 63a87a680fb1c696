"""Every kind of memory has its rows in the tables of the stages."""

import pytest

from translate.bindings.places import name_of
from translate.ir.memory import BOUND, BUFFER_SHAPE, MemoryKind, Resource
from translate.ir.types import has_alpha
from translate.spirv.memory import STORAGE_CLASSES

from ...complete import check_complete

# Images and samplers have no pointers to elements; the storage class of x# depends on the module.
WITHOUT_CLASS = {MemoryKind.TYPED, MemoryKind.SAMPLER, MemoryKind.INDEXABLE_TEMP}


def test_every_kind_has_a_storage_class() -> None:
    kinds = {*MemoryKind} - WITHOUT_CLASS
    check_complete(STORAGE_CLASSES, kinds, "STORAGE_CLASSES of translate/spirv/memory.py")


@pytest.mark.parametrize("kind", MemoryKind, ids=lambda kind: kind.name)
def test_every_kind_has_a_name(kind: MemoryKind) -> None:
    assert name_of(kind, BUFFER_SHAPE)


@pytest.mark.parametrize("kind", BOUND, ids=lambda kind: kind.name)
def test_every_kind_of_descriptor_has_a_name(kind: MemoryKind) -> None:
    assert Resource("t0", kind, 0).descriptor


# DXGI's format names, as far as the translation needs a texel's contents

ALPHA = (
    *("a8_unorm", "b5g5r5a1_unorm", "b4g4r4a4_unorm", "r8g8b8a8_unorm", "b8g8r8a8_unorm_srgb"),
    *("bc1_unorm", "bc2_unorm_srgb", "bc3_unorm", "bc7_unorm", "a name of tomorrow"),
)
NO_ALPHA = (
    *("r32_uint", "b5g6r5_unorm", "b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb", "r9g9b9e5_sharedexp"),
    *("bc4_snorm", "bc5_unorm", "bc6h_uf16", "bc6h_sf16", "r8g8_b8g8_unorm", "g8r8_g8b8_unorm"),
    *("r24_unorm_x8_typeless", "x24_typeless_g8_uint"),
    *("r32_float_x8x24_typeless", "x32_typeless_g8x24_uint"),
)


@pytest.mark.parametrize("name", [*ALPHA, *NO_ALPHA])
def test_alpha(name: str) -> None:
    """A format without one is read with an alpha of 1, outside too (FS §19.1.3.3)."""
    assert has_alpha(name) == (name in ALPHA)
