"""The probe of samples tells devices that get special operands right from those that do not.

The reference machine gets all of them right. Each planted fault changes operands of its samples in
one case, in kernels that do not test them.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver, has_another_name, renaming
from checks.running.shaders import ONE, SAMPLED
from translate import ExactSample
from vkrunner.api.kernel import brief_kernel
from vkrunner.info.device_info import Tried
from vkrunner.probes.samples import is_exact
from vkrunner.probes.trial import Trial
from vkrunner.reference.backend import ReferenceBackend
from vkrunner.shader.device_options import module_for, options_for_any
from vkrunner.shader.shader import Shader

Array = np.ndarray[Any, Any]
KINDS: tuple[ExactSample, ...] = get_args(ExactSample)
NAN, INFINITY = 0x7FC00000, 0x7F800000
LAST_SLICE, ZERO = 0x40000000, 0


def nans(places: Array) -> Array:
    return places & 0x7FFFFFFF > INFINITY


def infinities(places: Array) -> Array:
    return places & 0x7FFFFFFF == INFINITY


def far(places: Array) -> Array:
    """Numbers of 2^31 or more."""
    numbers = places & 0x7FFFFFFF
    return (numbers >= 0x4F000000) & (numbers < INFINITY)


def odd(places: Array) -> Array:
    return places == np.float32(2.0**23 + 1).view(np.uint32)


# Kind, words in the listing, filter, columns of operands, those that change, and their bits
PLANTED: dict[str, tuple[ExactSample, str, str, slice, Callable[[Array], Array], int]] = {
    "a NaN is 0": ("coordinates", "texture2d ", "linear", slice(0, 2), nans, ZERO),
    "an infinity is a NaN": ("coordinates", "texture3d", "point", slice(2, 3), infinities, NAN),
    "large numbers are 0": ("coordinates", "texture1d ", "point", slice(0, 1), far, ZERO),
    "an odd number is even": ("coordinates", "gather4_po_", "linear", slice(1, 2), odd, 0x4B000000),
    "a NaN in comparisons": ("coordinates", "sample_c_lz", "point", slice(0, 1), nans, INFINITY),
    "a slice without a number": ("slices", "2darray", "point", slice(2, 3), nans, LAST_SLICE),
    "a large slice is 0": ("slices", "gather4_c", "linear", slice(2, 3), far, ZERO),
    "a NaN is the first mip": ("levels_of_detail", "cubearray", "linear", slice(4, 5), nans, ZERO),
    "a large level is 0": ("levels_of_detail", "texture1d ", "point", slice(4, 5), far, ZERO),
    "a NaN is steep": ("gradients", "texture3d", "linear", slice(5, 8), nans, INFINITY),
    "infinite is flat": ("gradients", "texturecube ", "point", slice(8, 11), infinities, ZERO),
    "a NaN counts": ("directions", "texturecube ", "point", slice(0, 3), nans, INFINITY),
    "infinite is 1": ("directions", "cubearray", "linear", slice(0, 3), infinities, 0x3F800000),
}


@contextmanager
def faulty(
    planted: str, backend: Any, listing: str, options: Mapping[str, Any]
) -> Generator[Callable[[int, Mapping[str, Any]], Any]]:
    """Kernels of the reference machine, with a planted fault if they do not test operands."""
    _, words, filter, columns, chosen, bits = PLANTED[planted]
    with brief_kernel(backend, listing, options) as dispatch:

        def run(groups: int, resources: Mapping[str, Any]) -> Any:
            hit = words in listing and filter in resources["s0"].state.filters
            if hit and options["sampling"] == "device":
                places = resources["t0"].copy()
                places[:, columns] = np.where(chosen(places[:, columns]), bits, places[:, columns])
                resources = {**resources, "t0": places}
            return dispatch(groups, resources)

        yield run


@pytest.mark.slow(reason="thousands of samples on the reference machine")
@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_machine_needs_no_tests(kind: ExactSample) -> None:
    assert is_exact(Trial(ReferenceBackend(), brief_kernel), kind)


@pytest.mark.slow(reason="thousands of samples on the reference machine")
@pytest.mark.parametrize("planted", PLANTED)
def test_a_fault_is_seen(planted: str) -> None:
    trial = Trial(ReferenceBackend(), partial(faulty, planted))
    assert not is_exact(trial, PLANTED[planted][0])


def test_a_software_driver(device: Any, driver: Driver) -> None:
    """Under another name it is tried, and gets no kind of operand right; by its own it is not."""
    driver.replace("vkGetPhysicalDeviceProperties", has_another_name)
    driver.replace("vkGetPhysicalDeviceProperties2", renaming(b"new"))
    with vkrunner.open_device(device.info.index) as own:
        assert not own.info.known_faults
        assert own.exact_samples == device.exact_samples == frozenset()


@pytest.mark.parametrize(
    ("listing", "given", "expected"),
    [
        (ONE, {}, None),
        (SAMPLED, {}, {"slices", "coordinates"}),
        (SAMPLED, {"guards": "off"}, None),
        (SAMPLED, {"sampling": "device"}, None),
        (SAMPLED, {"exact_samples": frozenset({"gradients"})}, None),
    ],
    ids=["no samples", "samples", "off", "device", "given"],
)
def test_only_kernels_that_test_are_a_reason_to_try(
    machine: vkrunner.ReferenceDevice, listing: str, given: Any, expected: Any
) -> None:
    asked = list[int]()

    def kinds() -> frozenset[ExactSample]:
        asked.append(1)
        return frozenset({"slices", "coordinates"})

    options, module = module_for(Shader(listing), given, machine.info, Tried(exact_samples=kinds))
    assert options.exact_samples == (expected or given.get("exact_samples", frozenset()))
    assert bool(asked) == (expected is not None)
    assert module.to_bytes() == Shader(listing).module(options).to_bytes()
    for_any = options_for_any({}, machine.info, Tried(exact_samples=kinds))
    assert for_any.exact_samples == {"slices", "coordinates"}
