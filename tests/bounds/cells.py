"""The edge cases of addresses: inside, at and past every end, and where 32-bit products wrap.

No two cells of a memory touch the same dword, whatever the width of the access. So the threads of
the cells may run in any order, and a wrong dword belongs to one cell.
"""

from dataclasses import dataclass

from ..rows.memory_cases import Shape
from ..rows.memory_model import RAW_DWORDS

WRAP = 2**32
TYPED_COUNT = 9  # texels of a typed view
VECTOR_COUNT = 5  # four-component elements of cb, icb and x#


@dataclass(frozen=True)
class Cell:
    """A name, and (byte offset), (index, byte offset) or (element)."""

    name: str
    address: tuple[int, ...]


def cells(shape: Shape, dwords: int) -> list[Cell]:
    """The cells of a raw view (None) or of (stride, count), for accesses of so many dwords."""
    return _raw(dwords) if shape is None else _structured(*shape, dwords)


def _raw(dwords: int) -> list[Cell]:
    """A raw view has no stride: only a byte offset can wrap."""
    size = 4 * RAW_DWORDS
    return [
        Cell("inside", (0,)),
        Cell("last inside", (size - 24 - 4 * dwords,)),
        Cell("straddling the end", (size - 4,)),
        Cell("first past the end", (size,)),
        Cell("unaligned", (4 * 8 + 3,)),
        Cell("unaligned, past the end", (size + 1,)),
        Cell("far past the end", (size + 4 * RAW_DWORDS,)),
        Cell("largest signed number", (2**31 - 4,)),
        Cell("sign bit", (2**31,)),
        Cell("wraps from the last dword", (WRAP - 4,)),
        Cell("wraps within the vector", (WRAP - 8,)),
        Cell("ends where numbers end", (WRAP - 4 * dwords,)),
        Cell("index 0x40000001, as a byte offset", (0x40000001,)),
        Cell("0xFFFFFFFF", (WRAP - 1,)),
    ]


def _structured(stride: int, count: int, dwords: int) -> list[Cell]:
    """Around the first index whose product with the stride wraps, among others."""
    wrap = -(-WRAP // stride)
    return [
        Cell("inside", (0, 0)),
        Cell("unaligned", (1, 2)),
        Cell("straddling the end", (count - 1, stride - 4)),
        Cell("first past the end", (count, 0)),
        Cell("first past the end, last dword", (count, stride - 4)),
        Cell("byte offset past the stride", (2, stride)),
        Cell("byte offset a dword past the stride", (0, stride + 4)),
        Cell("byte offset two strides on", (0, 2 * stride)),
        Cell("byte offset far past the stride", (0, 2**31)),
        Cell("negative byte offset", (1, WRAP - 4)),
        Cell("byte offset back by a stride", (1, WRAP - stride)),
        Cell("byte offset 0xFFFFFFFF", (0, WRAP - 1)),
        Cell("byte offset wraps within the vector", (0, WRAP - 12)),
        Cell("negative index", (WRAP - 2, 0)),
        Cell("index 0xFFFFFFFF", (WRAP - 1, 0)),
        Cell("index and byte offset 0xFFFFFFFF", (WRAP - 1, WRAP - 1)),
        Cell("index times stride wraps", (wrap, 0)),
        Cell("index times stride wraps to the next", (wrap + 1, 0)),
        Cell("index 0x40000001", (0x40000001, 0)),
        Cell("index 0x10000001", (0x10000001, 0)),
        Cell("index 0x20000001", (0x20000001, 0)),
        Cell("largest signed index", (2**31 - 1, 0)),
        Cell("sign bit alone", (2**31, 0)),
        Cell("sign bit", (2**31 + 1, 0)),
    ]


def elements(count: int) -> list[Cell]:
    """The cells of memory that is addressed by one number, where no access is misaligned."""
    return [
        *(Cell(f"element {number}", (number,)) for number in range(count)),
        Cell("first past the end", (count,)),
        Cell("past the end", (count + 1,)),
        Cell("far past the end", (3 * count,)),
        Cell("negative", (WRAP - 2,)),
        Cell("times 4 wraps", (0x40000001,)),
        Cell("times 8 wraps", (0x20000001,)),
        Cell("times 12 wraps", (0x15555556,)),
        Cell("times 16 wraps", (0x10000001,)),
        Cell("largest signed number", (2**31 - 1,)),
        Cell("sign bit alone", (2**31,)),
        Cell("sign bit", (2**31 + 1,)),
        Cell("0xFFFFFFFF", (WRAP - 1,)),
    ]
