"""Parse classes, instances and interface slots in fxc's header comment; IFCE has the same data.

    // Available Class Types:
    //
    // Name                             ID CB Stride Texture Sampler
    // ------------------------------ ---- --------- ------- -------
    // Mul                               0         1       0       0
    //
    // Available Class Instances:
    //
    // Name                        Type CB CB Offset Texture Sampler
    // --------------------------- ---- -- --------- ------- -------
    // gMul[2]                        0  0         1       -       -
    //
    // Interface slots, 3 total:
    //
    //             Slots
    // +----------+---------+---------------------------------------
    // | Type ID  |   1-3   |0    1
    // | Table ID |         |2    3
    // +----------+---------+---------------------------------------

A line has eight classes. Of more classes, Microsoft's disassembler drops every ninth; it is
restored if the numbers before and after it differ by two. Text in another form is skipped. Source:
listings of fxc 10.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from translate.linkage import ClassInstance, ClassType, InterfaceSlots, Linkage

_TYPES, _INSTANCES = "Available Class Types:", "Available Class Instances:"
_SLOTS = re.compile(r"Interface slots, \d+ total:")
_NAME = re.compile(r"(\S+?)(?:\[(\d{1,5})\])?")
_ROW = re.compile(r"\|\s*+(Type|Table) ID\s*+\|\s*+(?:(\d{1,5})(?:-(\d{1,5}))?\s*+)?\|([\d\s]*)")
_NUMBER = re.compile(r"\d{1,5}|-")
_LARGEST = 0xFFFF

Pairs = list[tuple[int, int]]


def read_linkage(lines: Sequence[str]) -> Linkage:
    """The linkage from the comments above the profile; empty if they contain none."""
    comments = [line.strip().removeprefix("//").strip() for line in lines]
    types: list[ClassType] = []
    instances: list[ClassInstance] = []
    slots: list[InterfaceSlots] = []
    for title, index in _titles(comments).items():
        if title == _TYPES:
            types = [ClassType(name, *rest) for name, _, rest in _table(comments, index + 1, 5)]
        elif title == _INSTANCES:
            instances = [*_instances(comments, index + 1)]
        else:
            slots = [*_slot_groups(comments, index + 1)]
    return Linkage(tuple(types), tuple(instances), tuple(slots))


def _titles(comments: list[str]) -> dict[str, int]:
    """The index of the last line with each kind's title.

    Only the table below it is read, so that time stays linear.
    """
    titles: dict[str, int] = {}
    for index, comment in enumerate(comments):
        if comment in (_TYPES, _INSTANCES):
            titles[comment] = index
        elif _SLOTS.fullmatch(comment):
            titles["slots"] = index
    return titles


def _table(
    comments: list[str], index: int, columns: int
) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """The name, array length and numbers of each row, up to an empty line."""
    started = False
    for comment in comments[index:]:
        words = comment.split()
        if not words and started:
            return
        if not words or words[0] == "Name" or words[0].startswith("---"):
            continue
        started = True
        name = _NAME.fullmatch(words[0])
        numbers = words[1:]
        if name is None or len(words) != columns or not all(map(_NUMBER.fullmatch, numbers)):
            continue
        values = tuple(0 if number == "-" else int(number) for number in numbers)
        if max(values) <= _LARGEST:
            yield name[1], int(name[2] or 1), values


def _instances(comments: list[str], index: int) -> Iterator[ClassInstance]:
    for name, count, numbers in _table(comments, index, 6):
        yield ClassInstance(name, *numbers, count=count)


def _slot_groups(comments: list[str], index: int) -> Iterator[InterfaceSlots]:
    """Parse the groups of slots, which lines of dashes separate.

    A group is pairs of lines (types, tables); the first line has the numbers of the slots.
    """
    count = 0
    types: list[int] = []
    tables: list[int] = []
    for comment in comments[index:]:
        row = _ROW.fullmatch(comment)
        if row is None:
            if count > 0:
                yield InterfaceSlots(count, dict(_complete(types, tables)))
            count, types, tables = 0, [], []
            continue
        if row[2]:
            count = int(row[3] or row[2]) - int(row[2]) + 1
        (types if row[1] == "Type" else tables).extend(_numbers(row[4]))


def _numbers(text: str) -> list[int]:
    """The numbers of a line; empty if one is too large for a class or table."""
    words = text.split()
    numbers = [int(word) for word in words if len(word) <= 5]
    return numbers if len(numbers) == len(words) and max(numbers, default=0) <= _LARGEST else []


def _complete(types: list[int], tables: list[int]) -> Pairs:
    """The (class, table) pairs, including those that Microsoft's disassembler dropped."""
    pairs = list(zip(types, tables, strict=False))
    complete = pairs[:1]
    for before, after in pairwise(pairs):
        if all(b + 2 == a for b, a in zip(before, after, strict=True)):
            complete.append((before[0] + 1, before[1] + 1))
        complete.append(after)
    return complete
