"""Listings rewritten: with all digits of numbers, without instructions that have a tolerance, with
disturbed results, with the threads in reverse order, and for one group alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import translate

_STATEMENT = re.compile(r"(\s*)([a-z]\w*)((?:\([^)]*\))*)(?: \[precise[^]]*\])?(?: (.*))?")
_INPUTS = ("vThreadIDInGroupFlattened", "vThreadIDInGroup", "vThreadGroupID", "vThreadID")
_SATURATED = "_sat"
# Mnemonic -> the lines for it, which every device computes exactly; {d} and {s} are its operands.
_EXACT = {
    "rcp": "mul{sat} {0}, {1}, l(0.75, 0.75, 0.75, 0.75)",
    "rsq": "mul{sat} {0}, {1}, l(0.625, 0.625, 0.625, 0.625)",
    "sqrt": "mul{sat} {0}, {1}, l(0.5, 0.5, 0.5, 0.5)",
    "exp": "mul{sat} {0}, {1}, l(0.5, 0.5, 0.5, 0.5)",
    "log": "mul{sat} {0}, {1}, l(0.25, 0.25, 0.25, 0.25)",
    "div": "mad{sat} {0}, {2}, l(0.125, 0.125, 0.125, 0.125), {1}",
}
# Disturbances of results: relative ones by a product, absolute ones by a sum
_RELATIVE = {
    **{"rcp": 2.0**-20, "rsq": 2.0**-20, "sqrt": 2.0**-22, "div": 2.0**-21, "exp": 2.0**-20},
    **{"mad": 2.0**-23, "dp2": 2.0**-22, "dp3": 2.0**-22, "dp4": 2.0**-22},
    **{"mul": 2.0**-23, "add": 2.0**-23},
}
_SAMPLES = ("sample", "gather4")
_BESIDE = 2.0**-13  # 1/256 of a texel of 32
_ABSOLUTE = {"log": 2.0**-20, "sincos": 2.0**-11, **dict.fromkeys(_SAMPLES, 2.0**-8)}


def listing_of(program: translate.Program) -> str:
    """The program's listing, with numbers as their bits: `%f` loses digits."""
    values = iter([o.values for s in program.statements for o in s.operands if o.values])
    text = re.sub(r"\b[ld]\([^()]*\)", lambda m: f"{m[0][0]}({_bits(next(values))})",
                  translate.disassemble(program))  # fmt: skip
    rows = [s.data for s in program.statements if s.data]
    if rows:
        vectors = (rows[0][n : n + 4] for n in range(0, len(rows[0]), 4))
        block = ", ".join(f"{{ {_bits(vector)} }}" for vector in vectors)
        head = "dcl_immediateConstantBuffer"
        text = re.sub(rf"{head} \{{.*?\}} ?\}}", f"{head} {{ {block} }}", text, flags=re.DOTALL)
    return text


def _bits(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"{n:#010x}" for n in numbers)


def family(mnemonic: str) -> str:
    """The name that tolerances go by: `sample_l_indexable` is a sample, `add_sat` an add."""
    for name in _SAMPLES:
        if mnemonic.startswith(name):
            return name
    return mnemonic.removesuffix(_SATURATED)


def inexact(listing: str) -> list[str]:
    """The families of instructions with a tolerance that a listing has."""
    found = {family(m[2]) for line in listing.splitlines() if (m := _STATEMENT.fullmatch(line))}
    return sorted(found & {*_RELATIVE, *_ABSOLUTE})


def exact(listing: str) -> str:
    """The listing with exact instructions in place of those with a tolerance, none refactored."""
    listing = re.sub(r" \| refactoringAllowed|refactoringAllowed \| ", "", listing)
    listing = re.sub(r"dcl_globalFlags refactoringAllowed\n", "", listing)
    return _changed(listing, _exact_lines)


def _exact_lines(name: str, suffix: str, operands: list[str], spare: str, line: str) -> list[str]:
    sat = _SATURATED if name.endswith(_SATURATED) else ""
    if family(name) == "sincos":
        first, second, source = operands
        lines = [f"mov {spare}.xyzw, {source}"]
        if first != "null":
            lines.append(f"mul{sat} {first}, {spare}.xyzw, l(0.5, 0.5, 0.5, 0.5)")
        if second != "null":
            lines.append(f"frc{sat} {second}, {spare}.xyzw")
        return lines
    pattern = _EXACT.get(family(name))
    return [line] if pattern is None else [pattern.format(*operands, sat=sat)]


def disturbed(listing: str, families: list[str], sign: Callable[[], int]) -> str:
    """The listing with the results of these instructions a little larger or smaller."""

    def lines(name: str, suffix: str, operands: list[str], spare: str, line: str) -> list[str]:
        kind = family(name)
        if kind not in families:
            return [line]
        if kind in _SAMPLES:
            move = sign() * 2.0**-9
            moved = _sampled_at(name, suffix, operands, spare, _four(move))
            return [*moved, *_after(kind, operands[0], sign(), "")]
        sat = _SATURATED if name.endswith(_SATURATED) else ""
        targets = operands[:2] if kind == "sincos" else operands[:1]
        after = [one for t in targets for one in _after(kind, t, sign(), sat)]
        return [line, *after]

    return _changed(listing, lines)


def sampled_beside(listing: str, signs: Sequence[int]) -> str:
    """The listing with the coordinates of samples moved, along each axis by this sign."""
    move = f"l({', '.join(f'{sign * _BESIDE:.9f}' for sign in (*signs, 0))})"

    def lines(name: str, suffix: str, operands: list[str], spare: str, line: str) -> list[str]:
        if family(name) not in _SAMPLES:
            return [line]
        return _sampled_at(name, suffix, operands, spare, move)

    return _changed(listing, lines)


def _sampled_at(name: str, suffix: str, operands: list[str], spare: str, move: str) -> list[str]:
    """A sample whose coordinates have `move` added to them."""
    at = 2 if name.removesuffix("_indexable").endswith("_s") else 1  # after the status
    changed = [*operands[:at], f"{spare}.xyzw", *operands[at + 1 :]]
    return [f"add {spare}.xyzw, {operands[at]}, {move}", f"{name}{suffix} {', '.join(changed)}"]


def _after(kind: str, target: str, sign: int, sat: str) -> list[str]:
    if not target.startswith("r"):
        return []
    if kind in _ABSOLUTE:
        name, number = "add", sign * _ABSOLUTE[kind]
    else:
        name, number = "mul", 1 + sign * _RELATIVE[kind]
    return [f"{name}{sat} {target}, {target.partition('.')[0]}.xyzw, {_four(number)}"]


def _four(number: float) -> str:
    return f"l({', '.join([f'{number:.9f}'] * 4)})"


Three = tuple[int, int, int]


def mirrored(listing: str, groups: Three, group: Three) -> str:
    """The listing in which each thread does the work of the one opposite to it."""
    total = group[0] * group[1] * group[2]
    return _with_inputs(
        listing,
        "iadd {number}.xyz, " + _three(n - 1 for n in groups) + ", -vThreadGroupID.xyzx",
        "iadd {local}.xyz, " + _three(n - 1 for n in group) + ", -vThreadIDInGroup.xyzx",
        "imad {thread}.xyz, {number}.xyzx, " + _three(group) + ", {local}.xyzx",
        f"iadd {{flat}}.x, l({total - 1}), -vThreadIDInGroupFlattened.x",
    )


def alone(listing: str, number: Three, group: Three) -> str:
    """The listing in which the first group does the work of the one with this number."""
    return _with_inputs(
        listing,
        "mov {number}.xyz, " + _three(number),
        "mov {local}.xyz, vThreadIDInGroup.xyzx",
        "imad {thread}.xyz, {number}.xyzx, " + _three(group) + ", {local}.xyzx",
        "mov {flat}.x, vThreadIDInGroupFlattened.x",
    )


def _with_inputs(listing: str, *prologue: str) -> str:
    """The listing with registers in place of its inputs, which the prologue sets."""
    first = _temps(listing)
    names = dict(zip(_INPUTS, (f"r{first + n}" for n in range(4)), strict=True))
    keys = dict(zip(("flat", "local", "number", "thread"), names.values(), strict=True))
    lines, started = list[str](), False
    for line in _with_temps(listing, first + 4).splitlines():
        if line.startswith("dcl_input "):
            continue
        if not started and line.startswith("dcl_thread_group"):
            lines += [f"dcl_input {name}{'' if name == _INPUTS[0] else '.xyz'}" for name in _INPUTS]
            lines += [line, *(one.format(**keys) for one in prologue)]
            started = True
            continue
        for name, register in names.items():
            line = re.sub(rf"\b{name}\b", register, line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def _three(numbers: object) -> str:
    return f"l({', '.join(map(str, numbers))}, 0)"  # type: ignore[call-overload]


_Lines = Callable[[str, str, list[str], str, str], list[str]]


def _changed(listing: str, lines: _Lines) -> str:
    """The listing with each statement replaced by lines, for which a spare register is left."""
    first = _temps(listing)
    made = list[str]()
    for line in _with_temps(listing, first + 1).splitlines():
        match = _STATEMENT.fullmatch(line)
        if match is None or match[2].startswith(("dcl", "cs_")) or match[4] is None:
            made.append(line)
            continue
        operands = _split(match[4])
        made += lines(match[2], match[3], operands, f"r{first}", line)
    return "\n".join(made) + "\n"


def _split(text: str) -> list[str]:
    """Operands; those within parentheses and brackets are one."""
    parts, depth, start = list[str](), 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _temps(listing: str) -> int:
    found = re.search(r"^dcl_temps (\d+)", listing, re.MULTILINE)
    return int(found[1]) if found else 0


def _with_temps(listing: str, count: int) -> str:
    if re.search(r"^dcl_temps", listing, re.MULTILINE):
        return re.sub(r"^dcl_temps \d+", f"dcl_temps {count}", listing, flags=re.MULTILINE)
    return re.sub(r"^dcl_thread_group", f"dcl_temps {count}\ndcl_thread_group", listing,
                  flags=re.MULTILINE)  # fmt: skip
