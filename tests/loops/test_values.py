"""What is computed in a loop and used after it, where threads leave in different rounds."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner.values.numbers import Array

THREADS = 32
ROUNDS = np.arange(THREADS, dtype=np.uint32)
TABLE = ROUNDS + 5


@dataclass(frozen=True)
class Kind:
    """A value that a loop computes in r4.x from its round, r1.x; `value` has it for each round.

    Resources are TABLE, but for those given.
    """

    body: str
    declaration: str = ""
    first: str = ""
    value: Array = field(default_factory=TABLE.copy)
    resources: dict[str, Any] = field(default_factory=dict[str, Any])


ICB = ", ".join(f"{{ {value}, 0, 0, 0 }}" for value in TABLE)
KINDS = {
    "raw": Kind("ld_raw r4.x, r1.y, t0.xxxx", "dcl_resource_raw t0"),
    "structured": Kind("ld_structured r4.x, r1.x, l(0), t0.xxxx", "dcl_resource_structured t0, 4"),
    "computed from a load": Kind(
        "ld_structured r4.x, r1.x, l(0), t0.xxxx\nimad r4.x, r4.x, l(2), l(1)",
        "dcl_resource_structured t0, 4",
        value=2 * TABLE + 1,
    ),
    "UAV": Kind("ld_raw r4.x, r1.y, u1.xxxx", "dcl_uav_raw u1"),
    "typed buffer": Kind(
        "ld_indexable(buffer)(uint,uint,uint,uint) r4.x, r1.xxxx, t0.xyzw",
        "dcl_resource_buffer (uint,uint,uint,uint) t0",
    ),
    "texture": Kind(
        "mov r3.xyzw, r1.xwww\nld_indexable(texture2d)(uint,uint,uint,uint) r4.x, r3.xyzw, t0.xyzw",
        "dcl_resource_texture2d (uint,uint,uint,uint) t0",
        resources={"t0": TABLE.reshape(1, -1)},
    ),
    "g#": Kind(
        "ld_raw r4.x, r1.y, g0.xxxx",
        f"dcl_tgsm_raw g0, {4 * THREADS}",
        first="ishl r0.x, vThreadID.x, l(2)\niadd r0.y, vThreadID.x, l(5)\n"
        "store_raw g0.x, r0.x, r0.y\nsync_g_t",
    ),
    "x#": Kind(
        "mov r4.x, x0[r1.x + 0].x",
        f"dcl_resource_raw t0\ndcl_indexableTemp x0[{THREADS}], 4",
        first="\n".join(f"ld_raw x0[{i}].x, l({4 * i}), t0.xxxx" for i in range(THREADS)),
    ),
    "x# by a constant": Kind(
        "ld_raw x0[1].x, r1.y, t0.xxxx", "dcl_resource_raw t0\ndcl_indexableTemp x0[2], 4"
    ),
    "cb#": Kind(
        "mov r4.x, cb0[r1.x + 0].x",
        f"dcl_constantbuffer CB0[{THREADS}], dynamicIndexed",
        resources={"cb0": np.repeat(TABLE, 4).tobytes()},
    ),
    "icb": Kind("mov r4.x, icb[r1.x + 0].x", f"dcl_immediateConstantBuffer {{ {ICB} }}"),
    "atomic": Kind(
        "ishl r5.x, vThreadID.x, l(2)\nimm_atomic_iadd r4.x, u1, r5.x, l(1)",
        "dcl_uav_raw u1",
        resources={"u1": np.full(THREADS, 5, np.uint32)},
    ),
    "carried": Kind(
        "imad r4.x, r1.x, r1.x, l(5)", value=np.arange(THREADS, dtype=np.uint32) ** 2 + 5
    ),
}


def listing(kind: Kind) -> str:
    """Thread n leaves after round max(n - 1, 0)."""
    value = "x0[1].x" if "x0[1]" in kind.body else "r4.x"
    return f"""cs_5_0
{kind.declaration}
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 10
dcl_thread_group {THREADS}, 1, 1
{kind.first}
mov r1.xyzw, l(0, 0, 0, 0)
loop
  ishl r1.y, r1.x, l(2)
  {kind.body}
  iadd r1.x, r1.x, l(1)
  uge r2.x, r1.x, vThreadID.x
  breakc_nz r2.x
endloop
ishl r9.x, vThreadID.x, l(2)
store_raw u0.x, r9.x, {value}
ret
"""


def run(device: Any, kind: Kind, **options: Any) -> Array:
    kernel = device.kernel(listing(kind), **options)
    resources = {name: TABLE for name in ("t0", "u1") if f" {name}" in kind.declaration}
    resources |= {"u0": np.zeros(THREADS, np.uint32)} | kind.resources
    found: Array = kernel.dispatch(1, **resources).u0
    return found


EXPECTED_ROUND = np.maximum(np.arange(THREADS) - 1, 0)


CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {"optimize": optimize}) for name in KINDS for optimize in (True, False)),
    *(("raw", {"guards": guards}) for guards in ("report", "off")),
]


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_kinds_of_values(device: Any, name: str, options: dict[str, Any]) -> None:
    found = run(device, KINDS[name], **options)
    np.testing.assert_array_equal(found, KINDS[name].value[EXPECTED_ROUND])


def test_a_device_with_the_fault_shows_it(device: Any) -> None:
    if "loop_values" not in device.faults:
        pytest.skip(f"{device.name} has no such fault")
    found = run(device, KINDS["raw"], workarounds=())
    assert not np.array_equal(found, TABLE[EXPECTED_ROUND])


NESTED = Path(__file__).parent / "data/nested.asm"


def nested(thread: int, table: list[int]) -> list[int]:
    """What a thread of NESTED stores."""
    a = b = c = d = value = 0
    while a < thread:
        b = 0
        while b < 60:
            value = table[a + b]
            bits = value & thread
            b += 1
            if bits == 0:
                c += value
                continue
            c += bits != 1
            if b >= a:
                break
            if value == 13:
                value *= 3
                break
        d += value
        a += 1
        if d == 77:
            return [d, c, b, a]
    return [value, b, c, d]


@pytest.mark.parametrize("optimize", [True, False], ids=["optimised", "as it is"])
def test_nested_loops(device: Any, optimize: bool) -> None:
    """With several exits, `continue`, a switch and `ret`."""
    table = [1 + 2 * (n * n % 15) + 32 * (n % 3) for n in range(128)]
    table[1:] = [value | 31 if n % 4 == 3 else value for n, value in enumerate(table[1:])]
    kernel = device.kernel(NESTED, optimize=optimize)
    found = kernel.dispatch(1, t0=np.array(table, np.uint32), u0=np.zeros((32, 4), np.uint32)).u0
    np.testing.assert_array_equal(found, [nested(thread, table) for thread in range(32)])


def test_finished_modules(device: vkrunner.Device) -> None:
    """One that would meet the fault is refused; one that works around it is not."""
    program = translate.load(listing(KINDS["raw"]))
    module = translate.to_spirv(program)
    assert module.interface.exposed_to == ("loop_limit", "loop_values")
    assert module.interface.to_dict()["exposed_to"] == ["loop_limit", "loop_values"]
    met = [name for name in module.interface.exposed_to if name in device.faults]
    if met:
        with pytest.raises(vkrunner.FeatureError, match=rf"Options\(workarounds=\[{met[0]!r}"):
            device.kernel(module)
    safe = translate.to_spirv(program, translate.Options(workarounds=frozenset(met)))
    assert set(met).isdisjoint(safe.interface.exposed_to)
    kernel = device.kernel(safe)
    found = kernel.dispatch(1, t0=TABLE, u0=np.zeros(THREADS, np.uint32)).u0
    np.testing.assert_array_equal(found, TABLE[EXPECTED_ROUND])


def test_a_module_without_loops_is_exposed_to_nothing() -> None:
    program = translate.load("cs_5_0\ndcl_thread_group 1, 1, 1\nret\n")
    interface = translate.to_spirv(program).interface
    assert interface.exposed_to == ()
    assert "exposed_to" not in interface.to_dict()
