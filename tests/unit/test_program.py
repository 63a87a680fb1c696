"""Facts of a program that its statements have."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import translate

LISTING = (Path(__file__).parent / "data/program.asm").read_text("utf-8")


NAMES = {
    "cs_5_0": {"declared": "CB3[9]", "cb": "cb3", "uav": "u0", "stored": "u0", "space": ""},
    "cs_5_1": {"declared": "CB0[3:3][9]", "cb": "CB0[3]", "uav": "U0[0:0]", "stored": "U0[0]",
               "space": ", space=0"},
}  # fmt: skip


@pytest.mark.parametrize("version", NAMES)
def test_dwords_that_are_read_as_floats_only(version: str) -> None:
    """Dword 4 is an integer, 8 and 9 are a float and an integer, 16 is moved.

    Vector 6 has an index at run time; of vector 7, an addition of two components reads y and w.
    """
    program = translate.load(LISTING.format(version=version, **NAMES[version]))
    assert program.float_components(3) == {0, 1, 8, 13, 20, 29, 31}
    assert program.float_components(0) == frozenset()


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_program_goes_to_another_process(twin: Callable[[Any], Any]) -> None:
    program = translate.load(Path(__file__).parents[2] / "shaders/saxpy.dxbc")
    found = twin(program)
    assert found == program
    assert translate.to_spirv(found).to_bytes() == translate.to_spirv(program).to_bytes()
    rows = [statement.row for statement in found.statements]
    assert all(row is one.row for row, one in zip(rows, program.statements, strict=True))
