"""Cases of a switch that threads leave in many places, which drivers nest in each other."""

import numpy as np
import pytest

import translate
import vkrunner
from tests.loops.test_values import THREADS
from vkrunner.values.numbers import Array

PLACES = 76  # two levels more than the workaround leaves, and two fewer than drivers bear
WORKED_AROUND = translate.Options(workarounds=frozenset({"deep_conditions"}))
HEAD = f"cs_5_0\ndcl_uav_structured u0, 4\ndcl_input vThreadID.x\ndcl_temps 2\n\
dcl_thread_group {THREADS}, 1, 1\n"


def listing(exit_at: str) -> str:
    """Thread t counts in u0[t] how often it comes past a place; it leaves at place t of a case.

    `exit_at` replaces the break of place 20. The next case adds 1,000.
    """
    places = [
        f"ieq r0.w, vThreadID.x, l({place})\n{'breakc_nz r0.w' if place != 20 else exit_at}\n"
        "iadd r0.x, r0.x, l(1)\n"
        for place in range(PLACES)
    ]
    return (
        f"{HEAD}mov r0.xy, l(0, 0, 0, 0)\nloop\nuge r0.z, r0.y, l(3)\nbreakc_nz r0.z\n"
        f"iadd r0.y, r0.y, l(1)\nult r0.z, vThreadID.x, l(30)\nswitch r0.z\ncase l(-1)\n"
        f"{''.join(places)}case l(0)\niadd r0.x, r0.x, l(1000)\nbreak\n"
        "default\nbreak\nendswitch\niadd r0.x, r0.x, l(10000)\nendloop\n"
        "store_structured u0.x, vThreadID.x, l(0), r0.x\nret\n"
    )


def expected(exit_at: str) -> Array:
    """Three rounds of t places and of the sum behind the switch."""
    threads = np.arange(THREADS)
    passed = np.where(threads < 30, threads, 1000)
    result = 3 * (passed + 10_000)
    if exit_at == "continuec_nz r0.w":
        result[20] = 3 * 20
    elif exit_at == "retc_nz r0.w":
        result[20] = 0
    elif exit_at == "nop":  # on into the next case, past all places
        result[20] = 3 * (PLACES + 1000 + 10_000)
    return result.astype(np.uint32)


EXITS = ["breakc_nz r0.w", "continuec_nz r0.w", "retc_nz r0.w", "nop"]


@pytest.mark.parametrize("exit_at", EXITS)
def test_devices(device: vkrunner.Device, machine: vkrunner.ReferenceDevice, exit_at: str) -> None:
    text = listing(exit_at)
    right = expected(exit_at).tolist()
    assert machine.kernel(text).dispatch(1, u0=np.zeros(THREADS, np.uint32)).u0.tolist() == right
    for guards in ("d3d", "report", "off"):
        kernel = device.kernel(text, guards=guards)
        assert kernel.dispatch(1, u0=np.zeros(THREADS, np.uint32)).u0.tolist() == right


def test_a_module_says_that_it_needs_the_workaround(device: vkrunner.Device) -> None:
    module = translate.to_spirv(translate.load(listing(EXITS[0])))
    assert "deep_conditions" in module.interface.exposed_to
    cured = translate.to_spirv(translate.load(listing(EXITS[0])), WORKED_AROUND)
    assert "deep_conditions" not in cured.interface.exposed_to
    if "deep_conditions" in device.faults:
        with pytest.raises(vkrunner.FeatureError, match="deep_conditions"):
            device.kernel(module)


def nested_calls(levels: int) -> str:
    """Two subroutines, of which the one calls the other within so many conditions."""
    conditions = "".join(f"ieq r0.y, r0.x, l({n})\nif_z r0.y\n" for n in range(levels))
    ends = "endif\n" * levels
    return (
        f"{HEAD}mov r0.x, vThreadID.x\ncall label0\nret\n"
        f"label label0\n{conditions}call label1\n{ends}ret\n"
        f"label label1\n{conditions}store_structured u0.x, r0.x, l(0), r0.x\n{ends}ret\n"
    )


def test_conditions_around_calls() -> None:
    """No workaround makes 79 levels fewer; 60 are few enough."""
    program = translate.load(nested_calls(39))
    assert "deep_conditions" in translate.to_spirv(program).interface.exposed_to
    with pytest.raises(translate.TranslateError, match=r"nest 79 levels deep.*deep_conditions"):
        translate.to_spirv(program, WORKED_AROUND)
    translate.to_spirv(translate.load(nested_calls(30)), WORKED_AROUND)
