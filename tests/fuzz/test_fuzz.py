"""Random programs on a device and on the reference machine; what the search found before."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import translate
from translate.ir.verify import verify
from translate.isa import BY_NAME, ROWS
from translate.isa.instruction import Flow, Instruction, Kind
from translate.lower import lower_program
from translate.passes.bounds import guard_bounds
from translate.passes.dead import remove_dead
from translate.passes.promote import promote_registers
from translate.passes.retype import retype_merges
from translate.passes.simplify import simplify
from vkrunner import DispatchTimeout

from . import search
from .case import Case, parse
from .compare import DifferenceError, check
from .dice import drawn
from .scope import Abilities
from .search import Search

PROGRAMS = 8  # of each seed
REGRESSIONS = sorted((Path(__file__).parent / "regressions").glob("*.asm"))


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow(reason="a long random run"))]
)
def test_device_and_machine_agree(device: Any, machine: Any, seed: int) -> None:
    failure = Search(machine, device).run(seed, PROGRAMS)
    assert failure is None, f"{failure.problem}\n{failure.case.text}"


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_was_found_before(device: Any, machine: Any, path: Path) -> None:
    check(machine, device, parse(path.read_text(encoding="utf-8")))


def test_a_program_that_races_is_refused(device: Any, machine: Any) -> None:
    listing = (
        "cs_5_0\ndcl_tgsm_raw g0, 16\ndcl_input vThreadID.x\ndcl_temps 1\n"
        "dcl_thread_group 16, 1, 1\nstore_raw g0.x, l(0), vThreadID.x\nret\n"
    )
    with pytest.raises(ValueError, match="Race"):
        check(machine, device, Case(listing, ()))


def test_every_pass_leaves_a_sound_module() -> None:
    for case in drawn(100, 20):
        module = lower_program(translate.load(case.listing))
        verify(module)
        for run in (promote_registers, remove_dead, retype_merges):
            run(module)
            verify(module, promoted=True)
        for run in (guard_bounds, simplify, remove_dead):
            run(module)
            verify(module, promoted=True, guarded=True)


def test_a_text_has_all_of_a_case() -> None:
    for case in drawn(5, 20):
        assert parse(case.text) == case


def _is_drawn(row: Instruction) -> bool:
    """All but multisampled textures, interfaces, and drcp, which has a tolerance of its own.

    Forms for tiled resources come with those for others, if not all of them with so few programs.
    """
    if row.kind is Kind.DECLARATION or row.flow is Flow.INTERFACE_CALL or row.name == "drcp":
        return False
    return not (row.feedback or row.name.startswith(("ldms", "sampleinfo", "samplepos")))


def _row_name(line: str) -> str:
    """The longest beginning of a mnemonic that names a row; what follows are suffixes."""
    parts = re.split(r"[^a-zA-Z0-9_]", line, maxsplit=1)[0].split("_")
    names = ("_".join(parts[:count]) for count in range(len(parts), 0, -1))
    return BY_NAME[next(name for name in names if name in BY_NAME)].name


@pytest.mark.slow(reason="hundreds of random programs")
def test_the_generator_draws_every_row_and_memory() -> None:
    names: set[str] = set()
    memories: set[tuple[str, str]] = set()
    for case in drawn(0, 500):
        names |= {_row_name(line) for line in case.listing.splitlines()[1:]}
        memories |= {(a.register, a.placement) for a in case.arguments}
    assert {row.name for row in ROWS if _is_drawn(row)} - names == set()
    assert {"dcl_tgsm_raw", "dcl_tgsm_structured", "dcl_indexableTemp", "ld_raw_s"} <= names
    everywhere = {"array", "buffer", "view", "empty", "null"}
    buffers = ("t0", "t1", "t2", "u0", "u1", "u3", "u4")
    assert {(register, p) for register in buffers for p in everywhere} - memories == set()
    assert {("t3", "array"), ("t3", "null"), ("u5", "null"), ("u6", "buffer")} <= memories


@pytest.mark.slow(reason="hundreds of random programs")
def test_a_failure_is_cut_down(monkeypatch: pytest.MonkeyPatch, device: Any, machine: Any) -> None:
    """To the one instruction that matters, and what there is in every program."""

    def fails(machine: Any, device: Any, case: Case, forms: tuple[str, ...]) -> None:
        if "bfrev" in case.listing:
            raise DifferenceError("optimize=True: it is there")

    monkeypatch.setattr(search, "check", fails)
    failure = Search(machine, device).run(3, 40)
    assert failure is not None
    body = failure.case.listing.partition("dcl_thread_group")[2].splitlines()[1:-1]
    assert body[0].startswith("bfrev")
    assert all(line.startswith("store_structured u") for line in body[1:])
    assert failure.problem.endswith("it is there")


@pytest.mark.slow(reason="hundreds of random programs")
def test_a_device_that_does_not_answer_is_given_up(
    monkeypatch: pytest.MonkeyPatch, device: Any, machine: Any
) -> None:
    stuck: list[Any] = []

    def hangs(machine: Any, used: Any, case: Case, forms: tuple[str, ...]) -> None:
        assert used not in stuck, "what hangs is not used again"
        if "bfrev" in case.listing:
            stuck.append(used)
            raise DispatchTimeout("it takes too long")

    monkeypatch.setattr(search, "check", hangs)
    reopened: list[Any] = []

    def reopen() -> Any:
        reopened.append(object())
        return reopened[-1]

    failure = Search(machine, device, reopen=reopen).run(3, 40)
    assert failure is not None
    assert failure.problem == "DispatchTimeout: it takes too long"
    assert stuck == [device, *reopened[:-1]]


def test_what_a_device_cannot_do_is_not_drawn() -> None:
    able = Abilities(doubles=False, gather_offsets=False, null_textures=False, null_counters=False)
    for case in drawn(1, 60, able):
        assert "enableDouble" not in case.listing
        assert "gather4_po" not in case.listing
        assert all(a.placement != "null" for a in case.arguments if a.register in ("t3", "u5"))
