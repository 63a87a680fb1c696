"""The reference machine and a Vulkan device give the same bits where D3D defines them.

Two implementations of the specification are compared: `evaluate` and NumPy on one side, `lower`,
SPIR-V and a driver on the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...conftest import needs
from ...corpus.case import Case, on_device
from ...corpus.cases import CASES, HERE, PROFILES

# Results that do not depend on the order of atomics, nor on how `mad`, `dp3` or a filter rounds.
EXACT = (
    *("atomic_float_max", "bounds", "branches", "double_precision", "histogram", "particles"),
    *("philox", "raw_views", "reduce"),
)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", EXACT)
def test_same_bits(machine: Any, device: Any, shader: str, profile: str) -> None:
    path = HERE / profile / f"{shader}.dxbc"
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


@pytest.mark.parametrize("shader", ["bounds", "histogram", "philox", "raw_views", "reduce"])
def test_same_violations(machine: Any, device: Any, shader: str) -> None:
    """The reference machine's findings are the reports of the device's guards, equally often."""
    path = HERE / "cs_5_0" / f"{shader}.asm"
    ours, theirs = (d.kernel(path, guards="report") for d in (machine, device))
    total = 0
    for case in CASES[shader]():
        given = [{n: on_device(d, v) for n, v in case.arguments.items()} for d in (machine, device)]
        noticed = ours.dispatch(case.groups, **given[0]).violations
        violations = theirs.dispatch(case.groups, **given[1]).violations
        assert noticed.total == violations.total
        found, reported = (sorted(map(facts, records)) for records in (noticed, violations))
        assert found == reported
        total += len(found)
    assert total > 0


def facts(violation: Any) -> tuple[Any, ...]:
    names = "line instruction register thread group kind cause index byte_offset defined"
    return tuple(getattr(violation, name) for name in names.split())
