"""Messages in their two forms: `message` operations, later records in a buffer.

Both forms become `Sent`, so that messages can be compared before and after any pass.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from checks.interpret.lanes import Lanes
from checks.interpret.operation import Operation
from checks.interpret.threads import Triple
from translate.ir import row
from translate.ir.values import Module

_ABORT = "abort"
_HEADER_WORDS, _PLACE_WORDS = 8, 4
_MOST_RECORDS = 1 << 14  # further ones are only counted


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of a thread: its index in `module.messages`, and the arguments' dwords.

    If several threads abort, only the record of the first names its thread; the others are all
    equal, with `thread` None.
    """

    number: int
    thread: Triple | None
    dwords: tuple[int, ...]


class Messages:
    """Executes `message`; adds to `found`."""

    def __init__(self, found: Counter[Sent]):
        self._found = found

    def send(self, operation: Operation) -> None:
        number = row.MESSAGE.of(operation.value)
        lanes = operation.active.lanes.tolist()
        arguments = [part.tolist() for part in operation.taken(0, len(operation.operands))]
        for position, lane in enumerate(lanes):
            dwords = tuple(argument[position] for argument in arguments)
            thread = operation.context.threads.thread(lane)
            _add(self._found, operation.context.module, Sent(number, thread, dwords))


def _add(found: Counter[Sent], module: Module, sent: Sent) -> None:
    is_abort = module.messages[sent.number].name == _ABORT
    if is_abort and any(module.messages[one.number].name == _ABORT for one in found):
        sent = Sent(0, None, ())
    found[sent] += 1


def message_words(module: Module) -> Lanes:
    """An empty buffer for messages."""
    return np.zeros(_HEADER_WORDS + _record_words(module) * _MOST_RECORDS, np.uint32)


def _record_words(module: Module) -> int:
    return _PLACE_WORDS + max((sum(message.widths) for message in module.messages), default=0)


def sent(module: Module, words: Lanes) -> Counter[Sent]:
    """The messages in a buffer."""
    found: Counter[Sent] = Counter()
    total, aborts, *first = words[: 2 + _PLACE_WORDS].tolist()
    rows = words[_HEADER_WORDS:].reshape(_MOST_RECORDS, -1)[:total].tolist()
    for number, x, y, z, *dwords in rows:
        count: int = sum(module.messages[int(number)].widths)
        found[Sent(number, (x, y, z), tuple(dwords[:count]))] += 1
    if aborts:
        number, x, y, z = first
        found[Sent(number, (x, y, z), ())] += 1
        found[Sent(0, None, ())] += aborts - 1
    return +found
