"""`Options.specialize`: which constants a module has, and that the runner sets the right ones."""

import json
import re

import numpy as np
import pytest

import sm5vk
import translate
import vkrunner
from translate.options import EXACT_FUNCTIONS, EXACT_SAMPLES, ROBUST_ACCESS

from ..specialized import IDS, LISTING, named, showing

SPECIALIZE = translate.Options(specialize=True)
_HEAD = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_sampler s0, mode_default
{}dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 2
dcl_thread_group 64, 1, 1
itof r0.xyzw, cb0[0].xyzw
mul r0.xyzw, r0.xyzw, r0.xyzw
{}
ret
"""
_STORE = "store_raw u0.x, cb0[0].x, cb0[0].y"
_BUFFERS = {"robust_buffer_access2"}
_SAMPLES = {f"exact_{kind}" for kind in EXACT_SAMPLES}
_FUNCTIONS = {f"exact_{kind}" for kind in EXACT_FUNCTIONS}
_TEXTURE = "dcl_resource_{} (float,float,float,float) t0\n"
_SAMPLE = "sample_{}_indexable({})(float,float,float,float) r1.xyzw, cb0[0].xyzx, t0.xyzw, s0, {}"
_STORED = "\nstore_raw u0.x, cb0[0].x, r1.x"
CASES = {
    "store": ("", _STORE, {"robust_buffer_access2"}),
    "load": (
        "",
        "ld_raw r0.x, cb0[0].x, u0.xxxx\nstore_raw u0.x, l(0), r0.x",
        {"robust_buffer_access", "robust_buffer_access2"},
    ),
    "used atomic": (
        "",
        "imm_atomic_iadd r0.x, u0, cb0[0].x, l(1)\nstore_raw u0.x, l(0), r0.x",
        {"robust_buffer_access2"},  # of the store
    ),
    "group-shared memory": (
        "dcl_tgsm_raw g0, 256\n",
        "ld_raw r0.x, cb0[0].x, g0.xxxx\nstore_raw g0.x, cb0[0].x, r0.x",
        set(),
    ),
    "texel": (
        _TEXTURE.format("texture2d"),
        f"ld_indexable(texture2d)(float,float,float,float) r1.xyzw, cb0[0].xyzz, t0.xyzw{_STORED}",
        {"robust_buffer_access2"},  # the mip is not known to be the first
    ),
    "texel of the first mip": (
        _TEXTURE.format("texture2d"),
        "mov r0.xyzw, cb0[0].xyzw\nmov r0.zw, l(0,0,0,0)\n"
        f"ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw{_STORED}",
        {"robust_image_access", "robust_buffer_access2"},
    ),
    "conversion to a half": ("", f"f32tof16 r1.x, r0.x{_STORED}", {"exact_halves", *_BUFFERS}),
    "conversion from a half": ("", f"f16tof32 r1.x, r0.x{_STORED}", {"exact_halves", *_BUFFERS}),
    "integer": ("", f"utof r1.x, cb0[0].x{_STORED}", {"exact_integers", *_BUFFERS}),
    "small integer": ("", f"utof r1.x, vThreadID.x{_STORED}", _BUFFERS),
    "power": ("", f"exp r1.x, r0.x{_STORED}", {"exact_powers", *_BUFFERS}),
    "logarithm": ("", f"log r1.x, r0.x{_STORED}", {"exact_powers", *_BUFFERS}),
    "cosine": ("", f"sincos null, r1.x, r0.x{_STORED}", {"exact_sines", *_BUFFERS}),
    "sample": (
        _TEXTURE.format("texture2d"),
        _SAMPLE.format("l", "texture2d", "l(0)") + _STORED,
        {"exact_coordinates", *_BUFFERS},
    ),
    "sample of a mip": (
        _TEXTURE.format("texture2d"),
        _SAMPLE.format("l", "texture2d", "cb0[0].w") + _STORED,
        {"exact_coordinates", "exact_levels_of_detail", *_BUFFERS},
    ),
    "sample of an array": (
        _TEXTURE.format("texture2darray"),
        _SAMPLE.format("l", "texture2darray", "l(0)") + _STORED,
        {"exact_coordinates", "exact_slices", *_BUFFERS},
    ),
    "sample of a cube": (
        _TEXTURE.format("texturecube"),
        _SAMPLE.format("l", "texturecube", "l(0)") + _STORED,
        {"exact_directions", *_BUFFERS},
    ),
    "sample by gradients": (
        _TEXTURE.format("texture2d"),
        _SAMPLE.format("d", "texture2d", "cb0[0].xyzw, cb0[0].zwxy") + _STORED,
        {"exact_coordinates", "exact_gradients", *_BUFFERS},
    ),
}


def _names(module: translate.SpirvModule) -> set[str]:
    return {constant.name for constant in module.interface.specialization}


def _module(listing: str, options: translate.Options = SPECIALIZE) -> translate.SpirvModule:
    return translate.to_spirv(translate.load(listing), options)


@pytest.mark.parametrize("case", CASES)
def test_which_checks_have_a_constant(case: str) -> None:
    declared, lines, expected = CASES[case]
    listing = _HEAD.format(declared, lines)
    assert _names(_module(listing)) - {"denormals"} == expected
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
def test_what_the_options_give_needs_no_constant(
    options: dict[str, object], left: set[str]
) -> None:
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
