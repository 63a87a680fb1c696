"""Control flow, contended atomics, and registers: one listing a case."""

import itertools
import re
from typing import Any

import pytest

import translate
from translate.isa import ROWS
from translate.isa.instruction import Instruction

from ..bounds.test_sizes import COUNTERS
from ..coverage.test_results import RUN
from ..listings import listing
from ..textures.shaders import texture_rows
from .atomic_cases import ATOMIC_CASES
from .case import Case
from .flow_cases import FLOW_CASES
from .register_cases import REGISTER_CASES
from .test_alu import ALU_ROWS
from .test_doubles import DOUBLE_ROWS

CASES = (*FLOW_CASES, *ATOMIC_CASES, *REGISTER_CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(device: Any, case: Case) -> None:
    case.run(device)


# Tests here, in `coverage`, `textures` or `bounds` run every row of the table on a device

# bounds/test_arrays.py and test_sizes.py
OF_BOUNDS = {"dcl_immediateConstantBuffer", "bufinfo", *(row.name for row in COUNTERS)}


@pytest.fixture(scope="module")
def covered() -> set[str]:
    """The rows that are run: all ALU rows, and the rows in the programs of the other tests."""
    names = OF_BOUNDS | {row.name for row in (*ALU_ROWS, *DOUBLE_ROWS, *texture_rows())}
    names |= {s.row.name for build in RUN for s in translate.load(build.container).statements}
    return names | {row.name for case in CASES for row in case.rows()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_runs_on_a_device(row: Instruction, covered: set[str]) -> None:
    assert row.name in covered, "no listing of tests/rows/*_cases.py or tests/textures has it"


# The scopes and semantics of `sync` in SPIR-V: on CPU drivers results do not depend on them

DEVICE, WORKGROUP = 1, 2  # scopes
ACQUIRE_RELEASE, WORKGROUP_MEMORY = 0x8, 0x100
UNIFORM_AND_IMAGE_MEMORY = 0x40 | 0x800
_BARRIER = re.compile(r"Op(Control|Memory)Barrier ((?:%uint_\d+ ?)+)")
# Every combination with at least one kind of memory
FLAGS = [
    "".join(parts)
    for parts in itertools.product(("", "_uglobal"), ("", "_ugroup"), ("", "_g"), ("", "_t"))
    if any(parts[:3])
]


@pytest.mark.parametrize("suffix", FLAGS)
def test_scopes_and_semantics(suffix: str) -> None:
    """`_t` is a control barrier; only `_uglobal` reaches past the group (FS §22.17.7)."""
    text = translate.to_spirv(translate.load(listing([f"sync{suffix}"]))).text()
    (found,) = _BARRIER.finditer(text)
    uav, shared = "_u" in suffix, bool(re.search("_g(?!l|r)", suffix))
    semantics = ACQUIRE_RELEASE | WORKGROUP_MEMORY * shared | UNIFORM_AND_IMAGE_MEMORY * uav
    expected = [DEVICE if "_uglobal" in suffix else WORKGROUP, semantics]
    expected = [WORKGROUP, *expected] if "_t" in suffix else expected
    assert found[1] == ("Control" if "_t" in suffix else "Memory")
    assert [int(number) for number in re.findall(r"\d+", found[2])] == expected
