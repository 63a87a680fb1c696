"""Every kind of memory has its rows in the tables of the stages."""

import pytest

from translate.bindings.places import name_of
from translate.ir.memory import BOUND, BUFFER_SHAPE, MemoryKind, Resource
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
