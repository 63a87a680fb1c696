"""Messages: the output of a shader's `printf` and `errorf`, and the place where it aborted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from translate import ShaderInterface
from translate.dataclass import dataclass
from translate.errors import escaped, located_text
from translate.interface import MessageSite, format_message, html_table
from vkrunner.errors import AbortError, LoopLimitError
from vkrunner.values.comparison import MOST_ROWS, short_table
from vkrunner.values.numbers import Array

DEFAULT_CAPACITY = 16384  # messages of a dispatch that are kept
MOST_TEXT = 64 << 20  # characters of them: a shader may give thousands of threads a long text
_CUT = (
    "the driver ended a loop that threads had not left, {}: it runs at most 65,535 iterations of a"
    " thread's loops (loop_limit); use a newer Mesa, which Debian's backports have, SwiftShader or"
    " the reference machine, or divide the work among more threads or dispatches"
)
PLACE_WORDS = 4  # dwords of a record before the arguments: site, and the thread's x, y and z

_HEADING = ("thread", "text")
_MOST_CHARACTERS = 90  # of a message in a table

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Message:
    """One `printf` or `errorf` of one thread.

    Attributes
    ----------
    name : {"printf", "errorf"}
        The function of HLSL.
    text : str
        The format string with its arguments.
    format : str
        The format string.
    values : tuple of int and float
        The arguments, with the types that the format string expects.
    thread : tuple of int
        The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
    group : tuple of int
        Its group's place (SV_GroupID).
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The listing's line; None for a container.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    """

    name: str
    text: str
    format: str
    values: tuple[int | float, ...]
    thread: Triple
    group: Triple
    instruction: int | None
    line: int | None
    hlsl_file: str | None = None
    hlsl_line: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether `errorf` sent it."""
        return self.name == "errorf"

    def __str__(self) -> str:
        return self.text


class Messages(list[Message]):
    """The messages of a dispatch: a list of Message, sorted by thread (by z, then y, then x).

    The messages of one thread are in the order in which it sent them.

    Attributes
    ----------
    total : int
        The number of all sent messages, including those for which there was no room.
    too_long : int
        The number of the last threads' messages that are left out, because with them the text of
        all would have more than 64 Mi characters; `lost` includes them.
    """

    def __init__(self, messages: Iterable[Message] = (), total: int = 0, too_long: int = 0):
        super().__init__(messages)
        self.total = total
        self.too_long = too_long

    def __repr__(self) -> str:
        """The number of messages, and the first ones with their threads."""
        rows = message_rows(self, MOST_ROWS)
        return "\n".join([f"messages: {self.total:,}", *short_table(_HEADING, rows, self.total)])

    def _repr_html_(self) -> str:
        return html_table(f"messages: {self.total:,}", message_rows(self), _HEADING)

    @property
    def lost(self) -> int:
        """The number of messages for which there was no room."""
        return self.total - len(self)


def message_rows(messages: Sequence[Message], most: int | None = None) -> list[tuple[str, str]]:
    """The thread and the text of the first messages, or of all, for a table."""
    return [_row(message) for message in messages[:most]]


def _row(message: Message) -> tuple[str, str]:
    thread, kind = ",".join(map(str, message.thread)), "error: " if message.is_error else ""
    text = message.text.rstrip()
    more = "…" if len(text) > _MOST_CHARACTERS else ""
    return thread, escaped(f"{kind}{text[:_MOST_CHARACTERS]}") + more


@dataclass(frozen=True, slots=True)
class MessageLog:
    """The messages of a dispatch before they are formatted.

    A site is an index into `interface.messages`. `rows` are u32[messages, dwords]: the site of each
    message, its thread (x, y, z), and the dwords of its arguments. `total` counts all messages that
    were sent. `first_abort` is the site and thread of one abort, if any; `cut_loop` is the site of
    a loop that the driver ended.
    """

    interface: ShaderInterface
    rows: Array
    total: int
    abort_count: int
    first_abort: tuple[int, Triple] | None
    cut_loop: int | None = None

    def messages(self) -> Messages:
        """The messages as text, by thread, as long as they have at most MOST_TEXT characters."""
        _, x, y, z = self.rows[:, :PLACE_WORDS].T
        rows = self.rows[np.lexsort((x, y, z))].tolist()
        made, left = list[Message](), MOST_TEXT
        for row in rows:
            message = self._message(*row)
            left -= max(len(message.text), len(message.format))
            if left < 0:
                break
            made.append(message)
        return Messages(made, self.total, len(rows) - len(made))

    def _message(self, number: int, x: int, y: int, z: int, *dwords: int) -> Message:
        site = self.interface.messages[number]
        rest, arguments = iter(dwords), list[tuple[int, ...]]()
        for width in site.widths:
            arguments.append(tuple(next(rest) for _ in range(width)))
        text, values = format_message(site.text, arguments)
        a, b, c = self.interface.thread_group
        return Message(
            name=site.name,
            text=text,
            format=site.text,
            values=values,
            thread=(x, y, z),
            group=(x // a, y // b, z // c),
            instruction=site.instruction,
            line=site.line,
            hlsl_file=site.hlsl_file,
            hlsl_line=site.hlsl_line,
        )

    def check_loops(self) -> None:
        """Raise LoopLimitError if the driver ended a loop."""
        if self.cut_loop is None:
            return
        site = self.interface.messages[self.cut_loop]
        raise LoopLimitError(_CUT.format(_place(site)), **_where(site))

    def check(self, result: Any) -> None:
        """Raise LoopLimitError if the driver ended a loop, AbortError if a thread aborted.

        `result` is the dispatch's result, which the AbortError gets.
        """
        self.check_loops()
        if self.first_abort is None:
            return
        number, thread = self.first_abort
        site = self.interface.messages[number]
        text = f"the shader aborted in thread {thread}, {_place(site)}"
        others = self.abort_count - 1
        if others:
            text += f"; so did {others} other thread{'s' if others > 1 else ''}"
        raise AbortError(text, thread=thread, count=self.abort_count, result=result, **_where(site))


def _place(site: MessageSite) -> str:
    """An instruction as errors name it: `blur.hlsl:3, line 10 (instruction 3)`."""
    if site.instruction is None:
        return "code that the translation added"
    return located_text(site)


def _where(site: MessageSite) -> dict[str, Any]:
    return {name: getattr(site, name) for name in ("instruction", "line", "hlsl_file", "hlsl_line")}


def record_words(interface: ShaderInterface) -> int:
    """The dwords of one message record, enough for the message with the most arguments."""
    return PLACE_WORDS + max((sum(site.widths) for site in interface.messages), default=0)
