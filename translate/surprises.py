"""Surprises: places where fxc's code does not do what the HLSL says, without a warning of fxc.

fxc drops some barriers at which threads wait, runs the only case of a `switch` for every thread,
and cuts a loop with `[unroll(n)]` after n rounds. Each is reported only where the text and the
lines of the code show it: text behind an `#if`, and code of which nothing is left, show nothing.
Source: fxc 10.0.26100, docs/compilers.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from translate.dataclass import dataclass
from translate.errors import escaped
from translate.hlsl.source import Outline, macros
from translate.isa.instruction import Flow, Kind, Role
from translate.isa.registers import RegisterFile
from translate.program import Program, Statement

_BARRIER = re.compile(r"\b((?:Group|Device|All)MemoryBarrierWithGroupSync)\s*+\(\s*+\)")
_SWITCH = re.compile(
    r"\bswitch\s*+\(\s*+(\w++)(?:\s*+\.\s*+([xyz]))?"
    r"(?:\s*+(?:&\s*+\d{0,9}[13579]|%\s*+(?!1u?\s*+\))[1-9]\d*+)u?)?\s*+\)\s*+\{"
)
_CASE = re.compile(r"\b(?:case|default)\b")
_UNROLL = re.compile(
    r"\[\s*+unroll\s*+\(\s*+([1-9]\d{0,5})\s*+\)\s*+\]\s*+for\s*+\(\s*+(?:u?int|uint)\s++(\w++)\s*+="
    r"\s*+(0|[1-9]\d{0,5})u?\s*+;\s*+(\w++)\s*+(<=?)\s*+(0|[1-9]\d{0,5})u?\s*+;\s*+"
    r"(?:\+\+\s*+(\w++)|(\w++)\s*+(?:\+\+|\+=\s*+1u?))\s*+\)\s*+\{"
)
_DEFINED = re.compile(r"\b((?:Group|Device|All)MemoryBarrierWithGroupSync)\s*+\([^()]*+\)\s*+\{")
_AFTER_WORD = re.compile(r"(?<=\w)\s++(\w++)")  # a declared name, for example
_CHANGED = re.compile(  # `a = 1`, `a.x += 1`, `(a)++`, `++a`
    r"(?<![\w.])(\w++)(?:\s++|\)|\.\s*+\w++){0,8}+(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
    r"|(?:\+\+|--)[\s(]*+(\w++)"
)
_THREAD_INPUT = re.compile(
    r"\buint[1-4]?\s++(\w++)\s*+:\s*+(SV_\w++)", re.IGNORECASE
)  # a parameter of the entry function
_INPUTS = ("sv_dispatchthreadid", "sv_groupid", "sv_groupthreadid", "sv_groupindex")
_OPENERS = (Flow.IF, Flow.LOOP, Flow.SWITCH)
_CLOSERS = (Flow.ENDIF, Flow.ENDLOOP, Flow.ENDSWITCH)
_ARMS = (Flow.ELSE, Flow.CASE, Flow.DEFAULT, Flow.LABEL)
_JUMPS = (Flow.BREAK, Flow.CONTINUE, Flow.RETURN, Flow.ABORT)
_COMPARES = ("ieq", "ine", "switch", "if", "movc", "breakc", "retc", "continuec")
_CONTROL = re.compile(  # a macro with one of these hides the control flow of a text that uses it
    r"[{}]|\b(?:return|break|continue|discard|case|default|switch|unroll)\b|WithGroupSync"
)
LONGEST = 1 << 18  # characters; a longer file is not searched

MARKS = (b"WithGroupSync", b"switch", b"unroll")  # one of them is in every text with a surprise
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Access:
    register: str
    changes: bool


class _Code:
    """The instructions of a program, with their lines."""

    def __init__(self, program: Program):
        self.statements = [s for s in program.statements if not s.row.is_declaration]
        sizes = (s.extra for s in program.statements if s.row.name == "dcl_thread_group")
        self.group = next(sizes, (1, 1, 1))
        self.threads = math.prod(self.group)

    def of(self, file: str, first: int, last: int) -> list[tuple[int, int, Statement]]:
        """Number, line and statement of the instructions of a file's lines."""
        return [
            (number, line, s)
            for number, s in enumerate(self.statements)
            if s.where.hlsl_file == file and (line := s.where.hlsl_line) is not None
            if first <= line <= last
        ]

    def shared_around(self, before: int, after: int) -> list[str]:
        """The registers that instructions up to one place, and those from another one on, access.

        No thread waits between, and one of the two changes the memory. Loops run again from their
        start. Ways that may not be taken are left out.
        """
        if any(map(_waits, self.statements[before + 1 : after])):
            return []
        back, forth = ({*_accesses(some)} for some in (self._back(before), self._forth(after)))
        return sorted(
            {
                first.register
                for first in back
                for second in forth
                if first.register == second.register and (first.changes or second.changes)
            }
        )

    def _forth(self, start: int) -> Iterator[Statement]:
        """The statements that may run from a place on, before threads wait."""
        yield from self._reached(range(start, len(self.statements)))
        for first, last in self._loops:
            way = range(start, last)
            if first < start <= last and len([*self._reached(way)]) == len(way):
                yield from self._reached(range(first, start))

    def _back(self, start: int) -> Iterator[Statement]:
        """The statements that may have run up to a place, since threads waited."""
        yield from self._reached(range(start, -1, -1))
        for first, last in self._loops:
            way = range(start, first, -1)
            if first <= start < last and len([*self._reached(way)]) == len(way):
                yield from self._reached(range(last, start, -1))

    def _reached(self, numbers: range) -> Iterator[Statement]:
        """Statements one after the other, up to a wait, or where the way may go elsewhere.

        That is another arm, or a jump: backwards also one in a block on the way.
        """
        level, enters, leaves = 0, _OPENERS, _CLOSERS
        if numbers.step < 0:
            enters, leaves = leaves, enters
        for number in numbers:
            statement = self.statements[number]
            flow = statement.row.flow
            jumps = flow in _JUMPS and not statement.row.controls
            if _waits(statement) or (jumps and numbers.step < 0):
                return
            if level <= 0 and (jumps or flow in _ARMS):
                return
            level += (flow in enters) - (flow in leaves)
            yield statement

    @cached_property
    def _loops(self) -> list[tuple[int, int]]:
        opened, found = list[int](), list[tuple[int, int]]()
        for number, statement in enumerate(self.statements):
            if statement.row.flow is Flow.LOOP:
                opened.append(number)
            elif statement.row.flow is Flow.ENDLOOP and opened:
                found.append((opened.pop(), number))
        return found


@dataclass(frozen=True, slots=True)
class Surprise:
    """A place in the HLSL, and a message about its code.

    `file` is a name as in `Program.hlsl_files`; `line` counts from 1.
    """

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return escaped(f"{self.file}:{self.line}: {self.message}")


def surprises(program: Program) -> list[Surprise]:
    """Find the surprises of a program with debug information.

    Parameters
    ----------
    program : Program
        A program; without `hlsl_files` nothing is found.

    Returns
    -------
    list of Surprise
        One for each barrier, `switch` and loop, by files and lines.
    """
    if not program.hlsl_files:
        return []
    code, found, entry = _Code(program), list[Surprise](), program.hlsl_entry or "main"
    texts = program.hlsl_files
    reads = {name: read for name, text in texts.items() if (read := _read(text)) is not None}
    if code.threads == 1 or not reads:
        return found
    defined = {n: m for text in texts.values() for n, m in macros(text).items()}
    unclear = {n for n, body in defined.items() if _CONTROL.search(f"{n} {body}")}
    for name, read in reads.items():
        if unclear.isdisjoint(_WORD.findall(read.text)):
            rows = [*_barriers(read, name, code), *_switches(read, name, code, entry)]
            rows += _cut_loops(read, name, code, defined.keys())
            found += [Surprise(name, line, message) for line, message in sorted(rows)]
    return found


def may_surprise(texts: Iterable[str], entry: str, program: Program) -> bool:
    """Whether debug information might show a surprise in a program that has none.

    Parameters
    ----------
    texts : iterable of str
        The HLSL, and the files that it includes.
    entry : str
        The entry function.
    program : Program
        The compiled program.

    Returns
    -------
    bool
        True if a barrier is missing, or a `switch` or loop has the form of a surprise.
    """
    reads = [read for read in map(_read, texts) if read is not None]
    called = _called(reads, entry)
    barriers = sum(
        read.function(match.start()) in called for read in reads for match in read.found(_BARRIER)
    )
    if barriers > sum(map(_waits, program.statements)):
        return True
    return any(
        read.function(match.start()) in called
        for read in reads
        for pattern in (_SWITCH, _UNROLL)
        for match in read.found(pattern)
    )


def _read(text: str) -> Outline | None:
    """The text; None if it has nothing that surprises, or cannot be read."""
    if len(text) > LONGEST or not any(mark.decode() in text for mark in MARKS):
        return None
    read = Outline(text)
    return read if read.is_known else None


def _called(reads: Sequence[Outline], entry: str) -> set[str]:
    """The functions that an entry function may call, and "" for text outside of functions."""
    bodies: dict[str, set[str]] = {}
    for read in reads:
        for name, body in read.functions():
            bodies.setdefault(name, set()).update(_WORD.findall(body))
    called, new = set[str](), {entry}
    while new:
        called |= new
        new = {word for name in new for word in bodies.get(name, ())} & bodies.keys() - called
    return called | {""}


def _barriers(text: Outline, file: str, code: _Code) -> Iterator[tuple[int, str]]:
    """The barriers of which no instruction is left, though threads share memory around them."""
    for match in text.found(_BARRIER):
        if not text.is_plain_statement(match.start()) or _is_defined(match[1], text):
            continue
        block, line = text.around(match.start())[0], text.line(match.start())
        inside = code.of(file, block.first + 1, block.last - 1)
        if any(at == line and _waits(statement) for _, at, statement in inside):
            continue
        before = max((number for number, at, _ in inside if at < line), default=None)
        after = min((number for number, at, _ in inside if at > line), default=None)
        if before is None or after is None or before >= after:
            continue
        registers = code.shared_around(before, after)
        if registers:
            memory = "All" if any(name[0] == "u" for name in registers) else "Group"
            message = (
                f"fxc made no instruction of {match[1]}(): threads do not wait here, though the"
                f" code before and after it accesses {' and '.join(registers)};"
                f" {memory}MemoryBarrierWithGroupSync() would stay"
            )
            yield line, message


def _is_defined(name: str, text: Outline) -> bool:
    """Whether a text has a function of this name."""
    return any(match[1] == name for match in _DEFINED.finditer(text.text))


def _switches(text: Outline, file: str, code: _Code, entry: str) -> Iterator[tuple[int, str]]:
    """The switches with one case and no default that run whatever a thread's number is."""
    for match in text.found(_SWITCH):
        around = text.around(match.end())
        if text.function(match.start()) != entry or not _is_input(text, match, code):
            continue
        before = text.text[around[-1].start : match.start()]
        body = text.text[around[0].start + 1 : around[0].end]
        cases = [*_CASE.finditer(body)]
        is_first = len(around) == 2 and not re.search(r"\breturn\b", before)
        if not is_first or len(cases) != 1 or not re.match(r"\s*case\b", body):
            continue
        block = around[0]
        first = text.line(match.start())
        last = text.line(block.start + 1 + max(0, body.find(":", cases[0].end())))
        head = code.of(file, first, last)
        alive = code.of(file, last + 1, block.last - 1)
        if alive and not any(s.row.name in _COMPARES for _, _, s in head):
            message = (
                "fxc made no comparison for this switch with one case and no default: the case"
                f" runs whatever {match[1]} is; write `if`, or add `default: break;`"
            )
            yield first, message


def _is_input(text: Outline, match: re.Match[str], code: _Code) -> bool:
    """Whether a switch's selector is a number of the thread that differs among the threads."""
    function, name = text.around(match.start())[-1], match[1]
    semantics = {m[1]: m[2].lower() for m in _THREAD_INPUT.finditer(text.head(function))}
    semantic = semantics.get(name)
    body = text.text[function.start : function.end]
    declared = any(found[1] == name for found in _AFTER_WORD.finditer(body))
    if semantic not in _INPUTS or declared or _is_changed(name, body):
        return False  # another variable of this name, or another number in it
    axis = "xyz".find(match[2] or "x")
    return semantic in ("sv_dispatchthreadid", "sv_groupid") or code.group[axis] > 1


def _cut_loops(
    text: Outline, file: str, code: _Code, names: Collection[str]
) -> Iterator[tuple[int, str]]:
    """The loops with more rounds than their `[unroll(n)]` says, of which only n are left.

    `names` are those of macros.
    """
    for match in text.found(_UNROLL):
        count, name, start, tested, relation, end, before, after = match.groups()
        if {name} != {tested, before or after} or not text.is_plain_statement(match.start()):
            continue
        block = text.around(match.end())[0]
        rounds = int(end) - int(start) + (relation == "<=")
        body = text.text[block.start + 1 : block.end]
        if rounds <= int(count) or _may_end_early(name, body, names):
            continue
        first, inside = text.line(match.start()), code.of(file, block.first, block.last)
        if inside and not any(s.row.flow is Flow.LOOP for _, _, s in inside):
            message = (
                f"fxc unrolled {count} of this loop's {rounds:,} rounds, and leaves out the others;"
                " other compilers run them all"
            )
            yield first, message


def _may_end_early(name: str, body: str, macros: Collection[str]) -> bool:
    """Whether a loop's body may leave it, or change its counter: also in a function or a macro."""
    words = {*_WORD.findall(body)}
    jumps = {"break", "return", "continue", "discard"}
    calls = re.search(r"\w\s*+\(", body) is not None
    return calls or not words.isdisjoint({*jumps, *macros}) or _is_changed(name, body)


def _is_changed(name: str, text: str) -> bool:
    """Whether a variable, or a component of it, is assigned."""
    return any(name in match.groups() for match in _CHANGED.finditer(text))


def _waits(statement: Statement) -> bool:
    return statement.row.kind is Kind.SYNC and bool(statement.control("threads"))


def _accesses(statements: Iterable[Statement]) -> Iterator[_Access]:
    for statement in statements:
        if statement.row.kind not in (Kind.LOAD, Kind.STORE, Kind.ATOMIC):
            continue
        for operand, spec in zip(statement.operands, statement.specs, strict=False):
            if spec.role not in (Role.RESOURCE, Role.TARGET):
                continue
            if operand.file in (RegisterFile.UAV, RegisterFile.GROUP_SHARED):
                name = f"{operand.file.prefix}{operand.number}"
                yield _Access(name, statement.row.kind is not Kind.LOAD)
