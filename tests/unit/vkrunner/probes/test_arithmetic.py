"""The probes of arithmetic tell devices that give D3D's results from those that do not.

The reference machine rounds to nearest. Each planted fault changes a result as another rounding
would.
"""

import dataclasses
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import Driver, has_another_name, renaming
from translate import FloatControl
from vkrunner.api.kernel import brief_kernel
from vkrunner.info.device_info import Tried
from vkrunner.probes.arithmetic import (
    NEAREST,
    has_powers,
    has_sines,
    keeps_halves,
    rounds_integers,
    rounds_to_nearest,
)
from vkrunner.probes.trial import Trial
from vkrunner.reference.backend import ReferenceBackend
from vkrunner.shader.device_options import module_for, options_for_any
from vkrunner.shader.shader import Shader

Array = np.ndarray[Any, Any]
ADD = (Path(__file__).parent / "data/arithmetic.asm").read_text("utf-8")


def toward_zero(exact: Array, near: Array) -> Array:
    return np.where(abs(near) > abs(exact), np.nextafter(near, np.float32(0)), near)


def upward(exact: Array, near: Array) -> Array:
    return np.where(near < exact, np.nextafter(near, np.float32(np.inf)), near)


def downward(exact: Array, near: Array) -> Array:
    return np.where(near > exact, np.nextafter(near, np.float32(-np.inf)), near)


def ties_from_zero(exact: Array, near: Array) -> Array:
    other = np.nextafter(near, np.where(exact < near, -np.inf, np.inf).astype(np.float32))
    is_tie = abs(exact - near) == abs(exact - other)
    return np.where(is_tie & (abs(other) > abs(near)), other, near)


OTHERS = (toward_zero, upward, downward, ties_from_zero)


def exact_results(operands: Array) -> Mapping[tuple[int, int], Array]:
    """The columns of results, by the number of columns in all, as doubles before they round."""
    if operands.dtype == np.float64:
        return {(1, 0): operands[:, 0]}
    bits = operands[:, 3]
    with np.errstate(invalid="ignore"):  # integers as floats may be NaNs
        x = operands.view(np.float32).astype(float)
    return {
        (6, 0): x[:, 0] + x[:, 1],
        (6, 1): x[:, 0] - x[:, 1],
        (6, 2): x[:, 0] * x[:, 2],
        (6, 3): x[:, 4] * x[:, 5] + x[:, 6],
        (6, 4): bits.astype(np.int32).astype(float),
        (6, 5): bits.astype(float),
    }


@contextmanager
def rounding(
    place: tuple[int, int], other: Callable[[Array, Array], Array], *given: Any
) -> Generator[Callable[[int, Mapping[str, Any]], Any]]:
    """Kernels of the reference machine that round one of their results in another way."""
    with brief_kernel(*given) as dispatch:

        def run(groups: int, resources: Mapping[str, Any]) -> Any:
            found = np.array(dispatch(groups, resources)["u0"]).view(np.float32)
            columns, column = place
            if found.shape[1] == columns:
                operands = resources["t0"]
                exact = exact_results(operands.view(np.float64) if columns == 1 else operands)
                found[:, column] = other(exact[place], found[:, column])
            return {"u0": found.view(np.uint32)}

        yield run


PLACES = [*((6, column) for column in range(6)), (1, 0)]


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("place", PLACES)
def test_another_rounding_is_seen(place: tuple[int, int], other: Any) -> None:
    """A product and a sum have no ties: the product is exact, and the sum random."""
    trial = Trial(ReferenceBackend(), partial(rounding, place, other))
    assert rounds_to_nearest(trial) == (place == (6, 3) and other is ties_from_zero)


def test_drivers_that_a_mode_slows_down(device: Any, driver: Driver) -> None:
    """Only they are tried; their kernels round without the mode, with the same results."""
    if NEAREST not in device.info.float_controls:
        pytest.skip(f"{device.name} has no mode for rounding")
    if device.info.driver != "NVIDIA":
        assert device.needless_modes == frozenset()
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", renaming(b"NVIDIA"))
    with vkrunner.open_device(device.info.index) as own:
        assert own.needless_modes == {NEAREST}
        options = vkrunner.options_for(own, ADD)
        assert options.float_controls == own.info.float_controls - {NEAREST}
        assert NEAREST not in modes_of(options)
        given = vkrunner.options_for(own, ADD, float_controls=own.info.float_controls)
        assert NEAREST in modes_of(given)
        with own.kernel(ADD) as kernel:  # a tie, which the even number wins
            tie = np.float32([1 + 2.0**-23, 2.0**-24])
            assert kernel.dispatch(1, u0=tie).u0.view(np.float32)[0] == 1 + 2.0**-22


def modes_of(options: translate.Options) -> Collection[str]:
    return translate.to_spirv(translate.load(ADD), options).interface.float_controls


MODES = frozenset[FloatControl]({NEAREST, "signed_zero_inf_nan_preserve_32"})


@pytest.mark.parametrize(
    ("has", "given", "expected"),
    [
        (MODES, {}, MODES - {NEAREST}),
        (MODES, {"float_controls": MODES}, MODES),
        (frozenset[FloatControl](), {}, frozenset[FloatControl]()),
    ],
    ids=["omitted", "given", "none"],
)
def test_only_devices_with_modes_are_a_reason_to_try(
    machine: vkrunner.ReferenceDevice, has: Any, given: Any, expected: Any
) -> None:
    asked = list[int]()

    def needless() -> frozenset[FloatControl]:
        asked.append(1)
        return frozenset({NEAREST})

    info = dataclasses.replace(machine.info, float_controls=has)
    tried = Tried(needless_modes=needless)
    options, module = module_for(Shader(ADD), given, info, tried)
    assert options.float_controls == expected
    assert bool(asked) == (expected != has)
    assert module.to_bytes() == Shader(ADD).module(options).to_bytes()
    assert options_for_any(given, info, tried).float_controls == expected


@contextmanager
def changing(
    change: Callable[[Array, Array], None], *given: Any
) -> Generator[Callable[[int, Mapping[str, Any]], Any]]:
    """Kernels of the reference machine whose results are changed, by their operands."""
    with brief_kernel(*given) as dispatch:

        def run(groups: int, resources: Mapping[str, Any]) -> Any:
            found = np.array(dispatch(groups, resources)["u0"])
            change(resources["t0"], found)
            return {"u0": found}

        yield run


@pytest.mark.parametrize(
    "probe", [rounds_to_nearest, keeps_halves, has_sines, rounds_integers, has_powers]
)
def test_the_reference_machine(probe: Callable[[Trial], bool]) -> None:
    assert probe(Trial(ReferenceBackend(), brief_kernel))


def _where(column: int, wanted: Callable[[Array], Array], result: int) -> Any:
    """A change of the results whose operand's bits are wanted."""

    def change(operands: Array, found: Array) -> None:
        found[wanted(operands[:, min(column, operands.shape[1] - 1)]), column] = result

    return change


def _less_accurate(operands: Array, found: Array) -> None:
    """Sines of large angles miss D3D's bound."""
    x = operands[:, 0].view(np.float32)
    large = (abs(x) > 300) & np.isfinite(x)
    found[large, 0] = (np.sin(x[large]) + np.float32(0.001)).view(np.uint32)


def _rounded(other: Callable[[Array, Array], Array]) -> Any:
    """A change of the results of integers to those of another rounding."""

    def change(operands: Array, found: Array) -> None:
        near = found[:, 0].view(np.float32)
        found[:, 0] = other(operands[:, 0].astype(float), near).astype(np.float32).view(np.uint32)

    return change


HALVES = {
    "a denormal half is flushed": _where(0, lambda x: x == 0x33800000, 0),
    "a denormal half counts as a zero": _where(1, lambda h: h == 0x3FF, 0),
    "an infinity is the largest half": _where(0, lambda x: x == 0x7F800000, 0x7BFF),
    "a NaN is an infinity": _where(0, lambda x: x == 0x7F800001, 0x7C00),
    "a NaN half is an infinity": _where(1, lambda h: h == 0x7C01, 0x7F800000),
    "a zero loses its sign": _where(0, lambda x: x == 0x80000000, 0),
    "a zero half loses its sign": _where(1, lambda h: h == 0x8000, 0),
    "a number is rounded up": _where(0, lambda x: x == 0x3F801FFF, 0x3C01),
    "a large number is an infinity": _where(0, lambda x: x == 0x7F7FFFFF, 0x7C00),
}


SINES = {
    "large angles": _less_accurate,
    "the sine of a zero loses its sign": _where(0, lambda x: x == 0x80000000, 0),
    "a denormal is kept": _where(0, lambda x: x == 1, 1),
    "the sine of an infinity": _where(0, lambda x: x == 0x7F800000, 0),
    "the cosine of a NaN": _where(1, lambda x: x == 0x7FC00000, 0x3F800000),
}


POWERS = {
    "the power of a NaN": _where(0, lambda x: x == 0x7FC00000, 0x7F800000),
    "the power of -infinity": _where(0, lambda x: x == 0xFF800000, 0x80000000),
    "the logarithm of a zero": _where(1, lambda x: x == 0x80000000, 0x7FC00000),
    "the logarithm of -1": _where(1, lambda x: x == 0xBF800000, 0),
    "the logarithm of infinity": _where(1, lambda x: x == 0x7F800000, 0x43000000),
    "the logarithm of a NaN": _where(1, lambda x: x == 0xFFC00000, 0xFF800000),
}


INTEGERS = {f"integers {one.__name__}": _rounded(one) for one in OTHERS if one is not downward}
CHANGES = [
    (keeps_halves, HALVES),
    (has_sines, SINES),
    (has_powers, POWERS),
    (rounds_integers, INTEGERS),
]
SEEN = {name: (probe, change) for probe, rows in CHANGES for name, change in rows.items()}


@pytest.mark.parametrize("name", SEEN)
def test_other_results_are_seen(name: str) -> None:
    probe, change = SEEN[name]
    assert not probe(Trial(ReferenceBackend(), partial(changing, change)))


def test_only_shaders_with_functions_are_a_reason_to_try(machine: vkrunner.ReferenceDevice) -> None:
    sine = ADD.replace("add r0.x, r0.x, r0.y", "sincos r0.x, null, r0.y")
    asked = list[frozenset[str]]()

    def exact(topics: Any) -> Any:
        asked.append(frozenset(topics & {"halves", "sines"}))
        return asked[-1]

    tried = Tried(exact_functions=exact)
    for listing, expected in ((ADD, frozenset[str]()), (sine, frozenset({"sines"}))):
        options, _ = module_for(Shader(listing), {}, machine.info, tried)
        assert options.exact_functions == asked[-1] == expected
    given: Any = {"exact_functions": frozenset({"halves"})}
    options, _ = module_for(Shader(sine), given, machine.info, tried)
    assert options.exact_functions == {"halves"}
    assert len(asked) == 2
