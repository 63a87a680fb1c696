"""Explanations: the same module as by `to_spirv`, its lines by instruction, and its guards."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate

ROOT = Path(__file__).parents[2]
SHADERS = sorted(ROOT.glob("shaders/*.dxbc")) + sorted(ROOT.glob("tests/corpus/cs_5_0/*.dxbc"))[::6]
DEBUG = Path(__file__).parent / "dxbc" / "data" / "debug" / "debug_lines_O3.dxbc"
HEAD = (
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[2], immediateIndexed\n"
    "dcl_resource_structured t0, 4\ndcl_uav_structured u0, 4\ndcl_input vThreadID.x\n"
    "dcl_input vThreadIDInGroupFlattened\ndcl_temps 4\ndcl_tgsm_structured g0, 4, 64\n"
    "dcl_thread_group 64, 1, 1\n"
)


def explain(*body: str, **options: Any) -> translate.Explanation:
    listing = HEAD + "".join(f"{line}\n" for line in (*body, "ret "))
    return translate.explain(translate.load(listing), translate.Options(**options))


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_the_module_is_that_of_a_translation(path: Path, guards: Any) -> None:
    program, options = translate.load(path), translate.Options(guards=guards)
    module, explained = translate.to_spirv(program, options), translate.explain(program, options)
    np.testing.assert_array_equal(explained.module.words, module.words)
    assert explained.module.interface == module.interface
    assert "\n".join([*(line.text for line in explained.spirv), ""]) == module.text()
    listing = "\n".join([*(line.text for line in explained.listing), ""])
    assert listing == translate.disassemble(program)
    numbers = [line.instruction for line in explained.listing if line.instruction is not None]
    assert numbers == [*range(explained.counts["instructions"])]
    assert sum(explained.mnemonics.values()) == len(numbers)


@pytest.mark.parametrize("path", SHADERS, ids=lambda path: path.stem)
def test_a_check_stays_where_the_ir_has_a_comparison(path: Path) -> None:
    explained = translate.explain(translate.load(path))
    comparing = {line.instruction for line in explained.ir if re.search(r" = ult ", line.text)}
    staying = {one.instruction for one in explained.accesses if one.guard == "stays"}
    others = {one.instruction for one in explained.accesses} - staying
    mnemonics = {s.where.instruction: s.row.name for s in explained.program.statements}
    accessing = {one.instruction for one in explained.accesses}
    own = {one for one in accessing if mnemonics[one] in ("ult", "uge", "if", "breakc", "movc")}
    assert staying - own <= comparing
    assert not (others - own) & comparing


STORE = "store_structured u0.x, vThreadID.x, l(0), r0.x"
FLAT = "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), l(1)"
LOAD = "ld_structured r0.x, r1.x, l(0), g0.xxxx"


@pytest.mark.parametrize(
    ("body", "guard", "reason"),
    [
        (("mov r0.x, l(1)", STORE), "stays", "the size of u0 is known only when the shader runs"),
        ((FLAT,), "proved", "flat number in its group is at most 63, and the limit is 64"),
        (("iadd r1.x, vThreadIDInGroupFlattened.x, l(1)", LOAD, STORE), "stays",
         "the index is at most 64, and the limit is 64"),
        (("and r1.x, vThreadID.x, l(63)", LOAD, STORE), "proved",
         "the index (masked) is at most 63, and the limit is 64"),
        (("iadd r1.x, vThreadID.x, l(-1)", "ult r2.x, r1.x, l(64)", "if_nz r2.x", LOAD, STORE,
          "endif "), "proved", "at most 63, and the limit is 64"),
        (("mov r1.x, l(64)", LOAD, STORE), "stays", "Always out of bounds: the index is the"),
        (("iadd r1.x, vThreadID.x, l(3)", LOAD, "ld_structured r3.x, r1.x, l(0), g0.xxxx",
          "iadd r0.x, r0.x, r3.x", STORE), "stays", "no bound of the index is known"),
    ],
)  # fmt: skip
def test_guards_and_reasons(body: tuple[str, ...], guard: str, reason: str) -> None:
    first = explain(*body).accesses[0]
    assert first.guard == guard
    assert any(reason in text for text in first.reasons), first.reasons


def test_a_second_access_with_the_same_address_shares_the_check() -> None:
    loads = "iadd r1.x, vThreadID.x, l(3)", LOAD, "ld_structured r3.x, r1.x, l(0), g0.xxxx"
    explained = explain(*loads, "iadd r0.x, r0.x, r3.x", STORE)
    assert [one.guard for one in explained.accesses] == ["stays", "shared", "stays"]
    assert (
        "the result of the one at instruction 1 is used again" in explained.accesses[1].reasons[0]
    )


def test_a_second_load_of_the_same_vector() -> None:
    listing = HEAD.replace("t0, 4", "t0, 16")
    loads = [f"ld_structured r{n}.x, vThreadID.x, l({4 * n}), t0.xxxx\n" for n in (0, 1)]
    body = "".join([*loads, "iadd r0.x, r0.x, r1.x\n", STORE, "\nret "])
    one, two, _ = translate.explain(translate.load(listing + body)).accesses
    assert (one.guard, two.guard) == ("stays", "shared")
    assert [text for text in two.reasons if "the vector that an access before it loads" in text]


def test_one_vector_is_no_vectors() -> None:
    for count, limit in ((1, "1 vector."), (2, "2 vectors.")):
        load = translate.load(
            HEAD.replace("CB0[2]", f"CB0[{count}]") + "mov r0.x, cb0[0].x\n" + STORE + "\nret "
        )
        assert translate.explain(load).accesses[0].reasons[0].endswith(f"the limit is {limit}")


@pytest.mark.parametrize(
    ("options", "guard"),
    [
        ({"guards": "off"}, "unchecked"),
        ({"robust_access": ("robust_buffer_access2",)}, "device"),
        ({"optimize": False}, "stays"),
    ],
)
def test_options_decide(options: dict[str, Any], guard: str) -> None:
    (access,) = explain("mov r0.x, l(1)", STORE, **options).accesses
    assert access.guard == guard


def test_hlsl_lines() -> None:
    explained = translate.explain(translate.load(DEBUG))
    source = {file.name: file.lines for file in explained.hlsl}
    load = next(one for one in explained.accesses if one.register == "t0")
    file, line = explained.hlsl_places[load.instruction or 0]
    assert "samples[" in source[file][line - 1]
    lines = [one.text for one in explained.spirv if one.instruction == load.instruction]
    assert any("OpLoad" in text for text in lines)
    assert not any("OpStore" in text for text in lines)


def test_errors_have_their_line() -> None:
    with pytest.raises(translate.ProgramError, match="store_structured u7"):
        explain("store_structured u7.x, vThreadID.x, l(0), r0.x")
