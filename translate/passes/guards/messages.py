"""A shader's messages (`printf`, `errorf`, `abort`) as records in a buffer that the caller binds.

The buffer begins with eight words: the number of messages, which keeps counting when the buffer is
full; the number of threads that aborted; for the first of these, the number of its message in
`Module.messages` and the thread (x, y, z); 0, or a loop that the driver ended
(`drivers.loop_limit`); and a word that is not used. Records of equal size follow: message, thread
(x, y, z), the arguments' dwords. A message with fewer arguments than others leaves the end of its
record unwritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from translate.errors import NOWHERE
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Message, Resource
from translate.ir.ops import Op
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import Findings

THREAD, THREAD_GROUP = "vThreadID", "vThreadGroupID"
REGISTER = "messages"
HEADER_WORDS = 8
ABORT = "abort"  # the name of a message that ends its thread
_ABORTED_WORD, _FIRST_ABORTED_WORD = 1, 2
CUT_LOOP_WORD = 6
_PLACE_WORDS = 4


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


def record_words(messages: Iterable[Message]) -> int:
    """The number of words of a record, which fits the message with the most arguments."""
    return _PLACE_WORDS + max((sum(message.widths) for message in messages), default=0)


def write_messages(module: Module) -> Findings:
    """Rewrite every `message` to code that writes a record into the buffer."""
    if not module.messages:
        return Findings()
    buffer, size = message_buffer(module), record_words(module.messages)
    for body in module.bodies():
        writer = _Writer(module.messages, Records(buffer, HEADER_WORDS, size))
        writer.block(body)
        writer.inputs.put_into(body)
    return Findings(message_buffer=buffer)


def message_buffer(module: Module) -> Resource:
    """The module's buffer of messages, or a new one if it has none yet."""
    return module.message_buffer or Resource(REGISTER, MemoryKind.RAW, 0, is_uav=True)


class _Writer:
    """Rewrites the messages of one body."""

    def __init__(self, messages: Sequence[Message], records: Records):
        self.messages = messages
        self.records = records
        self.inputs = Inputs()

    def block(self, block: Block) -> None:
        values, block.values = block.values, []
        b = Builder(block)
        for value in values:
            for inner in value.blocks:
                self.block(inner)
            if value.op is not ops.MESSAGE:
                block.values.append(value)
                continue
            b.where = value.where
            self._write(b, value)

    def _write(self, b: Builder, value: Value) -> None:
        number = row.MESSAGE.of(value)
        place = [b.u32(number), *self.inputs.vector(THREAD)]
        if self.messages[number].name != ABORT:
            self.records.append(b, [*place, *value.args])
            return
        aborted = self.records.count(b, _ABORTED_WORD)
        with b.selection(b.ieq(aborted, b.u32(0))):
            words = self.records.words(b)
            self.records.write(b, b.u32(_FIRST_ABORTED_WORD), place, words)
