"""Records that a shader appends to a buffer, and reads of the thread inputs that they contain."""

from __future__ import annotations

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, Resource
from translate.ir.ops import Op
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Value

THREAD, THREAD_GROUP = "vThreadID", "vThreadGroupID"


class Inputs:
    """Reads of thread inputs; `put_into` puts them at the start of a body."""

    def __init__(self) -> None:
        self._reads: dict[tuple[str, int], Value] = {}

    def vector(self, name: str) -> list[Value]:
        """x, y and z of an input."""
        return [self.read(name, axis) for axis in range(3)]

    def read(self, name: str, component: int) -> Value:
        key = (name, component)
        if key not in self._reads:
            self._reads[key] = Value(ops.INPUT, U32, [], key, NOWHERE)
        return self._reads[key]

    def put_into(self, body: Block) -> None:
        body.values[:0] = self._reads.values()


class Records:
    """Records of `size` words in a buffer, from word `first` on."""

    def __init__(self, buffer: Resource, first: int, size: int):
        self.buffer = buffer
        self.first = first
        self.size = size

    def count(self, b: Builder, word: int) -> Value:
        """Add 1 to a word of the buffer by an atomic; returns the old value."""
        counting = Access(self.buffer, 1, 0, "iadd")
        return b.emit(ops.ATOMIC_ELEMENT, U32, [b.u32(word), b.u32(1)], counting)

    def append(self, b: Builder, fields: list[Value]) -> None:
        """Count a record in word 0, and write it if the buffer has room."""
        self.put(b, self.count(b, 0), fields)

    def put(self, b: Builder, number: Value, fields: list[Value]) -> None:
        """Write the record with this number if the buffer has room."""
        words = self.words(b)
        first = b.u32(self.first)
        room = b.udiv(b.isub(b.umax(words, first), first), b.u32(self.size))
        with b.selection(b.ult(number, room)):
            base = b.iadd(b.imul(number, b.u32(self.size)), first)
            self.write(b, base, fields, words)

    def words(self, b: Builder) -> Value:
        """The number of words in the buffer."""
        return b.emit(ops.DWORD_COUNT, U32, [], self.buffer)

    def write(self, b: Builder, base: Value, fields: list[Value], words: Value) -> None:
        """Store `fields` from word `base` on, by one store in a loop.

        A driver of a CPU takes some 10 ms to compile each store in the shader. The number of rounds
        depends on the buffer's size, `words`, so that compilers do not unroll the loop.
        """
        count = b.umin(words, b.u32(len(fields)))
        loop = Value(ops.LOOP, VOID, [b.u32(0)], None, b.where)
        body, outer = Block(), b.block
        position = Value(ops.PARAM, U32, [], loop, b.where)
        body.params.append(position)
        loop.blocks, b.block = (body,), body
        chosen = fields[0]
        for number, field in enumerate(fields[1:], 1):
            chosen = b.select(b.ieq(position, b.u32(number)), field, chosen)
        access = Access(self.buffer, 1)
        b.emit(ops.STORE_ELEMENT, VOID, [b.iadd(base, position), chosen], access)
        following = b.iadd(position, b.u32(1))
        more = b.emit(ops.IF, VOID, [b.ult(following, count)])
        more.blocks = (_ending(ops.YIELD), _ending(ops.BREAK))
        b.emit(ops.CONTINUE, VOID, [following])
        b.block = outer
        outer.values.append(loop)


def _ending(op: Op) -> Block:
    """A block with only a terminator."""
    block = Block()
    block.values.append(Value(op, VOID, [], None, NOWHERE))
    return block
