"""A stand-in for fxc on machines that have none: `python fxc.py OPTIONS SOURCE`.

It reads fxc's command line, `#include`, `#define` and /D, and prints errors in fxc's form. Its
containers were made by the real fxc: for shaders/NAME.hlsl the container next to it; for a source
with `values[id.x] * FACTOR + N`, with numbers for both names, one of `data/`; for a source that
record.py has recorded, the container or the messages of `data/recorded`. A comment
`// stand-in: WORD` makes it misbehave.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "hlsl" / "data"
RECORDED = DATA / "recorded"
FLAGS = ("nologo", "Od", "O0", "O1", "O2", "O3", "Zi", "Zpr", "Zpc", "Gis", "WX")
VALUES = {"T": "profile", "E": "entry", "Fo": "output"}
MARK = "\ufeff".encode().decode("latin-1")
EXPRESSION = re.compile(r"values\[id\.x\] \* (\w+) \+ (\w+)")
FUNCTION = re.compile(r"\bvoid (\w+)\(.*?\n\}", re.DOTALL)


@dataclass
class Given:
    """The command line."""

    source: str = ""
    output: str = ""
    entry: str = "main"
    profile: str = ""
    macros: dict[str, str] = field(default_factory=dict[str, str])
    folders: list[str] = field(default_factory=list[str])
    flags: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Line:
    """A line of the source or of a file that it includes."""

    file: str
    number: int
    text: str


class Refused(Exception):
    """A message, in fxc's form."""


def at(line: Line, start: int, end: int, text: str) -> Refused:
    columns = f"{start + 1}" if end <= start + 1 else f"{start + 1}-{end}"
    return Refused(f"{line.file}({line.number},{columns}): {text}")


def parse(words: list[str]) -> Given:
    made, rest = Given(), iter(words)
    for word in rest:
        name = word[1:]
        if word[0] not in "/-":
            made.source = word
        elif name in VALUES:
            setattr(made, VALUES[name], next(rest))
        elif name == "I":
            made.folders.append(next(rest))
        elif name == "D":
            macro, _, value = next(rest).partition("=")
            made.macros[macro] = value
        elif name in FLAGS:
            made.flags.append(name)
        else:
            raise Refused(f"Unknown or invalid option {word}")
    return made


def expand(given: Given, path: str, name: str, text: str) -> Iterator[Line]:
    """The lines, with those of included files; macros are collected on the way."""
    number = 0
    for row in text.split("\n"):
        number += 1
        if match := re.match(r'#line (\d+) "(.*)"', row):
            number, name = int(match[1]) - 1, match[2]
        elif match := re.match(r'\s*#include "(.*)"', row):
            yield from included(given, path, Line(name, number, row), match)
        elif match := re.match(r"\s*#define (\w+) (\S+)", row):
            given.macros[match[1]] = match[2]
        elif match := re.match(r"\s*#(error) (.*)", row):
            raise at(Line(name, number, row), match.start(1), match.end(1), f"error: {match[2]}")
        else:
            yield Line(name, number, row)


def included(given: Given, path: str, line: Line, match: re.Match[str]) -> Iterator[Line]:
    for folder in (os.path.dirname(path), *given.folders):
        found = os.path.join(folder, match[1])
        if os.path.isfile(found):
            text = Path(found).read_text(encoding="latin-1")
            if text.startswith(MARK):
                illegal = "error X3000: Illegal character in shader file"
                raise at(Line(match[1], 1, text), 0, 1, illegal)
            yield from expand(given, found, match[1], text)
            return
    message = f"error X1507: failed to open source file: '{match[1]}'"
    raise at(line, match.start(1) - 1, match.end(1) + 1, message)


def expression(given: Given, lines: list[Line]) -> tuple[str, str]:
    """FACTOR and N in the entry point, as numbers."""
    text = "\n".join(line.text for line in lines)
    text = re.sub("^#if 0$.*?^#endif$", "", text, flags=re.DOTALL | re.MULTILINE)
    bodies = {match[1]: match for match in FUNCTION.finditer(text)}
    if given.entry not in bodies:
        raise Refused(f"error X3501: '{given.entry}': entrypoint not found")
    first = text.count("\n", 0, bodies[given.entry].start())
    for line in lines[first:]:
        if match := EXPRESSION.search(line.text):
            return number(given, line, match, 1), number(given, line, match, 2)
    raise Refused("internal error: the stand-in knows no other shaders")


def number(given: Given, line: Line, match: re.Match[str], group: int) -> str:
    name = match[group]
    value = given.macros.get(name, name)
    if not value.isdecimal():
        start = len(line.text[: match.start(group)].encode("latin-1"))
        message = f"error X3004: undeclared identifier '{name}'"
        raise at(line, start, start + len(name), message)
    return value


def warnings(lines: list[Line]) -> Iterator[str]:
    for line in lines:
        if match := re.search(r"values\[id\.x\] = uint2\(\d, \d\)", line.text):
            message = "warning X3206: implicit truncation of vector type"
            yield str(at(line, match.start(), match.end(), message))


def name_of(given: Given, text: str) -> str:
    """The name of a source's recording, which does not depend on its position in the file."""
    flags = sorted(set(given.flags) - {"nologo"})
    row = (given.profile, given.entry, sorted(given.macros.items()), flags, text.split())
    return hashlib.sha256(repr(row).encode()).hexdigest()[:16]


def first_line(text: str) -> int:
    """The number of the first line that is not blank; recorded messages are relative to it."""
    return len(text) - len(text.lstrip("\n"))


def container(given: Given, text: str) -> bytes:
    """The container of a source. Raises Refused."""
    head, _, own = text.partition("\n")
    plain = replace(given, flags=[flag for flag in given.flags if flag != "Zi"])
    for recorded in (RECORDED / name_of(one, own) for one in (given, plain)):
        if recorded.with_suffix(".dxbc").exists():
            return recorded.with_suffix(".dxbc").read_bytes()
    recorded = RECORDED / name_of(plain, own)  # debug information changes neither code nor messages
    if recorded.with_suffix(".txt").exists():
        name = head.split('"')[1]
        raise Refused(moved(recorded.with_suffix(".txt").read_text(), name, first_line(own)))
    for path in sorted((ROOT / "shaders").glob("*.hlsl")):
        if path.read_text(encoding="utf-8") == own:
            if given.entry != "main":
                raise Refused(f"error X3501: '{given.entry}': entrypoint not found")
            return path.with_suffix(".dxbc").read_bytes()
    lines = list(expand(given, given.source, given.source, text))
    for message in warnings(lines):
        print(message, file=sys.stderr)
    factor, addend = expression(given, lines)
    return (DATA / f"scale-{factor}-{addend}.dxbc").read_bytes()


def moved(messages: str, name: str, lines: int) -> str:
    """Messages for a file of this name, with line numbers moved by `lines`."""

    def place(match: re.Match[str]) -> str:
        return f"{name}({int(match[1]) + lines},"

    return re.sub(r"^[^\n(]*\((\d+),", place, messages.strip(), flags=re.MULTILINE)


def misbehave(word: str) -> None:
    if word == "die":
        os.abort()
    said, code = {
        "say nothing": ("", 3),
        "make nothing": ("", 0),
        "speak latin": ("error X9999: élément inattendu\n", 1),
        "say something": ("the licence of this program has ended\n", 7),
    }[word]
    sys.stderr.buffer.write(said.encode("latin-1"))
    sys.exit(code)


def main(words: list[str]) -> int:
    if log := os.environ.get("STAND_IN_LOG"):
        with open(log, "a", encoding="utf-8") as file:
            print(words, file=file)
    try:
        given = parse(words)
        text = Path(given.source).read_bytes().decode("latin-1")
        if match := re.search(r"// stand-in: (.*)", text):
            misbehave(match[1].strip())
        data = container(given, text)
    except Refused as refused:
        print(f"{refused}\n\ncompilation failed; no code produced", file=sys.stderr)
        return 1
    Path(given.output).write_bytes(data)
    print(f"compilation object save succeeded; see {given.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
