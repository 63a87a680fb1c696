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

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind, Message, Resource
from translate.ir.values import Block, Module, Value
from translate.passes.findings import Findings
from translate.passes.guards.records import THREAD, Inputs, Records

REGISTER = "messages"
HEADER_WORDS = 8
ABORT = "abort"  # the name of a message that ends its thread
_ABORTED_WORD, _FIRST_ABORTED_WORD = 1, 2
CUT_LOOP_WORD = 6
_PLACE_WORDS = 4


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
