"""`Options.specialize`: which constants a module has, and that the runner sets the right ones."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import sm5vk
import translate
import vkrunner
from translate.options import EXACT_FUNCTIONS, EXACT_SAMPLES, ROBUST_ACCESS

from ..listings import titled
from ..specialized import IDS, LISTING, named, showing

SPECIALIZE = translate.Options(specialize=True)
_HEAD = (Path(__file__).parent / "data/specialize_head.asm").read_text("utf-8")
_SAMPLES = {f"exact_{kind}" for kind in EXACT_SAMPLES}
_FUNCTIONS = {f"exact_{kind}" for kind in EXACT_FUNCTIONS}
# By name: the constants of a listing's module, its declarations and lines
CASES = titled(Path(__file__).parent / "data/specialize.asm")


def _names(module: translate.SpirvModule) -> set[str]:
    return {constant.name for constant in module.interface.specialization}


def _module(listing: str, options: translate.Options = SPECIALIZE) -> translate.SpirvModule:
    return translate.to_spirv(translate.load(listing), options)


@pytest.mark.parametrize("case", CASES)
def test_which_checks_have_a_constant(case: str) -> None:
    expected, text = CASES[case]
    lines = text.splitlines(keepends=True)
    declared = [line for line in lines if line.startswith("dcl_")]
    listing = _HEAD.format("".join(declared), "".join(lines[len(declared) :]))
    assert _names(_module(listing)) - {"denormals"} == {*expected}
    assert not _names(_module(listing, translate.Options()))


def test_ids_in_the_module_and_the_interface() -> None:
    """The host finds each constant by the same number; all are false by default."""
    module = _module(LISTING)
    text = module.text()
    decorated = re.findall(r"OpDecorate %(\w+) SpecId (\d+)", text)
    assert {name: int(number) for name, number in decorated} == IDS
    assert set(re.findall(r"%(\w+) = OpSpecConstantFalse %bool", text)) == IDS.keys()
    rows = json.loads(module.interface.to_json())["specialization"]
    assert rows == [{"name": name, "id": number} for name, number in IDS.items()]
    assert "specialization" not in json.loads(
        _module(LISTING, translate.Options()).interface.to_json()
    )


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"robust_access": ROBUST_ACCESS}, IDS.keys() - {*ROBUST_ACCESS}),
        ({"exact_samples": EXACT_SAMPLES}, IDS.keys() - _SAMPLES),
        ({"exact_functions": EXACT_FUNCTIONS}, IDS.keys() - _FUNCTIONS),
        ({"exact_functions": {"sines"}}, IDS.keys() - {"exact_sines"}),
        ({"sampling": "device"}, IDS.keys() - _SAMPLES),
        ({"denormals": "device"}, IDS.keys() - {"denormals"}),
        ({"float_controls": ["denorm_flush_to_zero_32"]}, IDS.keys() - {"denormals"}),
        ({"guards": "off"}, {"denormals", *_FUNCTIONS}),
        (
            {"float_controls": ["denorm_preserve_16", "signed_zero_inf_nan_preserve_16"]},
            IDS.keys() - {"exact_halves"},
        ),
    ],
)
def test_what_options_give_needs_no_constant(options: dict[str, object], left: set[str]) -> None:
    program = translate.load(LISTING)
    made = translate.to_spirv(program, translate.Options(specialize=True, **options))  # type: ignore[arg-type]
    assert _names(made) == left


def test_the_runner_sets_what_the_device_does(device: vkrunner.Device) -> None:
    """Those of robust accesses without faults, and of what the probes found exact."""
    program = translate.load(LISTING)
    usual = sm5vk.options_for(device, program)
    exact = *usual.exact_samples, *usual.exact_functions
    expected = {*usual.robust_access, *(f"exact_{kind}" for kind in exact)}
    if {"slices_outside", "small_uavs_outside"} & {*device.faults}:
        expected.discard("robust_image_access")
    none = frozenset[str]()
    options = sm5vk.options_for(
        device,
        program,
        specialize=True,
        robust_access=none,
        exact_samples=none,  # type: ignore[arg-type]
        exact_functions=none,  # type: ignore[arg-type]
    )
    module = translate.to_spirv(program, options)
    if "rounding_mode_rte_32" in module.interface.float_controls:
        expected.discard("exact_integers")
    zeros = np.zeros((6, 1, 1, 4), np.float32)
    with device.kernel(showing(module)) as kernel:
        shown = kernel.dispatch(
            1, s0=device.sampler(), t0=zeros[:1], t1=zeros, u0=np.zeros(4, "u4"), u1=zeros[0]
        ).u0[0]
    assert named(int(shown)) == expected
