"""Whole shaders on the reference machine: the corpus, and kernels with up to a million threads."""

from typing import Any

import numpy as np
import pytest

from checks.corpus.case import on_device
from checks.corpus.cases import CASES, CORPUS, PROFILES, check_results

from ...shaders import test_shaders as kernels


@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("shader", CASES)
def test_results(machine: Any, shader: str, profile: str, form: str) -> None:
    check_results(machine, shader, CORPUS / profile / f"{shader}.{form}")


@pytest.mark.parametrize("shader", ["bounds", "histogram", "philox", "raw_views", "reduce"])
def test_same_violations(machine: Any, device: Any, shader: str) -> None:
    """The reference machine's findings are the reports of the device's guards, equally often."""
    path = CORPUS / "cs_5_0" / f"{shader}.asm"
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


@pytest.mark.parametrize("form", ["dxbc", "asm"])
def test_kernels(machine: Any, form: str) -> None:
    kernels.test_saxpy(machine, form, 65)
    kernels.test_histogram_image(machine, form, 17, 5, True)
    kernels.test_compact(machine, form, 1000)
    kernels.test_moving_average(machine, form, 65)
    kernels.test_mandelbrot(machine, form, 17, 9)


@pytest.mark.parametrize("length", [0, 55, 56, 64, 119, 120])
def test_sha256(machine: Any, length: int) -> None:
    kernels.check_sha256(machine.kernel(kernels.SHADERS / "sha256.dxbc"), length, 5)


def test_a_group_shared_reduction_over_a_million_threads(machine: Any) -> None:
    values = np.random.default_rng(0).integers(-99, 99, 1 << 20).astype(np.float32)
    kernel = machine.kernel(CORPUS / "cs_5_0" / "reduce.dxbc")
    result = kernel.dispatch((4096, 1, 1), t0=values, u0=np.zeros(4096, np.float32))
    np.testing.assert_array_equal(result.u0, values.reshape(4096, 256).sum(axis=1))
    findings = result.findings
    assert (findings.violation_count, findings.race_count) == (0, 0)
    assert findings.divergent_barrier_count == 0


def test_a_million_atomics_on_one_address(machine: Any) -> None:
    values = np.random.default_rng(1).normal(size=1 << 20).astype(np.float32)
    kernel = machine.kernel(CORPUS / "cs_5_0" / "atomic_float_max.dxbc")
    best = np.full(1, -np.inf, np.float32).view(np.uint32)
    result = kernel.dispatch((1 << 14, 1, 1), t0=values, u0=best, cb0={"count": 1 << 20})
    assert result.u0.view(np.float32)[0] == values.max()
