"""Four constant buffers: the driver can compute no index of an element, in the whole module."""

from pathlib import Path

import pytest

import translate
from translate.spirv.grammar import BuiltIn, Decoration, Op, StorageClass

from ....corpus.spirv_words import instructions

# Three constant indices, and one that a thread computes
LISTING = Path(__file__).parent / "data/fourth_constant_buffer.asm"


def indices(rows: list[tuple[int, ...]]) -> list[int]:
    """The ids of the elements' indices in constant buffers: the second of a chain's indices."""
    constants = {row[2] for row in rows if row[0] == Op.Variable and row[3] == StorageClass.Uniform}
    return [row[5] for row in rows if row[0] == Op.AccessChain and row[3] in constants]


def reached(rows: list[tuple[int, ...]], start: int) -> set[int]:
    """The id, and all ids from which it is computed."""
    operands = {row[2]: row[3:] for row in rows if len(row) > 3 and row[0] != Op.Constant}
    operands |= {row[2]: row[3:4] for row in rows if row[0] == Op.CompositeExtract}
    found, left = set[int](), [start]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += operands.get(one, ())
    return found


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("guards", ["d3d", "report", "off"])
def test_every_index_depends_on_the_group(guards: str, optimize: bool) -> None:
    """The group's id is not known when the driver compiles; without the workaround none does."""
    for faults in (frozenset[str](), frozenset({"fourth_constant_buffer"})):
        options = translate.Options(guards=guards, optimize=optimize, workarounds=faults)
        rows = instructions(translate.to_spirv(translate.load(LISTING), options).words)
        builtin = (Op.Decorate, Decoration.BuiltIn, BuiltIn.WorkgroupId)
        groups = {row[1] for row in rows if (row[0], *row[2:]) == builtin}
        hidden = [not groups.isdisjoint(reached(rows, index)) for index in indices(rows)]
        assert len(hidden) >= 4
        assert set(hidden) == {bool(faults)}
