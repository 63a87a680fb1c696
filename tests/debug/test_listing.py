"""Modules of shaders without HLSL: a debugger steps through the listing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate

from ..ir.corpus import EVERY, Case, options_of, parameters
from . import reader

_CASES = [case for case in EVERY if case[1] in ("d3d", "report")]
OPTIONS = translate.Options(debug_info=True)
HEAD = "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_temps 1\n"
BARRIERS = (224, 225)
# For each opcode of SPIR-V the instructions of a listing that become it
WORDS = {
    # A fetch: also from the tables, for accesses to buffers of ranges
    95: ("ld", "sample", "store", "atomic", "imm_atomic"),
    98: ("ld_uav_typed",),
    99: ("store_uav_typed",),
    **dict.fromkeys(BARRIERS, ("sync",)),
    88: ("sample",),
    96: ("gather4",),
}


@pytest.mark.parametrize("case", parameters(_CASES))
def test_every_instruction_has_its_line_of_the_listing(case: Case) -> None:
    program = translate.load(case[0])
    options = replace(options_of(case, program), debug_info=True, validate=True)
    module = reader.read_made(program, options)
    assert {len(scopes) for scopes in module.definitions.values()} == {1}
    ((name, text),) = module.texts.items()
    is_listing = program.source_lines is not None
    assert name == (str(case[0]) if is_listing else f"{case[0]}.asm")
    assert text == (case[0].read_text() if is_listing else translate.disassemble(program))
    lines = text.splitlines()
    for one in module.body:
        assert one.place is not None
        assert one.scope in module.definitions[one.function]
        assert one.op_line is None
        if module.is_artificial(one.function):
            assert one.place.line == 0
            continue
        line = lines[one.place.line - 1].split()[0]
        if case[1] == "report" and one.op in BARRIERS:  # the report's own, at the start
            continue
        assert not line.startswith(("dcl_", "cs_"))
        assert line.startswith(WORDS.get(one.op, ("",)))


def test_a_listing_as_it_was_written(tmp_path: Path) -> None:
    """Comments, blank lines, letters of any alphabet; the column is the instruction's."""
    text = (
        "// Überschrift — 見出し\ncs_5_0\ndcl_uav_raw u0\n\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
        "    store_raw u0.x, l(0), l(1)   // first\n\n  store_raw u0.x, l(4), l(2)\nret\n"
    )
    path = tmp_path / "written.asm"
    path.write_text(text, encoding="utf-8")
    made = translate.to_spirv(translate.load(path), replace(OPTIONS, validate=True))
    module = reader.read(made.words.tolist())
    assert module.texts == {str(path): text}
    stores = [one.place.line for one in module.body if one.op == reader.STORE and one.place]
    assert stores == [7, 9]
    debug_lines = [
        rest[4:]
        for op, rest in reader.instructions(made.words.tolist())
        if op == reader.EXT_INST and len(rest) == 9 and rest[3] == reader.DEBUG_LINE
    ]
    columns = {
        (module.constants[line], module.constants[column], module.constants[end])
        for _, line, _, column, end in debug_lines
    }
    assert {(7, 5, 31), (9, 3, 29)} <= columns


def test_a_long_text_is_continued() -> None:
    comment = "".join(f"// {number}: ∑ 𝄞 ü\n" for number in range(20_000))
    text = f"{comment}{HEAD}dcl_thread_group 1, 1, 1\nstore_raw u0.x, l(0), l(1)\nret\n"
    program = translate.load(text, file="long.asm")
    module = reader.read_made(program, replace(OPTIONS, validate=True))
    assert len(text.encode()) > 65_535
    assert module.texts == {"long.asm": text}
    assert max(len(piece.encode()) for piece in module.strings.values()) <= 65_535


def test_a_text_that_no_string_can_hold_is_changed_as_little_as_can_be() -> None:
    text = f"// \0 and \ud800\n{HEAD}dcl_thread_group 1, 1, 1\nret\n"
    module = reader.read_made(translate.load(text), OPTIONS)
    assert module.texts == {"listing": text.replace("\0", "\ufffd").replace("\ud800", "?")}


def test_a_program_without_instructions() -> None:
    module = reader.read_made(translate.load("cs_5_0\ndcl_thread_group 1, 1, 1\n"), OPTIONS)
    assert {one.place for one in module.body} == {reader.Place("listing", 1)}


def test_lines_of_a_listing_with_lines_of_the_hlsl() -> None:
    """OpLine names lines of the HLSL, whose text a listing lacks; debuggers show the listing."""
    path = Path(__file__).parents[1] / "unit/dxbc/data/debug/debug_lines_O3.asm"
    with pytest.warns(translate.ListingWarning):
        program = translate.load(path)
    module = reader.read_made(program, replace(OPTIONS, debug_lines=True))
    assert module.texts == {str(path): path.read_text()}
    lines = path.read_text().splitlines()
    (store,) = [one for one in module.body if one.op == reader.STORE]
    assert store.place is not None
    assert lines[store.place.line - 1].startswith("store_structured")
    assert store.op_line == reader.Place("Z:\\hlsl\\debug_lines.hlsl", 17)


def test_a_container_without_debug_information_has_no_lines_for_drivers() -> None:
    path = Path(__file__).parents[2] / "shaders/saxpy.dxbc"
    words = translate.to_spirv(translate.load(path), translate.Options(debug_lines=True)).words
    plain = translate.to_spirv(translate.load(path), translate.Options()).words
    assert (words == plain).all()


# Modules with debug information give the results of those without

HERE = Path(__file__).parent


@pytest.mark.parametrize("target", ["vulkan1.1", "vulkan1.2"])
@pytest.mark.parametrize("shader", ["called.O3", "called.Od"])
def test_results_are_the_same(device: Any, shader: str, target: str) -> None:
    if device.info.type != "reference" and not device.features.non_semantic_info:
        pytest.skip("the driver lacks VK_KHR_shader_non_semantic_info")
    kernel = device.kernel(
        HERE / f"{shader}.dxbc", debug_info=True, debug_lines=True, target=target
    )
    steps = np.random.default_rng(5).integers(0, 6, (32, 5), np.uint32)
    result = kernel.dispatch(1, steps=steps, states=np.zeros(32, np.uint32))
    assert (result.states == simulated(steps)).all()


def simulated(steps: np.ndarray[Any, Any]) -> list[int]:
    """The results of hlsl/called.hlsl."""
    states: list[int] = []
    for thread, row in enumerate(steps.tolist()):
        state = [*range(8)]
        for n, step in enumerate(row):
            if step == 0:
                state[n] += 3
            elif step == 1:
                state[n] ^= n
            elif step == 2:
                state[n + 1] = state[n]
            else:
                state[0] += step
        states.append(state[thread & 7])
    return states
