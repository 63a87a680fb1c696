"""What a debugger sees of a module: its files, its functions, and each instruction's source line.

A reader that is independent of the emitter, by the numbers of the specifications: SPIR-V §3.52
and NonSemantic.Shader.DebugInfo.100.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import translate

SET = "NonSemantic.Shader.DebugInfo.100"
NAME, STRING, LINE, EXTENSION, IMPORT, EXT_INST, ENTRY_POINT = 5, 7, 8, 10, 11, 12, 15
CONSTANT, FUNCTION, PARAMETER, FUNCTION_END, VARIABLE = 43, 54, 55, 56, 59
LOAD, STORE, ACCESS_CHAIN, ARRAY_LENGTH, PHI, LABEL = 61, 62, 65, 68, 245, 248
MERGES, TERMINATORS = (246, 247), (249, 250, 251, 253, 254, 255)
UNIT, TYPE_FUNCTION, GLOBAL, DEBUG_FUNCTION, SCOPE = 1, 8, 18, 20, 23
SOURCE, DEFINITION, CONTINUED, DEBUG_LINE, ENTRY = 35, 101, 102, 103, 107
ARTIFICIAL = 1 << 5


@dataclass(frozen=True)
class Place:
    """A line of a file, by its name."""

    file: str
    line: int


@dataclass(frozen=True)
class Instruction:
    """One instruction of a function: its operands, and its source line by DebugLine and OpLine."""

    op: int
    words: tuple[int, ...]
    function: int
    scope: int | None
    place: Place | None
    op_line: Place | None


@dataclass
class Module:
    """The contents of a module's sections; debug instructions are their operands, by id."""

    strings: dict[int, str] = field(default_factory=dict[int, str])
    names: dict[int, str] = field(default_factory=dict[int, str])
    constants: dict[int, int] = field(default_factory=dict[int, int])
    extensions: set[str] = field(default_factory=set[str])
    sets: dict[int, str] = field(default_factory=dict[int, str])
    entry_points: list[int] = field(default_factory=list[int])
    debug: dict[int, tuple[int, tuple[int, ...]]] = field(
        default_factory=dict[int, tuple[int, tuple[int, ...]]]
    )
    texts: dict[str, str] = field(default_factory=dict[str, str])
    definitions: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    body: list[Instruction] = field(default_factory=list[Instruction])

    def operands(self, instruction: int) -> list[tuple[int, ...]]:
        """The operands of all debug instructions of a kind."""
        return [operands for kind, operands in self.debug.values() if kind == instruction]

    def function_name(self, function: int) -> str:
        """The source's name of an OpFunction."""
        (scope,) = self.definitions[function]
        kind, operands = self.debug[scope]
        assert kind == DEBUG_FUNCTION
        return self.strings[operands[0]]

    def is_artificial(self, function: int) -> bool:
        """Whether an OpFunction has no counterpart in the source."""
        (scope,) = self.definitions[function]
        return bool(self.constants[self.debug[scope][1][7]] & ARTIFICIAL)

    def place(self, source: int, line: int) -> Place:
        """A place by the ids of a DebugSource and of a constant."""
        kind, operands = self.debug[source]
        assert kind == SOURCE
        return Place(self.strings[operands[0]], self.constants[line])


def read(words: Sequence[int]) -> Module:
    """A module's debug information."""
    module = Module()
    assert words[0] == 0x07230203
    stream = [*instructions(words)]
    start = next((i for i, (op, _) in enumerate(stream) if op == FUNCTION), len(stream))
    last = 0
    for op, rest in stream[:start]:
        last = _declare(module, op, rest, last)
    _Walk(module).run(stream[start:])
    return module


def read_made(program: translate.Program, options: translate.Options) -> Module:
    """The debug information of a program's translation."""
    return read(translate.to_spirv(program, options).words.tolist())


def instructions(words: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The opcode and the operands of each."""
    at = 5
    while at < len(words):
        count = words[at] >> 16
        assert count > 0
        yield words[at] & 0xFFFF, tuple(words[at + 1 : at + count])
        at += count
    assert at == len(words)


def _text(words: Sequence[int]) -> str:
    data = b"".join(word.to_bytes(4, "little") for word in words)
    return data[: data.index(0)].decode()


def _declare(module: Module, op: int, rest: tuple[int, ...], last: int) -> int:
    """Read an instruction outside of functions; returns the source whose text may continue."""
    if op == STRING:
        module.strings[rest[0]] = _text(rest[1:])
    elif op == NAME:
        module.names[rest[0]] = _text(rest[1:])
    elif op == EXTENSION:
        module.extensions.add(_text(rest))
    elif op == IMPORT:
        module.sets[rest[0]] = _text(rest[1:])
    elif op == ENTRY_POINT:
        module.entry_points.append(rest[1])
    elif op == CONSTANT:
        module.constants[rest[1]] = rest[2]
    elif op == EXT_INST and module.sets[rest[2]] == SET:
        return _debug(module, rest, last)
    return 0


def _debug(module: Module, rest: tuple[int, ...], last: int) -> int:
    number, kind, operands = rest[1], rest[3], rest[4:]
    if kind not in (TYPE_FUNCTION, GLOBAL):  # which refer to a type and a variable
        for operand in operands:  # there are no forward references
            assert any(operand in m for m in (module.strings, module.constants, module.debug))
    if kind == CONTINUED:
        assert last, "nothing is continued"
        name = module.strings[module.debug[last][1][0]]
        module.texts[name] += module.strings[operands[0]]
        return last
    module.debug[number] = (kind, operands)
    if kind == SOURCE and len(operands) > 1:
        module.texts[module.strings[operands[0]]] = module.strings[operands[1]]
        return number
    return 0


@dataclass
class _Walk:
    """Walks through functions with the current scope, line and OpLine."""

    module: Module
    function: int = 0
    in_block: bool = False
    scope: int | None = None
    line: Place | None = None
    op_line: Place | None = None
    merged: bool = False

    def run(self, stream: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        for op, rest in stream:
            if op == FUNCTION:
                self.function = rest[1]
                self.module.definitions[self.function] = []
            elif op == LABEL:
                self.scope = self.line = self.op_line = None
                self.in_block, self.merged = True, False
            elif op == LINE:
                assert not self.merged, "a merge stands right before its branch"
                self.op_line = Place(self.module.strings[rest[0]], rest[1])
            elif op == EXT_INST and self.module.sets.get(rest[2]) == SET:
                self._debug(rest[3], rest[4:])
            elif op not in (PARAMETER, FUNCTION_END):
                self._instruction(op, rest)

    def _debug(self, kind: int, operands: tuple[int, ...]) -> None:
        assert self.in_block
        assert not self.merged
        if kind == DEFINITION:
            assert operands[1] == self.function
            self.module.definitions[self.function].append(operands[0])
        elif kind == SCOPE:
            self.scope = operands[0]
        else:
            assert kind == DEBUG_LINE, kind
            source, first, last, column, end = operands
            constants = self.module.constants
            assert constants[first] == constants[last]
            assert constants[column] <= constants[end]
            self.line = self.module.place(source, first)

    def _instruction(self, op: int, rest: tuple[int, ...]) -> None:
        assert self.in_block
        self.merged = op in MERGES
        if op not in (PHI, VARIABLE):
            self.module.body.append(
                Instruction(op, rest, self.function, self.scope, self.line, self.op_line)
            )
        if op in TERMINATORS:
            self.in_block = False
