"""Every pass leaves a valid module of the corpus, and does what its name says."""

import ast
from pathlib import Path

import pytest

import translate
from checks.guarded import verify_guards
from translate.ir.memory import MemoryKind
from translate.ir.row import Stage
from translate.ir.verify import verify
from translate.passes.pipeline import passes
from translate.pipeline import lowered

from ..complete import check_complete
from .corpus import CORPUS, EVERY, MORE, OPTIONS, RANGES, Case, options_of, parameters, stages
from .state import declarations_of, state_of


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


@pytest.mark.parametrize("case", parameters(EVERY))
def test_passes_return_what_they_find(case: Case) -> None:
    """A pass rewrites only code; `Pass.run` keeps the findings that it returns."""
    program = translate.load(case[0])
    options = options_of(case, program)
    module = lowered(program, options)
    for one in passes(options):
        before = declarations_of(module)
        found = one.function(module)
        assert declarations_of(module) == before, one.name
        if found is not None:
            found.note_in(module)


def test_guards_remove_the_indices_of_single_registers() -> None:
    by_stage: dict[Stage, set[str]] = {}
    for one, module in stages((RANGES, "d3d")):
        by_stage[one.stage] = {resource.register for resource in module.tables.indexed}
    assert by_stage[Stage.PROMOTED] == {"cb0", "s0", "t0", "t1", "u0", "u1"}
    assert by_stage[Stage.GUARDED] == by_stage[Stage.WINDOWED] == set()


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 60
    assert len(MORE) >= 150


def test_the_corpus_has_every_kind_of_memory() -> None:
    kinds: set[MemoryKind] = set()
    for path in CORPUS:
        program = translate.load(path)
        module = lowered(program, options_of((path, "d3d"), program))
        kinds |= {resource.kind for resource in module.resources}
    check_complete(kinds, MemoryKind, "CORPUS of tests/ir/corpus.py")


def test_every_pass_runs_under_some_options() -> None:
    """The list has every module of `translate.passes` that is a pass."""
    folder = Path(translate.__file__).parent / "passes"
    found = [
        passes(options, noted=noted) for options in OPTIONS.values() for noted in (False, True)
    ]
    listed = {one.name.partition(".")[0] for some in found for one in some}
    helpers = {"rewrite", "run_passes", "spill_shared_registers"}
    place = "`passes` of translate/passes/pipeline.py, though it takes a module like a pass"
    check_complete(listed, rewriting(folder) - helpers, place)


def rewriting(folder: Path) -> set[str]:
    """The public functions of a folder that take a module and return nothing or findings."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            first = ast.unparse(node.args.args[0]) if node.args.args else ""
            returned = ast.unparse(node.returns or node.args)
            if first == "module: Module" and returned in ("None", "Findings"):
                found.add(node.name)
    return found


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
