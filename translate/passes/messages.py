"""Messages to memory: records in a buffer that the caller binds.

The buffer begins with the number of messages, which goes on counting when there is no room for
more, and the number of threads that aborted. Of the first of these there follow the number of the
message in `Module.messages` and the thread (x, y, z). The next word is 0, or names a loop that the
driver ended (`passes.drivers`), and one is left alone. Then come records, all of the same size:
message, thread (x, y, z), the arguments' dwords. What a message with fewer arguments leaves of its
record is not written.
"""

from __future__ import annotations

from collections.abc import Iterable

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Message, Resource
from translate.ir.types import U32
from translate.ir.values import Block, Module, Value
from translate.passes.records import THREAD, Inputs, Records

REGISTER = "messages"
HEADER_WORDS = 8
ABORT = "abort"  # the name of a message that ends its thread
LOOP_LIMIT = "loop_limit"  # and of one on a loop that the driver ended
_ABORTED_WORD, _FIRST_ABORTED_WORD = 1, 2
_CUT_LOOP_WORD = 6
_PLACE_WORDS = 4


def record_words(messages: Iterable[Message]) -> int:
    """The words of a record: of the message with the most arguments."""
    return _PLACE_WORDS + max((sum(message.widths) for message in messages), default=0)


def write_messages(module: Module) -> None:
    """Expand every `message`."""
    if not module.messages:
        return
    module.message_buffer = Resource(REGISTER, MemoryKind.RAW, 0, is_uav=True)
    size = record_words(module.messages)
    for body in module.bodies():
        writer = _Writer(module, Records(module.message_buffer, HEADER_WORDS, size))
        writer.block(body)
        writer.inputs.put_into(body)


def tell_cut_loop(b: Builder, module: Module, first: Value) -> None:
    """Tell the host of a loop that the driver ended; `first` is its number in the messages + 1.

    The word has its negative, so that of all loops the largest names the first.
    """
    if module.message_buffer is None:
        module.message_buffer = Resource(REGISTER, MemoryKind.RAW, 0, is_uav=True)
    telling = Access(module.message_buffer, 1, 0, "umax")
    word, number = b.u32(_CUT_LOOP_WORD), b.isub(b.u32(0), first)
    b.emit(ops.ATOMIC_ELEMENT, U32, [word, number], telling)


class _Writer:
    """Expands the messages of one body."""

    def __init__(self, module: Module, records: Records):
        self.messages = module.messages
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
