"""Messages: a shader's messages by `printf` and `errorf`, and where it aborted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from translate import ShaderInterface
from translate.errors import escaped
from translate.interface import MessageSite, format_message
from vkrunner.errors import AbortError, ArgumentError, LoopLimitError
from vkrunner.values.arrays import Array

DEFAULT_CAPACITY = 16384  # messages of a dispatch that are kept
_CUT = (
    "the driver ended a loop that threads had not left, {}: it runs at most 65,535 iterations of a"
    " thread's loops (loop_limit); use a newer Mesa, which Debian's backports have, SwiftShader or"
    " the reference machine, or divide the work among more threads or dispatches"
)
LOOP_LIMIT = "loop_limit"  # the name of a site that is a loop
PLACE_WORDS = 4  # of a record: its site and the thread

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
        The arguments as the format string takes them.
    thread : tuple of int
        The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
    group : tuple of int
        Its group's place (SV_GroupID).
    instruction : int or None
        Which instruction, from 0, declarations left out.
    line : int or None
        The listing's line; None for a container.
    hlsl_file : str or None
        The file of the HLSL, with debug information.
    hlsl_line : int or None
        The line of the HLSL, likewise.
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
        """Whether it is of `errorf`."""
        return self.name == "errorf"

    def __str__(self) -> str:
        return self.text


class Messages(list[Message]):
    """The messages of a dispatch: a list of Message, by thread (x first), of each in its order.

    Attributes
    ----------
    total : int
        How many were sent, those without room too.
    """

    def __init__(self, messages: Iterable[Message] = (), total: int = 0):
        super().__init__(messages)
        self.total = total

    @property
    def lost(self) -> int:
        """How many found no room."""
        return self.total - len(self)


@dataclass(frozen=True, slots=True)
class MessageLog:
    """The messages of a dispatch, not yet formatted.

    `rows` are u32[messages, words]: number of the site in the interface, thread (x, y, z), the
    arguments' dwords. `first_abort` is a site and a thread where any aborted, `cut_loop` the
    site of a loop that the driver ended.
    """

    interface: ShaderInterface
    rows: Array
    total: int
    abort_count: int
    first_abort: tuple[int, Triple] | None
    cut_loop: int | None = None

    def messages(self) -> Messages:
        """The messages in order."""
        _, x, y, z = self.rows[:, :PLACE_WORDS].T
        rows = self.rows[np.lexsort((x, y, z))].tolist()
        return Messages([self._message(*row) for row in rows], self.total)

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
        """Raise LoopLimitError, or AbortError with the dispatch's result if a thread aborted."""
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
    where = f"instruction {site.instruction}"
    if site.line is not None:
        where = f"line {site.line} ({where})"
    if site.hlsl_line is not None:
        name = (site.hlsl_file or "").replace("\\", "/").rpartition("/")[2]
        where = escaped(f"{name}:{site.hlsl_line}, {where}")
    return where


def _where(site: MessageSite) -> dict[str, Any]:
    return {name: getattr(site, name) for name in ("instruction", "line", "hlsl_file", "hlsl_line")}


def check_capacity(count: Any) -> int:
    """A number of messages to keep. Raises ArgumentError."""
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ArgumentError(f"message_capacity is a number of messages, not {count!r}")
    return count


def record_words(interface: ShaderInterface) -> int:
    """Words of a record: of the message with the most arguments."""
    return PLACE_WORDS + max((sum(site.widths) for site in interface.messages), default=0)
