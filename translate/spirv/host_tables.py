"""Numbers that the host writes: view ranges (first element, count), and sizes of buffers in arrays.

The ranges of single buffers are push constants. Those have room for only a few, and must not be
indexed differently by different threads, so the numbers of arrays are in tables.

All tables are parts of one uniform texel buffer of u32. A storage buffer would count towards
maxPerStageDescriptorStorageBuffers, which is as low as 32; lavapipe compiles the values of uniform
buffers into the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from translate.ir import ops, row
from translate.ir.memory import MemoryKind, Resource
from translate.ir.types import Type
from translate.ir.values import Value
from translate.spirv.code import Code, Emitters
from translate.spirv.grammar import Op, StorageClass
from translate.spirv.images import Images
from translate.spirv.memory import Memory
from translate.spirv.push_constants import RANGE_WORDS, PushConstants

REGISTER: Final = "tables"
SIZES: Final = "sizes"
COUNTERS: Final = "counters"
WINDOWS: Final = "windows"
Entries = Mapping[tuple[str, str], tuple[int, int]]

_BUFFER = Resource(REGISTER, MemoryKind.TYPED, 0, dimension="buffer")


class HostTables:
    """Reads tables, which are declared at their first use, and the push constants of view ranges.

    `entries` has the place of the first buffer's numbers, and the distance to those of the next,
    for the register of each array and the kind of the numbers.
    """

    def __init__(
        self,
        code: Code,
        memory: Memory,
        images: Images,
        entries: Entries,
        pushes: PushConstants,
    ):
        self.code = code
        self.sections = code.sections
        self.memory = memory
        self.images = images
        self.entries = entries
        self.pushes = pushes

    def emitters(self) -> Emitters:
        """The emitter of each operation."""
        return {
            ops.TABLE_COUNT: lambda value: self._read(value, SIZES),
            ops.COUNTER_SIZE: self._counter_size,
            ops.WINDOW_FIRST: lambda value: self._window(value, 0),
            ops.WINDOW_COUNT: lambda value: self._window(value, 1),
        }

    def _counter_size(self, value: Value) -> int:
        """The dwords of a hidden counter (1, or 0 if unbound), from the table or its descriptor."""
        if not self.code.tables.views[row.RESOURCE.of(value)].size_table:
            return self.memory.counter_size(value)
        return self._read(value, COUNTERS)

    def _window(self, value: Value, word: int) -> int:
        """A word of a view range."""
        resource = row.RESOURCE.of(value)
        if resource.is_array:
            return self._read(value, WINDOWS, word)
        sections, variable = self.sections, self.pushes.variable()
        index = sections.u32(RANGE_WORDS * self.pushes.windows.index(resource.register) + word)
        kind = sections.pointer(StorageClass.PushConstant, sections.uint)
        path = (variable, sections.u32(0), index)
        pointer = self.code.instruct(Op.AccessChain, kind, *path)
        return self.code.instruct(Op.Load, sections.uint, pointer)

    def _read(self, value: Value, kind: str, word: int = 0) -> int:
        """Load a number of a table; the operand of `value` is the buffer's index in its array."""
        code, uint = self.code, self.sections.uint
        first, stride = self.entries[row.RESOURCE.of(value).register, kind]
        distance = self.sections.u32(stride)
        start = code.instruct(Op.IMul, uint, code.use(value.args[0]), distance)
        index = code.instruct(Op.IAdd, uint, start, self.sections.u32(first + word))
        image, texel = self.images.image(_BUFFER, None), code.type(Type.TEXEL_U32)
        loaded = code.instruct(Op.ImageFetch, texel, image, index)
        return code.instruct(Op.CompositeExtract, uint, loaded, 0)
