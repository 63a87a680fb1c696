"""The reference machine and a Vulkan device give the same bits, where D3D leaves no choice.

Two readings of the specification by different code: `evaluate` and NumPy here, `lower`, SPIR-V
and a driver there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...conftest import needs
from ...corpus.case import Case, on_device
from ...corpus.test_corpus import CASES, HERE, PROFILES
from .device import ReferenceDevice

# Results that do not depend on the order of atomics, nor on how `mad`, `dp3` or a filter rounds.
EXACT = (
    *("atomic_float_max", "bounds", "branches", "double_precision", "histogram", "particles"),
    *("philox", "raw_views", "reduce"),
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", EXACT)
def test_same_bits(device: Any, shader: str, profile: str) -> None:
    path = HERE / profile / f"{shader}.dxbc"
    machine = ReferenceDevice()
    with needs(device, *(["float64"] if shader == "double_precision" else [])):
        compare(shader, (machine, machine.kernel(path)), (device, device.kernel(path)))


def compare(shader: str, ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> None:
    """Every case on two pairs of device and kernel. A NaN equals any other (FS §3.1.3)."""
    for case in CASES[shader]():
        first, second = (results(machine, kernel, case) for machine, kernel in (ours, theirs))
        assert first.keys() == second.keys()
        for register, array in first.items():
            np.testing.assert_array_equal(
                array, second[register], err_msg=f"{case.name} {register}"
            )


def results(machine: Any, kernel: Any, case: Case) -> dict[str, Any]:
    """Every UAV by register."""
    bound = {name: on_device(machine, value) for name, value in case.arguments.items()}
    result = kernel.dispatch(case.groups, **bound)
    registers = [name for name in case.arguments if name.startswith("u")]
    assert registers
    return {register: result[register] for register in registers}
