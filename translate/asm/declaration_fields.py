"""Parse declarations: one reader for each field that a row's `syntax` names.

`operand_text` prints them. Only the immediate constant buffer has several lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from translate.asm.doubts import Doubts
from translate.asm.lines import Fault, Line
from translate.asm.literals import LiteralError, parse_dword, parse_integer
from translate.asm.operand_text import NO_FLAGS, RANGE_FILES, UNBOUNDED, extra_names, syntax_of
from translate.asm.operands import read_operand
from translate.dataclass import dataclass, field
from translate.errors import AssemblyError, shown
from translate.isa.declarations import (
    GLOBAL_FLAGS,
    SAMPLE_COUNT_BITS,
    SAMPLE_COUNT_SHIFT,
    SAMPLER_MODE_SHIFT,
)
from translate.isa.instruction import Instruction, misfit
from translate.isa.registers import (
    RETURN_TYPES_BY_NAME,
    SAMPLER_MODES,
    Index,
    Operand,
    RegisterFile,
    ReturnType,
    SamplerMode,
    Selection,
)

_SAMPLER_MODES_BY_NAME = {mode.printed: mode for mode in SAMPLER_MODES.values()} | {
    "comparisonMode": SamplerMode.COMPARISON  # vkd3d-compiler
}
_FLAGS_BY_NAME = {name: bit for bit, name in GLOBAL_FLAGS}
_RETURN_TYPES = RETURN_TYPES_BY_NAME | {"int": ReturnType.SINT}  # vkd3d-compiler
_RANGE_PREFIXES = {file.prefix.upper(): file for file in RANGE_FILES}
_LISTED = re.compile(r"\s*([a-z]{2})(\w*)\s*")
# For each field: its pattern, and its description in errors
_NUMBER = r"([-+]?\w+)"
_PATTERNS: dict[str, tuple[str, str]] = {
    "number": (_NUMBER, "a number for its {name}"),
    "samples": (rf"(?:\(\s*{_NUMBER}\s*\))?", "a number of samples"),
    "returns": (r"\(([^()]*)\)", "four return types in parentheses"),
    "register": (
        r"(([A-Za-z_]+)-?\d*((?:\[[^\[\]]*\])*)(?:\.\w*)?(?: *\{ *\w+ *\})?)",
        "a register",
    ),
    "access": (r"(\w+)", "immediateIndexed or dynamicIndexed"),
    "sampler_mode": (r"(?:,\s*(mode_\w+|comparisonMode))?", "a sampler mode"),
    "space": (rf"(?:,\s*space\s*=\s*{_NUMBER})?", "a register space"),
    "flags": (r"(.*)", "global flags"),
    "call_sites": (rf"\[\s*{_NUMBER}\s*\]\s*\[\s*{_NUMBER}\s*\]", "[array length][call sites]"),
    "bodies": (r"\{([^{}]*)\}", "a list of function bodies"),
    "tables": (r"\{([^{}]*)\}", "a list of function tables"),
}
# a brace, a comma, or a number
_TOKEN = re.compile(r"[{},]|[^\s{},]+")
_COMPONENTS = 4
Report = Callable[[Fault, int], AssemblyError]


@dataclass(slots=True)
class Draft:
    """A declaration while it is parsed.

    `dwords` holds the immediate dwords after the operand by name.
    """

    row: Instruction
    ranges: bool
    controls: int
    operands: tuple[Operand, ...] = ()
    dwords: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def extra(self) -> tuple[int, ...]:
        """The immediate dwords in the row's order."""
        names = extra_names(self.row, self.ranges)
        return tuple(word for name in names for word in self.dwords.get(name, (0,)))


Reader = Callable[[Draft, re.Match[str], str], None]


def read_declaration(draft: Draft, text: str, position: int) -> None:
    """Parse the text after the mnemonic into the draft. Raises Fault."""
    for pattern, name, expected in _steps(draft.row):
        match = pattern.match(text, position)
        if match is None:
            rest = text[position:].strip()
            found = shown(rest) if rest else "the line's end"
            at = min(position + len(text[position:]) - len(text[position:].lstrip()), len(text))
            raise Fault(f"expected {expected}, found {found}", at, max(1, len(rest)))
        position = match.end()
        if name is not None:
            _reader(name)(draft, match, name)
    rest = text[position:]
    if rest.strip():
        start = position + len(rest) - len(rest.lstrip())
        extra = rest.strip()
        raise Fault(f"unexpected {shown(extra)} after {draft.row.name}", start, len(extra))


@lru_cache(None)
def _steps(row: Instruction) -> tuple[tuple[re.Pattern[str], str | None, str], ...]:
    """The parts to match in order: a pattern, the field it fills, its name in errors."""
    steps: list[tuple[re.Pattern[str], str | None, str]] = []
    for text, name in syntax_of(row):
        if text.strip() and text != "_":
            words = [r"\s*" + re.escape(word) for word in text.split()]
            steps.append((re.compile("".join(words)), None, repr(text.strip())))
        if name is not None and not _is_in_mnemonic(row, name):
            pattern, expected = _PATTERNS.get(name, _PATTERNS["number"])
            shown_name = expected.format(name=name.replace("_", " "))
            steps.append((re.compile(rf"\s*{pattern}"), name, shown_name))
    return tuple(steps)


def _is_in_mnemonic(row: Instruction, name: str) -> bool:
    """Whether the field is a suffix of the mnemonic, which `instruction_text` has parsed."""
    if name == "dimension":
        return True
    return any(c.name == name and c.suffixes[1].startswith("_") for c in row.controls)


def _reader(name: str) -> Reader:
    return _READERS.get(name, _read_number)


def _integer(text: str, start: int) -> int:
    try:
        return parse_integer(text.strip())
    except LiteralError as error:
        raise Fault(str(error), start, max(1, len(text))) from None


def _read_number(draft: Draft, match: re.Match[str], name: str) -> None:
    draft.dwords[name] = (_integer(match[1], match.start(1)),)


def _read_samples(draft: Draft, match: re.Match[str], name: str) -> None:
    if match[1] is None:
        return
    count = _integer(match[1], match.start(1))
    if count >= 1 << SAMPLE_COUNT_BITS:
        raise Fault(f"{count} samples are too many for a token", match.start(1), len(match[1]))
    draft.controls |= count << SAMPLE_COUNT_SHIFT


def _read_returns(draft: Draft, match: re.Match[str], name: str) -> None:
    draft.dwords[name] = (returns_token(match[1], match.start(1)),)


def returns_token(text: str, start: int) -> int:
    """The dword of four return types, with x in the lowest four bits."""
    names = text.split(",", 4)
    if len(names) != 4:
        raise Fault(f"expected four return types, found {len(names)}", start, max(1, len(text)))
    token = 0
    for i, name in enumerate(names):
        kind = _RETURN_TYPES.get(name.strip())
        number = kind.number if kind else _return_number(name, start)
        token |= number << 4 * i
        start += len(name) + 1
    return token


def _return_number(name: str, start: int) -> int:
    text = name.strip()
    if not text.isdecimal() or len(text) > 2 or int(text) > 15:
        known = ", ".join(RETURN_TYPES_BY_NAME)
        raise Fault(f"unknown return type {shown(text)}; there are {known}", start, len(name) or 1)
    return int(text)


def _read_register(draft: Draft, match: re.Match[str], name: str) -> None:
    operand = _register(draft, match)
    fault = misfit(draft.row, draft.row.operands[0], operand, draft.ranges)
    if fault is not None:
        raise Fault(fault, match.start(1), len(match[1]))
    draft.operands = (operand,)


def _register(draft: Draft, match: re.Match[str]) -> Operand:
    text, start = match[1], match.start(1)
    prefix, brackets = match[2], match[3]
    file = _RANGE_PREFIXES.get(prefix.upper()) if prefix.upper() == "CB" else None
    if draft.ranges:
        file = _RANGE_PREFIXES.get(prefix.upper())
    if file is None:
        return read_operand(text, start, True, draft.ranges)
    if draft.ranges:
        text = text.removesuffix(".xyzw")  # vkd3d-compiler prints the swizzle without a meaning
    number = text[len(prefix) : len(text) - len(brackets)]
    if re.fullmatch(r"-?\d+", number) is None:
        raise Fault(f"expected a number after {prefix}, found {shown(text)}", start, len(text))
    inner = brackets[1:-1].split("][") if brackets else []
    sized = file is RegisterFile.CONSTANT_BUFFER
    if len(inner) != sized + draft.ranges:
        form = f"{prefix}#" + "[first:last]" * draft.ranges + "[size]" * sized
        raise Fault(f"expected {form}, found {shown(text)}", start, len(text))
    at = match.start(3) + 1
    indices = [_integer(number, start + len(prefix))]
    if draft.ranges:
        indices += _range(inner[0], at)
        if sized:
            draft.dwords["size"] = (_integer(inner[1], at + len(inner[0]) + 2),)
    else:
        indices += [_integer(size, at) for size in inner]
    return _declared(file, indices, (start + 1, len(text)), sized or draft.ranges)


def _declared(
    file: RegisterFile, indices: list[int], span: tuple[int, int], swizzled: bool
) -> Operand:
    """The operand of a declaration.

    Constant buffers and all ranges are `swizzled`: they get a swizzle, as fxc gives them, which has
    no meaning.
    """
    return Operand(
        file,
        4 if swizzled else 0,
        Selection.SWIZZLE if swizzled else Selection.MASK,
        indices=tuple(Index(i) for i in indices),
        text_span=span,
    )


def _range(text: str, start: int) -> list[int]:
    """Parse `first:last`; `*` as `last` means unbounded."""
    first, colon, last = text.partition(":")
    if not colon:
        raise Fault(f"expected first:last, found {shown(text)}", start, max(1, len(text)))
    upper = UNBOUNDED if last.strip() == "*" else _integer(last, start + len(first) + 1)
    return [_integer(first, start), upper]


def _read_access(draft: Draft, match: re.Match[str], name: str) -> None:
    control = next(c for c in draft.row.controls if c.name == name)
    if match[1] not in control.suffixes:
        names = " or ".join(control.suffixes)
        raise Fault(f"expected {names}, found {shown(match[1])}", match.start(1), len(match[1]))
    draft.controls |= control.suffixes.index(match[1]) << control.shift


def _read_sampler_mode(draft: Draft, match: re.Match[str], name: str) -> None:
    if match[1] is None:
        return
    mode = _SAMPLER_MODES_BY_NAME.get(match[1])
    if mode is None:
        known = ", ".join(mode.printed for mode in SAMPLER_MODES.values())
        message = f"unknown sampler mode {shown(match[1])}; there are {known}"
        raise Fault(message, match.start(1), len(match[1]))
    draft.controls |= mode.number << SAMPLER_MODE_SHIFT


def _read_space(draft: Draft, match: re.Match[str], name: str) -> None:
    if match[1] is None:
        return
    if not draft.ranges:
        raise Fault("register spaces need cs_5_1", match.start(), len(match[0]))
    draft.dwords[name] = (_integer(match[1], match.start(1)),)


def _read_flags(draft: Draft, match: re.Match[str], name: str) -> None:
    at = match.start(1)
    for part in match[1].split("|"):
        flag = part.strip()
        if flag not in _FLAGS_BY_NAME and flag not in ("", NO_FLAGS):
            start = at + len(part) - len(part.lstrip())
            raise Fault(f"unknown global flag {shown(flag)}", start, len(flag))
        draft.controls |= 1 << _FLAGS_BY_NAME[flag] if flag in _FLAGS_BY_NAME else 0
        at += len(part) + 1


def _read_call_sites(draft: Draft, match: re.Match[str], name: str) -> None:
    """Parse `[array length][call sites]`; in the container, the call sites come first."""
    length, sites = _integer(match[1], match.start(1)), _integer(match[2], match.start(2))
    if length > 0xFFFF:
        message = f"an array has at most 65535 interfaces, found {length}"
        raise Fault(message, match.start(1), len(match[1]))
    draft.dwords[name] = (sites, length)


def _read_list(draft: Draft, match: re.Match[str], name: str) -> None:
    """Parse `{fb0, fb2}`; `{}` is empty."""
    file = RegisterFile.FUNCTION_BODY if name == "bodies" else RegisterFile.FUNCTION_TABLE
    numbers: list[int] = []
    at = match.start(1)
    for part in match[1].split(",") if match[1].strip() else []:
        item = _LISTED.fullmatch(part)
        if item is None or item[1] != file.prefix:
            raise Fault(f"expected {file.prefix}#, found {shown(part)}", at, max(1, len(part)))
        numbers.append(_integer(item[2], at + item.start(2)))
        at += len(part) + 1
    draft.dwords[name] = tuple(numbers)


_READERS: dict[str, Reader] = {
    "samples": _read_samples,
    "returns": _read_returns,
    "register": _read_register,
    "access": _read_access,
    "sampler_mode": _read_sampler_mode,
    "space": _read_space,
    "flags": _read_flags,
    "call_sites": _read_call_sites,
    "bodies": _read_list,
    "tables": _read_list,
}


def read_vectors(
    code: list[Line], index: int, position: int, report: Report, doubts: Doubts
) -> tuple[tuple[int, ...], int]:
    """The dwords of `{ { a, b, c, d}, ... }`, and the index of the code line after them.

    Reading begins at `position` in `code[index]`. Errors and warnings of rounded numbers name the
    lines where they occur.
    """
    data: list[int] = []
    depth = count = 0
    first = index
    while index < len(code):
        line = code[index]
        start = position if index == first else line.start
        for token in _TOKEN.finditer(line.text, start):
            text = token[0]
            if text == "{":
                depth += 1
                count = 0
            elif text == "}":
                depth -= 1
            at = token.start()
            fault = _misplaced(text, depth, count, at)
            if fault is not None:
                raise report(fault, line.number)
            if text not in ("{", "}", ","):
                data.append(_dword(text, at, line, report))
                doubts.check_entry(text, at, line.number)
                count += 1
            if text == "}" and depth == 0:
                rest = line.text[token.end() :].strip()
                if rest:
                    raise report(Fault(f"unexpected {shown(rest)}", token.end()), line.number)
                return tuple(data), index + 1
        index += 1
    raise Fault(
        "the immediate constant buffer is not closed by '}'",
        code[first].start,
        position - code[first].start,
    )


def _misplaced(text: str, depth: int, count: int, at: int) -> Fault | None:
    """The fault of a token, or None: braces have two levels, the inner ones four numbers."""
    if text == "{" and depth > 2:
        return Fault("braces nest at most twice", at)
    if text == "}" and depth == 1 and count != _COMPONENTS:
        return Fault(f"a vector has {_COMPONENTS} components, found {count}", at)
    if text not in ("{", "}", ",") and depth != 2:
        return Fault(f"expected a vector in braces, found {shown(text)}", at, len(text))
    if text == "," and depth == 0:
        return Fault("expected '{'", at)
    return None


def _dword(text: str, at: int, line: Line, report: Report) -> int:
    try:
        return parse_dword(text)
    except LiteralError as error:
        raise report(Fault(str(error), at, len(text)), line.number) from None
