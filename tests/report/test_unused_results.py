"""Loads out of bounds whose result the thread does not use are told apart."""

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate import reference
from translate.reference import Buffer, Outcome
from vkrunner import ReferenceDevice
from vkrunner.__main__ import main

from .test_report import HEAD

SIZE = 4  # elements of t0


def loading(*body: str) -> str:
    """Each of 16 threads loads t0[x]; the body makes r1.x of r0.x, the loaded number."""
    head = "dcl_resource_structured t0, 4\ndcl_uav_structured u0, 4\ndcl_input vThreadID.x\n"
    head += "dcl_temps 3\ndcl_thread_group 16, 1, 1\n"
    store = "store_structured u0.x, vThreadID.x, l(0), r1.x\nret \n"
    return HEAD + head + "\n".join([*body, store])


LOAD = (
    "ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed)"
    " r0.x, vThreadID.x, l(0), t0.xxxx"
)
ODD = "and r2.x, vThreadID.x, l(1)"
MASK = "ine r2.y, r2.x, l(0)"
LOOP = ("mov r1.x, l(0)", "mov r0.w, l(0)", "loop ", "uge r0.z, r0.w, l(1)", "breakc_nz r0.z",
        "iadd r0.w, r0.w, l(1)")  # fmt: skip


def records(device: Any, body: str, **options: Any) -> Any:
    """The violations of a dispatch for numbers of which none is 0."""
    kernel = device.kernel(body, guards="report", **options)
    given = {"t0": np.arange(1, SIZE + 1, dtype=np.uint32), "u0": np.zeros(16, np.uint32)}
    if "cb0" in kernel.interface:
        given["cb0"] = np.arange(4 * SIZE, dtype=np.uint32)
    return kernel.dispatch(1, **given).violations


@pytest.mark.parametrize(
    ("body", "uses"),
    [
        ((LOAD, "mov r1.x, r0.x"), lambda x: True),
        ((ODD, MASK, LOAD, "and r1.x, r0.x, r2.y"), lambda x: x & 1),
        ((ODD, MASK, LOAD, "and r1.x, r2.y, r0.x"), lambda x: x & 1),
        ((ODD, LOAD, "movc r1.x, r2.x, r0.x, l(7)"), lambda x: x & 1),
        ((ODD, LOAD, "movc r1.x, r2.x, l(7), r0.x"), lambda x: not x & 1),
        ((ODD, MASK, LOAD, "movc r1.x, r2.y, r0.x, l(7)"), lambda x: x & 1),
        ((ODD, LOAD, "iadd r0.y, r0.x, l(3)", "movc r1.x, r2.x, r0.y, l(7)"), lambda x: x & 1),
        ((ODD, LOAD, "add r0.y, r0.x, l(3.5)", "movc r1.x, r2.x, r0.y, l(7)"), lambda x: x & 1),
        # both sides, another use, the condition itself, a condition of the loaded number
        ((ODD, LOAD, "movc r1.x, r2.x, r0.x, r0.x"), lambda x: True),
        ((ODD, LOAD, "movc r1.x, r2.x, r0.x, l(7)", "iadd r1.x, r1.x, r0.x"), lambda x: True),
        ((LOAD, "movc r1.x, r0.x, l(1), l(7)"), lambda x: True),
        ((ODD, MASK, LOAD, "ieq r2.y, r0.x, l(0)", "and r1.x, r0.x, r2.y"), lambda x: True),
        ((ODD, LOAD, *["add r0.x, r0.x, r0.x", "mul r0.x, r0.x, l(0.5)"] * 20,
          "movc r1.x, r2.x, r0.x, l(7)"), lambda x: x & 1),
        # selected in one of two ways
        ((ODD, "and r2.z, vThreadID.x, l(2)", LOAD, "movc r1.x, r2.x, r0.x, l(7)",
          "movc r1.y, r2.z, r0.x, l(7)", "iadd r1.x, r1.x, r1.y"), lambda x: x & 3),
        # a loop carries the number on
        ((*LOOP, ODD, LOAD, "movc r0.y, r2.x, r0.x, l(7)", "iadd r1.x, r1.x, r0.y", "endloop "),
         lambda x: x & 1),
        ((*LOOP, ODD, LOAD, "mov r1.x, r0.x", "endloop "), lambda x: True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("optimize", [True, False])
def test_which_threads_use_the_number(device: Any, body: Any, uses: Any, optimize: bool) -> None:
    found = records(device, loading(*body), optimize=optimize)
    expected = {x: bool(uses(x)) for x in range(SIZE, 16)}
    assert sorted((v.thread[0], v.used) for v in found) == [*expected.items()]
    assert all(violation.is_harmless != violation.used for violation in found)
    groups = {g.first.used: g.count for g in found.by_instruction()}
    assert groups == Counter(expected.values())
    assert ("unused" in found.summary()) == (False in expected.values())


BIT = ("and r2.z, vThreadID.x, l(2)", "ine r2.w, r2.z, l(0)")
STORE = "store_structured u0.x, vThreadID.x, l(0), r0.x"
IF, ELSE, ENDIF = "if_nz r2.y", "else ", "endif "
LATE = ("ine r0.y, r0.x, l(0)", "and r0.y, r2.y, r0.y", "if_nz r0.y")  # a condition of both numbers


@pytest.mark.parametrize(
    ("body", "uses"),
    [
        ((IF, STORE, ENDIF), lambda x: x & 1),
        ((IF, "mov r0.w, l(3)", ELSE, STORE, ENDIF), lambda x: not x & 1),
        ((IF, "iadd r1.x, r1.x, r0.x", ENDIF), lambda x: x & 1),
        ((IF, ENDIF, STORE), lambda x: True),
        ((IF, "if_nz r2.w", STORE, ENDIF, ENDIF), lambda x: x & 3 == 3),
        ((IF, STORE, ELSE, "if_nz r2.w", STORE, ENDIF, ENDIF), lambda x: x & 3),
        # t < count && t0[t] != 0, of which one or both sides are known before the load
        ((*LATE, STORE, ENDIF), lambda x: x & 1),
        ((*LATE, ENDIF, STORE), lambda x: True),
        ((*LATE, ELSE, STORE, ENDIF), lambda x: True),
        (("and r2.w, r2.w, r2.y", "ine r0.y, r0.x, l(0)", "and r0.y, r0.y, r2.w", "if_nz r0.y",
          STORE, ENDIF), lambda x: x & 3 == 3),
        (("ine r0.y, r0.x, l(0)", "and r0.y, r0.y, r2.w", "and r0.y, r2.y, r0.y", "if_nz r0.y",
          STORE, ENDIF), lambda x: x & 3 == 3),
        # t >= count || t0[t] == 0
        (("ieq r0.y, r0.x, l(0)", "or r0.y, r0.y, r2.y", "if_nz r0.y", "ret ", ENDIF, STORE),
         lambda x: not x & 1),
        (("ieq r0.y, r0.x, l(0)", "or r0.y, r2.y, r0.y", "or r0.y, r0.y, r2.w", "if_nz r0.y",
          "ret ", ENDIF, STORE), lambda x: not x & 3),
        (("retc_nz r2.y", STORE), lambda x: not x & 1),
        (("retc_z r2.y", STORE), lambda x: x & 1),
        (("or r1.x, r0.x, r2.y",), lambda x: not x & 1),
        (("not r2.y, r2.y", "or r1.x, r2.y, r0.x"), lambda x: x & 1),
        (("or r2.w, r2.w, r2.y", "or r1.x, r0.x, r2.w"), lambda x: not x & 3),
        (("or r1.x, r0.x, r2.x",), lambda x: True),  # 1 hides one bit only
        ((*LOOP, IF, "iadd r1.x, r1.x, r0.x", ENDIF, "endloop "), lambda x: x & 1),
        ((*LOOP, IF, "continue ", ENDIF, "iadd r1.x, r1.x, r0.x", "endloop "),
         lambda x: not x & 1),
        ((*LOOP, IF, "break ", ENDIF, "iadd r1.x, r1.x, r0.x", "endloop "), lambda x: not x & 1),
        ((*LOOP, LATE[0], LATE[1], "breakc_z r0.y", "iadd r1.x, r1.x, r0.x", "endloop "),
         lambda x: x & 1),
    ],
)  # fmt: skip
def test_uses_in_branches(device: Any, body: tuple[str, ...], uses: Any) -> None:
    """The conditions are computed before the load, apart from those of its number."""
    found = records(device, loading("mov r1.x, l(0)", ODD, MASK, *BIT, LOAD, *body))
    assert {v.thread[0]: v.used for v in found} == {x: bool(uses(x)) for x in range(SIZE, 16)}


@pytest.mark.parametrize(
    "body",
    [
        (LOAD, ODD, "movc r1.x, r2.x, r0.x, l(7)"),  # the condition is computed after the load
        # no mask
        (ODD, "ieq r2.y, r2.x, l(0)", "or r2.y, r2.y, l(2)", LOAD, "or r1.x, r0.x, r2.y"),
        # the search for the uses ends after some thousand operations
        (ODD, LOAD, "mov r1.x, l(0)", *["movc r1.y, r2.x, r0.x, l(7)", "iadd r1.x, r1.x, r1.y"]
         * 600),
    ],
)  # fmt: skip
def test_conditions_that_only_the_reference_machine_knows(device: Any, body: Any) -> None:
    """For the report of a device they count as fulfilled."""
    found = records(device, loading(*body))
    is_machine = isinstance(device, ReferenceDevice)
    assert {v.thread[0]: v.used for v in found} == {
        x: bool(x & 1) or not is_machine for x in range(SIZE, 16)
    }


@pytest.mark.parametrize(
    "body",
    [
        (LOAD, LOAD.replace("r0.x,", "r0.y,"), "iadd r0.x, r0.x, r0.y",
         "movc r1.x, r2.x, r0.x, l(7)"),
        (LOAD.replace("r0.x,", "r0.xy,"), "add r0.x, r0.x, r0.y", "and r1.x, r2.y, r0.x"),
        (LOAD, "mov r0.y, r0.x", "mov r0.x, l(3)", "movc r1.x, r2.x, r0.y, r0.x"),
        ("mov r0.w, vThreadID.x", "and r1.x, cb0[r0.w + 0].x, r2.y"),
        ("mov r0.w, vThreadID.x", "mov r0.xy, cb0[r0.w + 0].xyxx", "iadd r0.x, r0.y, r0.x",
         "movc r1.x, r2.x, r0.x, l(7)"),
    ],
    ids=["two loads", "both components", "copies", "an operand", "a constant buffer"],
)  # fmt: skip
def test_numbers_that_are_computed_from_loads(device: Any, body: Any) -> None:
    """The odd threads use them."""
    declared = "dcl_constantbuffer cb0[4], dynamicIndexed\n"
    text = loading(ODD, MASK, *body).replace("dcl_uav", f"{declared}dcl_uav", 1)
    found = records(device, text)
    assert {(v.thread[0], v.used) for v in found} == {(x, bool(x & 1)) for x in range(SIZE, 16)}


def test_vectors_and_doubles(machine: Any) -> None:
    """The report of a device does not recognise so long a way to the selection."""
    body = (ODD, "mov r0.y, l(0)", LOAD, "dadd r0.xy, r0.xyxy, r0.xyxy", "mul r0.xy, r0.xyxx,"
            " r0.yxyy", "dp2 r0.z, r0.xyxx, r0.yyyy", "movc r1.x, r2.x, r0.z, l(7)")  # fmt: skip
    found = records(machine, loading(*body))
    assert {(v.thread[0], v.used) for v in found} == {(x, bool(x & 1)) for x in range(SIZE, 16)}


def test_indexable_temporaries_count_as_uses(machine: Any) -> None:
    body = loading(ODD, LOAD, "mov x0[1].x, r0.x", "movc r1.x, r2.x, x0[1].x, l(7)")
    found = records(machine, body.replace("dcl_temps 3", "dcl_temps 3\ndcl_indexableTemp x0[2], 4"))
    assert {v.used for v in found} == {True}


@pytest.mark.parametrize(
    "body",
    [
        ("store_structured u0.x, l(0), l(0), r0.x", "mov r1.x, l(1)"),
        ("store_structured u0.x, r0.x, l(0), l(7)", "mov r1.x, l(1)"),
        ("mov r1.x, l(1)", "if_nz r0.x", "mov r1.x, l(2)", "endif"),
        ("mov r0.y, r0.x", "mov r1.x, cb0[r0.y + 0].x"),
        ("mov r1.x, l(1)", "breakc_nz r0.x"),
    ],
    ids=["value", "address", "condition", "index", "jump"],
)
def test_uses(device: Any, body: tuple[str, ...]) -> None:
    declared = "dcl_constantbuffer cb0[4], dynamicIndexed\n"
    lines = (LOAD, *body)
    lines = ("loop", *lines, "break", "endloop") if "breakc_nz r0.x" in body else lines
    text = loading(*lines).replace("dcl_uav", f"{declared}dcl_uav", 1)
    found = [v for v in records(device, text) if v.register == "t0"]
    assert [v.used for v in found] == [True] * (16 - SIZE)


def test_used_and_unused_loads_have_records(device: Any) -> None:
    """Also if thousands of loads are unused, and a single one is not."""
    body = loading("ult r2.x, vThreadID.x, l(16000)", LOAD, "movc r1.x, r2.x, l(7), r0.x")
    given = {"t0": np.zeros(SIZE, np.uint32), "u0": np.zeros(16001, np.uint32)}
    found = device.kernel(body, guards="report").dispatch(16001 // 16 + 1, **given).violations
    used, unused = (group for group in found.by_instruction() if group.first.register == "t0")
    assert (used.first.used, used.count, used.first.thread) == (True, 16, (16000, 0, 0))
    assert (unused.first.used, unused.count) == (False, 16000 - SIZE)


def test_the_threads_with_unused_numbers_have_the_same_result(device: Any) -> None:
    """No other number in bounds or out of bounds than that of the listing's selection."""
    kernel = device.kernel(loading(ODD, LOAD, "movc r1.x, r2.x, r0.x, l(7)"), guards="report")
    numbers = np.arange(1, SIZE + 1, dtype=np.uint32)
    result = kernel.dispatch(1, t0=numbers, u0=np.zeros(16, np.uint32))
    loaded = np.r_[numbers, np.zeros(12, np.uint32)]
    np.testing.assert_array_equal(result.u0, np.where(np.arange(16) & 1, loaded, 7))


@pytest.mark.parametrize(
    ("last", "passes"),
    [(3, True), (4, False)],  # all loads out of bounds are unused; thread 4 uses what it loads
)
def test_a_shader_test_allows_them(device: Any, tmp_path: Path, last: int, passes: bool) -> None:
    chosen = f"uge r2.x, l({last}), vThreadID.x"
    body = loading(chosen, LOAD, "movc r1.x, r2.x, r0.x, l(7)")
    path = tmp_path / "unused.shader_test"
    path.write_text(
        f"[shader]\nguards report\n{body}\n[srv 0]\n1 2 3 4\n[uav 0]\n{'0 ' * 16}\n"
        "[test]\ndispatch 1 1 1\nviolations none\n"
    )
    assert main(["test", str(path), "--device", device.name]) == (0 if passes else 1)


FOLLOWED = {
    "mov": "mov r1.x, r0.x",
    "movc": "movc r1.x, r2.x, r0.x, r0.y",
    "and": "and r1.x, r0.x, r0.y",
    "sum": "add r1.x, r0.x, r0.y",
    "scalar": "sqrt r1.x, r0.x",
    "three": "mad r1.x, r0.x, r0.y, r0.z",
    "dot": "dp4 r1.x, r0.xyzw, r0.wzyx",
    "two": "umul r1.y, r1.x, r0.x, r0.y",
    "exchange": "swapc r1.xy, r0.xy, r2.xxxx, r0.xyxx, r0.zwzz",
    "double": "dadd r1.xy, r0.xyzw, r0.zwxy",
    "array": "mov x0[r2.x].x, r0.x\nmov r1.x, x0[0].x",
    "address": f"{LOAD.replace('vThreadID.x', 'r0.x')}\nmov r1.x, r0.x",
    "branch": "if_nz r0.x\nmov r1.x, r0.y\nendif ",
}


@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.parametrize("limit", [0, *range(1, 130, 7)])
def test_too_many_loads_to_follow(name: str, limit: int) -> None:
    """Results and counts stay as they are, and no load counts as unused that is used."""
    loads = [LOAD.replace("r0.x", f"r0.{c}") for c in "xyzw"]
    declared = "dcl_indexableTemp x0[2], 4\ndcl_temps"
    text = loading(*loads, ODD, FOLLOWED[name]).replace("dcl_temps", declared)
    text = text.replace("dcl_globalFlags", "dcl_globalFlags enableDoublePrecisionFloatOps |")
    given = {"t0": Buffer(np.arange(1, 5, dtype=np.uint32).view(np.uint8))}

    def run(**limits: int) -> Outcome:
        uav = Buffer(np.zeros(64, np.uint8))
        return reference.run(translate.load(text), {**given, "u0": uav}, (1, 1, 1), **limits)

    whole, cut = run(), run(mark_limit=limit)
    assert np.array_equal(whole.written.buffers["u0"], cut.written.buffers["u0"])
    assert whole.findings.uses_are_known
    assert cut.findings.violations_of == whole.findings.violations_of
    if cut.findings.uses_are_known:
        assert cut.findings == dataclasses.replace(whole.findings, mark_limit=limit)
    else:
        assert not cut.findings.unused_of
        assert all(violation.used for violation in cut.findings.violations)


@pytest.mark.parametrize(("end", "code"), [("r0.x, l(7)", 0), ("l(7), r0.x", 1)])
def test_unused_results_do_not_change_the_exit_code(
    device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str, code: int
) -> None:
    """As `violations none` in a shader test; only threads 0 to 3 have an element."""
    inside = "ult r2.x, vThreadID.x, l(4)"
    path = tmp_path / "load.asm"
    path.write_text(loading(inside, LOAD, f"movc r1.x, r2.x, {end}"))
    words = ["run", str(path), "--groups", "1", "--t0", "arange:4:u4", "--u0", "zeros:16:u4"]
    assert main([*words, "--report", "--device", device.name]) == code
    assert ("unused" in capsys.readouterr().out) == (code == 0)
