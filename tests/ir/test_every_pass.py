"""Every pass leaves a valid module of the corpus, and does what its name says."""

from __future__ import annotations

from pathlib import Path

import pytest

import translate
from translate.ir.guarded import verify_guards
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.passes.pipeline import passes

from .corpus import CORPUS, EVERY, MORE, OPTIONS, RANGES, Case, parameters, stages
from .state import state_of


@pytest.mark.parametrize("case", parameters(EVERY))
def test_every_pass_leaves_a_sound_module(case: Case) -> None:
    verified: object = None
    for one, module in stages(case):
        state = (one.stage, state_of(module))
        if state == verified:
            continue
        verified = state
        try:
            verify(module, one.stage)
            if one.name == "guard_bounds" and case[1] in ("d3d", "report"):
                verify_guards(module)
        except translate.errors.VerifyError as error:
            raise AssertionError(f"after {one.name}: {error}") from error


def test_guards_remove_the_indices_of_single_registers() -> None:
    by_stage: dict[Stage, set[str]] = {}
    for one, module in stages((RANGES, "d3d")):
        by_stage[one.stage] = {resource.register for resource in module.tables.indexed}
    assert by_stage[Stage.PROMOTED] == {"cb0", "s0", "t0", "t1", "u0", "u1"}
    assert by_stage[Stage.GUARDED] == by_stage[Stage.WINDOWED] == set()


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 60
    assert len(MORE) >= 150


def test_every_pass_runs_under_some_options() -> None:
    """The list has every module of `translate.passes` that is a pass."""
    folder = Path(translate.__file__).parent / "passes"
    named = {one.run for options in OPTIONS.values() for one in passes(options)}
    modules = {getattr(run, "func", run).__module__.rpartition(".")[2] for run in named}
    public = {p.stem for p in folder.glob("*.py") if "(module: Module" in p.read_text("utf-8")}
    helpers = {
        "exponent_bounds",
        "facts",
        "float_memory",
        "layout",
        "merges",
        "pipeline",
        "rewrite",
    }
    helpers.add("shared_registers")
    assert public - helpers <= modules


def test_names_of_passes_are_unique() -> None:
    for options in OPTIONS.values():
        names = [one.name for one in passes(options)]
        assert len(set(names)) == len(names)
    assert [n for n in names if n.startswith("remove_dead")] == ["remove_dead", "remove_dead.2"]


def test_stages_only_advance() -> None:
    for options in OPTIONS.values():
        found = [one.stage for one in passes(options)]
        assert found == sorted(found)
        assert found[-1] is Stage.WINDOWED
