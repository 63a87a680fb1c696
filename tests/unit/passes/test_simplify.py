"""Sharing, beyond the cases of tests/passes, whose text does not show duplicate constants."""

from translate.ir.builder import Builder
from translate.ir.verify import verify
from translate.passes.simplify import simplify

from ..ir.building import Small, code


def test_equal_constants_of_different_makers_are_one() -> None:
    """Each pass has its own builder, and so its own constants."""
    small = Small()
    thread = small.thread()
    for place in range(2):
        four = Builder(small.b.block).u32(4)
        small.store(small.b.iadd(thread, four), place)
    module = small.finish()
    simplify(module)
    verify(module)
    assert code(module) == (
        "%0: u32 = input (vThreadID.x)\n%1: u32 = iadd %0, 4\n"
        "store_element 0, %1 (u0.0)\nstore_element 1, %1 (u0.0)\nreturn\n"
    )
