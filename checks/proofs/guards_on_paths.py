"""Claims about guards that a path's condition makes unneeded: without them all is in bounds too.

Random modules: comparisons with numbers near the memory's length, around an access or before it, in
branches, after exits and in loops. Each is compared before the guards and after folding, which
leaves guards out. Of a loop the first rounds are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from .guards import LAST, ROBUST, claims, text_of
from .proving import Claim

# The number of elements, the resource, the address of an element, whether it can be written
_MEMORIES: dict[str, tuple[int, str, bool]] = {
    "x0 indexable_temp 0 length=5": (5, "{}", True),
    "cb0 constants 0 length=7": (7, "{}", False),
    "g0 shared_structured 0 length=9 stride=4": (9, "{}, 0", True),
    "g0 shared_raw 0 length=60": (60, "{}", True),
    "u0 structured 0 is_uav stride=4": (0, "{}, 0", True),
}
_COMPARISONS = ("ult", "uge", "slt", "sge", "ieq", "ine")
_PLACES = ("in", "else", "after an exit", "after", "in a loop", "after a loop's exit")


class _Writer:
    """The text of a module's body, in the making."""

    def __init__(self, random: Random, resource: str) -> None:
        self.random, self.resource = random, resource
        self.length, self.address, self.writable = _MEMORIES[resource]
        self.lines: list[str] = []
        self.last = 30
        self.count = self.value("element_count (u0)") if not self.length else ""

    def value(self, text: str, type_: str = "u32") -> str:
        self.last += 1
        self.lines.append(f"  %{self.last}: {type_} = {text}")
        return f"%{self.last}"

    def limit(self) -> str:
        """A number that is about the length."""
        if self.count and self.random.random() < 0.8:
            return self.count
        near = max(self.length, 2) + self.random.choice((-2, -1, 0, 0, 0, 1))
        return str(self.random.choice((near, near, near, 3, 0x80000000)))

    def condition(self, subject: str) -> str:
        random = self.random
        operands = [subject, self.limit()]
        if random.random() < 0.2:
            operands.reverse()
        found = self.value(f"{random.choice(_COMPARISONS)} {', '.join(operands)}", "bool")
        way = random.choice(("", "", "", "lnot", "land", "lor"))
        if way == "lnot":
            return self.value(f"lnot {found}", "bool")
        if way:
            other = self.value(f"ult {random.choice((subject, '%1'))}, {self.limit()}", "bool")
            return self.value(f"{way} {found}, {other}", "bool")
        return found

    def index(self, subject: str) -> str:
        """The subject, or a number that has to do with it."""
        way = self.random.choice(("", "", "", "iadd", "isub", "iand", "ushr", "umin", "ixor"))
        if not way:
            return subject
        other = self.random.choice(("1", "2", "7", "%1"))
        return self.value(f"{way} {subject}, {'1' if way == 'ushr' else other}")

    def access(self, subject: str) -> None:
        name, index = self.resource.split()[0], self.index(subject)
        address = self.address.format(index)
        if self.writable and self.random.random() < 0.5:
            self.lines.append(f"  store {address}, 5 ({name}.0)")
        else:
            loaded = self.value(f"load {address} ({name}.0)")
            self.lines.append(f"  store {self.random.choice(('0', '4'))}, {loaded} (u9.0)")

    def branch(self, condition: str, one: Sequence[str], other: Sequence[str]) -> None:
        """Each block is lines; `access` stands for an access."""
        for opening, block in ((f"  if {condition} {{", one), ("  } else {", other)):
            self.lines.append(opening)
            for line in block:
                if line.startswith("access"):
                    self.access(line.partition(" ")[2])
                elif line.startswith("nested"):
                    subject = line.partition(" ")[2]
                    self.branch(self.condition(subject), [f"access {subject}", "yield"], ["yield"])
                else:
                    self.lines.append(f"  {line}")
        self.lines.append("  }")


def _body(resource: str, place: str, seed: int) -> str:
    random = Random(f"{resource} {place} {seed}")
    writer = _Writer(random, resource)
    subject = random.choice(("%0", "%0", writer.value(f"iand %0, {random.choice((3, 15))}")))
    inner = random.choice(("access", "access", "nested"))
    if place.endswith(("loop", "loop's exit")):
        _loop(writer, place, subject)
    elif place == "in":
        writer.branch(writer.condition(subject), [f"{inner} {subject}", "yield"], ["yield"])
    elif place == "else":
        writer.branch(writer.condition(subject), ["yield"], [f"{inner} {subject}", "yield"])
    else:
        end = "return" if place == "after an exit" else "yield"
        blocks = [[end], ["yield"]]
        random.shuffle(blocks)
        writer.branch(writer.condition(subject), *blocks)
        writer.access(subject)
    if resource.startswith(("x0", "g0")):  # show its contents
        loaded = writer.value(f"load {writer.address.format('%1')} ({resource.split()[0]}.0)")
        writer.lines.append(f"  store 8, {loaded} (u9.0)")
    return "\n".join(writer.lines) + "\n"


def _loop(writer: _Writer, place: str, first: str) -> None:
    """A counter that is accessed in each round, after the exit, before it, or after the loop."""
    writer.last += 1
    carried = f"%{writer.last}"
    writer.lines.append(f"  loop {writer.random.choice((first, '0', '1'))} ({carried}: u32) {{")
    if writer.random.random() < 0.3:
        writer.access(carried)
    blocks = [["break"], ["yield"]]
    if writer.random.random() < 0.2:
        blocks.reverse()
    writer.branch(writer.condition(carried), *blocks)
    if place == "in a loop":
        writer.access(carried)
    following = writer.value(f"iadd {carried}, {writer.random.choice(('1', '1', '2', '4', '%1'))}")
    writer.lines += [f"  continue {following}", "  }"]
    if place != "in a loop":
        writer.access(carried)


def of_paths(count: int = 10, first_seed: int = 0) -> Iterator[Claim]:
    """For each memory and place, so many random modules."""
    for resource in _MEMORIES:
        for place in _PLACES:
            for seed in range(first_seed, first_seed + count):
                text = text_of(resource, _body(resource, place, seed))
                robust = {
                    shown: features
                    for shown, features in ROBUST.items()
                    if shown != ", exact" or resource.startswith("u0")
                }
                yield from claims(f"access {place} of {resource}, {seed}", text, robust, (LAST,))
