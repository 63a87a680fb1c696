"""The programs of docs/drivers.md: D3D's results, and the faulty ones of drivers named there."""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner import Device
from vkrunner.info.faults import FAULTS

from .blocks import ROOT, Block, Kind, blocks_of

PAGE = "docs/drivers.md"
MESA_22_3, MESA_25_0, MESA_26, SWIFTSHADER = "Mesa 22.3", "Mesa 25.0", "Mesa 26", "SwiftShader"


@dataclass(frozen=True)
class Program:
    """A section's program: the fault's name, D3D's results, and those of faulty drivers."""

    fault: str
    right: list[int]
    wrong: list[int]
    faulty: set[str]
    options: dict[str, Any] = field(default_factory=dict[str, Any])


ZEROS = [0, 0xBF800000], [0x80000000, 0xBF800000]
PROGRAMS = [
    Program("loop_limit", [65536], [65535], {MESA_22_3}),
    Program("select_signed_zero", *ZEROS, {MESA_22_3, MESA_25_0}),
    Program("float_zeros", *ZEROS, {MESA_22_3, MESA_25_0}),
    Program("memory_barriers", [*range(16)], [*range(8), *[0] * 8], {MESA_22_3}),
    Program("negative_zero_limits", [0x80000000], [0], {MESA_26}),
    Program("constant_min_max", [5] * 16, [1] * 16, {SWIFTSHADER}, {"optimize": False}),
]


def listing(fault: str) -> Block:
    """The listing of the section about a fault."""
    lines = (ROOT / PAGE).read_text("utf-8").splitlines()
    (start,) = (n for n, line in enumerate(lines, 1) if line.startswith(f"`{fault}`: "))
    return next(b for b in blocks_of(PAGE) if b.kind is Kind.LISTING and b.line > start)


def driver_of(device: Device) -> str | None:
    """The page's name of the driver; None for one that the page does not cover."""
    text = f"{device.info.driver} {device.info.driver_version}"
    for name in (MESA_22_3, MESA_25_0, MESA_26):
        if re.search(rf"llvmpipe.*{re.escape(name)}\.", text):
            return name
    return SWIFTSHADER if text.startswith(SWIFTSHADER) else None


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.fault)
def test_a_fault(device: Device, machine: vkrunner.ReferenceDevice, program: Program) -> None:
    """If a driver of the page gives other results, the page and the code need a change."""
    text = listing(program.fault).text

    def results(on: Device, **options: Any) -> list[int]:
        kernel = on.kernel(text, **program.options, **options)
        given = np.zeros(len(program.right), np.uint32)
        return kernel.dispatch(1, u0=given).u0.view(np.uint32).tolist()

    assert results(machine) == program.right
    driver = driver_of(device)
    if driver is not None:
        bare = program.wrong if driver in program.faulty else program.right
        assert results(device, workarounds=frozenset()) == bare
        if FAULTS[program.fault].remedy == "refused" and driver in program.faulty:
            with pytest.raises(vkrunner.RunnerError, match=program.fault):
                results(device)
            return
        is_cured = FAULTS[program.fault].remedy == "worked around"
        assert results(device) == (program.right if is_cured else bare)


def test_values_of_a_loop(device: Device, machine: vkrunner.ReferenceDevice) -> None:
    text, keys = listing("loop_values").text, np.arange(8, dtype=np.uint32)

    def results(on: Device, **options: Any) -> list[int]:
        return on.kernel(text, **options).dispatch(1, t0=keys, u0=np.zeros_like(keys)).u0.tolist()

    assert results(machine) == results(device) == keys.tolist()
    wrong = {MESA_22_3: [0, 0, 0, 0, 0, 0, 0, 7], SWIFTSHADER: [0, 0, 0, 3, 0, 0, 0, 7]}
    driver = driver_of(device)
    if driver is not None:
        assert results(device, workarounds=()) == wrong.get(driver, keys.tolist())


def test_a_compressed_texel(device: Device, machine: vkrunner.ReferenceDevice) -> None:
    """6/7 of 1/255, truncated to a byte, or refused."""
    text = listing("compressed_textures_in_bytes").text
    block = np.array([[[1, 0, 2, 0, 0, 0, 0, 0]]], np.uint8)

    def result(on: Device) -> float:
        source, given = on.texture(block, "bc4_unorm"), np.full(1, 7, np.float32)
        return float(on.kernel(text).dispatch(1, t0=source, u0=given).u0[0])

    assert result(machine) == np.float32(6 / 7 / 255)
    driver = driver_of(device)
    if driver == SWIFTSHADER:
        with pytest.raises(vkrunner.FeatureError, match="texture_compression_bc"):
            result(device)
    elif driver is not None:
        assert result(device) == 0


def test_denormal_doubles(device: Device, machine: vkrunner.ReferenceDevice) -> None:
    """Exact where the device is not known to take them for zeros."""
    text = listing("double_denormals").text

    def result(on: Device) -> list[int]:
        given = np.array([1, 0, 1, 0], np.uint32)
        return on.kernel(text).dispatch(1, u0=given).u0[:2].tolist()

    assert result(machine) == [2, 0]
    if device.features.float64:
        faulty = driver_of(device) == MESA_26
        assert ("double_denormals" in device.faults) == faulty
        assert result(device) == ([0, 0] if faulty else [2, 0])
