"""The table of the tests that cover each mnemonic, compared with the rows and with the shaders."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import translate
from translate.isa import ROWS
from translate.isa.instruction import Instruction
from translate.program import Program

from ..complete import check_complete
from .builds import BUILDS, LISTINGS

HERE = Path(__file__).parent
PROFILES = ("cs_4_0", "cs_4_1", "cs_5_0", "cs_5_1")
FROM_FXC, FROM_LISTING = "fxc", "listing"
# Shader Model 5.1 has no interfaces; fxc compiles nothing for it while avoiding flow control.
NOT_5_1 = {
    *("fcall", "dcl_interface", "dcl_function_body", "dcl_function_table"),
    *("continuec", "retc"),
}


def read_table() -> dict[str, list[str]]:
    lines = (HERE / "table.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|") for line in lines if not line.startswith("#")]
    assert len({row[0] for row in rows}) == len(rows), "a mnemonic stands twice"
    return {name: rest for name, *rest in rows}


TABLE = read_table()
BY_FXC = {name: rest[1].split() for name, rest in TABLE.items() if rest[0] == FROM_FXC}
BY_LISTING = {name: rest[1:] for name, rest in TABLE.items() if rest[0] == FROM_LISTING}


def names(program: Program) -> Iterable[str]:
    return (statement.row.name for statement in program.statements)


@cache
def compiled() -> dict[str, set[str]]:
    """For each mnemonic the profiles of the containers that have it."""
    found: dict[str, set[str]] = {}
    for build in BUILDS:
        for name in names(translate.load(build.container)):
            found.setdefault(name, set()).add(build.profile)
    return found


def test_every_row_is_in_the_table_once() -> None:
    check_complete(TABLE, {row.name for row in ROWS}, "tests/coverage/table.txt")
    assert len(BY_FXC) + len(BY_LISTING) == len(ROWS)


@pytest.mark.parametrize("row", [row for row in ROWS if row.name in BY_FXC], ids=lambda r: r.name)
def test_containers_of_all_profiles_that_can_have_it_do(row: Instruction) -> None:
    """Every profile from the row's model on has it; no older one does."""
    allowed = {p for p in PROFILES if tuple(map(int, p[3:].split("_"))) >= row.since}
    missing = {"cs_5_1"} if row.name in NOT_5_1 else set[str]()
    assert compiled()[row.name] == set(BY_FXC[row.name]) == allowed - missing


@pytest.mark.parametrize("name", BY_LISTING)
def test_a_listing_has_what_fxc_does_not_emit(name: str) -> None:
    listing, reason = BY_LISTING[name]
    assert reason
    assert name in names(translate.load(HERE / "listings" / f"{listing}.asm"))
    assert name not in compiled()


def test_every_listing_is_needed() -> None:
    """`barriers` is there for the flags of `sync`, not for a mnemonic."""
    used = {listing for listing, _ in BY_LISTING.values()}
    held = {path.stem for path in LISTINGS}
    check_complete(used | {"barriers"}, held, "tests/coverage/table.txt (for a listing)")


def test_sync_has_every_combination_of_flags() -> None:
    """UAV scope, group-shared memory, threads; a `sync` of none or of both scopes is invalid."""
    programs = [translate.load(path) for path in (*LISTINGS, *(b.container for b in BUILDS))]
    found = {
        tuple(statement.control(control.name) for control in statement.row.controls)
        for program in programs
        for statement in program.statements
        if statement.row.name == "sync"
    }
    uavs = ((0, 0), (1, 0), (0, 1))
    every = {(*uav, shared, threads) for uav in uavs for shared in (0, 1) for threads in (0, 1)}
    assert found == every - {(0, 0, 0, 0)}
