"""The runner of real programs, on the repository's own shaders and on devices with a fault."""

from pathlib import Path
from typing import Any

import pytest

import translate
from checks.real.__main__ import Workers
from checks.real.judge import Judge
from checks.real.rewrite import alone, disturbed, exact, inexact, listing_of, mirrored

SHADERS = Path(__file__).parents[2] / "shaders"
_HEAD = """dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 16, 1, 1
"""


@pytest.mark.parametrize("name", ["saxpy", "gaussian_blur", "prefix_sum"])
def test_own_shaders_are_explained(device: Any, machine: Any, name: str) -> None:
    verdict = Judge(machine, device).judge(str(SHADERS / f"{name}.dxbc"), 0)
    assert not [c for c in verdict.causes if "unexplained" in c], verdict.details


class _Faulty:
    """A device that runs another program."""

    def __init__(self, device: Any, change: tuple[str, str]):
        self._device, self._change = device, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def kernel(self, listing: str, **options: Any) -> Any:
        return self._device.kernel(listing.replace(*self._change), **options)


def _causes(
    machine: Any, device: Any, body: str, tmp_path: Path, *change: str, more: str = ""
) -> list[str]:
    """The causes of a program's differences; `more` are its further declarations."""
    path = tmp_path / "program.dxbc"
    path.write_bytes(translate.assemble(f"cs_5_0\n{more}{_HEAD}{body}ret\n"))
    used = _Faulty(device, (change[0], change[1])) if change else device
    return Judge(machine, used).judge(str(path), 0).causes


_LOAD = "ld_structured r0.x, vThreadID.x, l(0), t0.xxxx\n"
_STORE = "store_structured u0.x, vThreadID.x, l(0), r0.x\n"


def test_a_wrong_device_is_unexplained(device: Any, machine: Any, tmp_path: Path) -> None:
    body = f"{_LOAD}add r0.x, r0.x, l(1.0)\n{_STORE}"
    assert _causes(machine, device, body, tmp_path) == []
    causes = _causes(machine, device, body, tmp_path, "0x3f800000", "0x3f801000")
    assert causes == ["exact: unexplained", "plain: unexplained"]


def test_a_precision_has_names_of_instructions(device: Any, machine: Any, tmp_path: Path) -> None:
    """The device computes a little more of a sine, which no tolerance of an addition explains."""
    body = f"{_LOAD}sincos r0.x, null, r0.x\nmul r0.x, r0.x, l(3.0)\n{_STORE}"
    causes = _causes(machine, device, body, tmp_path, "0x40400000", "0x40400400")
    assert causes == ["exact: unexplained", "plain: precision (mul, sincos)"]


def test_an_order_of_threads_is_found(device: Any, machine: Any, tmp_path: Path) -> None:
    body = f"{_LOAD}imm_atomic_exch r0.y, u0, l(0,0,0,0), vThreadID.x\n"
    causes = _causes(machine, device, body, tmp_path, "vThreadID.x\nret", "l(99)\nret")
    assert causes == ["exact: order of threads (machine)", "plain: order of threads (machine)"]


def test_a_race_is_found(device: Any, machine: Any, tmp_path: Path) -> None:
    body = f"{_LOAD}store_structured u0.x, l(0), l(0), vThreadID.x\n"
    causes = _causes(machine, device, body, tmp_path, "vThreadID.x\nret", "l(99)\nret")
    assert causes == ["exact: race (u0)", "plain: race (u0)"]


@pytest.mark.parametrize(
    ("moved", "cause"), [("0xb8800000", "edge of a texel"), ("0x3f000000", "unexplained")]
)
def test_a_texels_edge(device: Any, machine: Any, tmp_path: Path, moved: str, cause: str) -> None:
    """The threads sample where texels begin, the device 2^-14 before or half a texture after."""
    texture = "dcl_resource_texture2d (float,float,float,float) t1\ndcl_sampler s0, mode_default\n"
    body = (
        f"{_LOAD}utof r0.xyzw, vThreadID.xxxx\n"
        "mul r0.xyzw, r0.xyzw, l(0.0625,0.0625,0.0625,0.0625)\n"
        "add r0.xyzw, r0.xyzw, l(0.0,0.0,0.0,0.0)\n"
        f"sample_l r0.xyzw, r0.xyxx, t1.xyzw, s0, l(1.0)\n{_STORE}"
    )
    places = [", ".join([bits] * 4) for bits in ("0x00000000", moved)]
    causes = _causes(machine, device, body, tmp_path, *places, more=texture)
    assert causes[:1] == [f"exact: {cause}"]


def test_memory_that_was_not_written_is_found(device: Any, machine: Any, tmp_path: Path) -> None:
    """The device's own garbage is that of the change."""
    body = f"ld_structured r0.x, vThreadID.x, l(0), g0.xxxx\n{_STORE}"
    shared = "dcl_tgsm_structured g0, 4, 16\n"
    causes = _causes(machine, device, body, tmp_path, "r0.x\nret", "l(77)\nret", more=shared)
    assert causes == ["exact: uninitialised (g0)", "plain: uninitialised (g0)"]


def test_rewritten_listings_are_programs() -> None:
    for path in sorted(SHADERS.glob("*.dxbc")):
        program = translate.load(path)
        listing = listing_of(program)
        again = translate.load(listing)
        assert [s.operands for s in again.statements] == [s.operands for s in program.statements]
        group = translate.to_spirv(program).interface.thread_group
        forms = [exact(listing), disturbed(listing, inexact(listing), lambda: 1)]
        forms += [mirrored(listing, (2, 1, 1), group), alone(listing, (1, 0, 0), group)]
        for form in forms:
            translate.to_spirv(translate.load(form))


def test_a_program_that_ends_the_process_is_a_verdict(tmp_path: Path) -> None:
    missing = tmp_path / "missing.dxbc"
    with Workers(None, 60.0) as workers:
        assert workers.judge(missing, 0)["causes"][0].startswith("error ")
        found = workers.judge(SHADERS / "saxpy.dxbc", 0)
        assert not [c for c in found["causes"] if "unexplained" in c]
        workers.kill()
        assert workers.judge(missing, 1)["causes"] == ["ended the process (-9)"]
        assert workers.judge(missing, 2)["causes"][0].startswith("error ")
