"""Resources that a kernel does not have are refused, or ignored if the dispatch is not strict."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.running.shaders import ADD, NEXT
from vkrunner import Device, Kernel, ReferenceDevice, errors

SHADERS = Path(__file__).parents[4] / "shaders"
GIVEN: dict[Any, Any] = {"t0": np.array([5, 6], "u4"), "u0": np.array([7, 8], "u4"), "cb0": 9}
ADDED, NEXT_OF_T0 = [7 + 9, 8 + 9], [5 * 3 + 1, 6 * 3 + 1]


def dispatched(way: str, device: Device, kernel: Kernel, strict: bool) -> vkrunner.Result:
    """Two groups with the same set of resources."""
    groups = device.buffer(np.array([2, 1, 1], np.uint32))
    match way:
        case "names":
            return kernel.dispatch(2, strict=strict, **GIVEN)
        case "bindings":
            return kernel.dispatch(2, strict=strict, bindings=GIVEN)
        case "keys":
            keys = {("t", 0, 0): GIVEN["t0"], ("cb", 0, 0): 9, ("t", 3, 1): None}
            return kernel.dispatch(2, strict=strict, bindings=keys, u0=GIVEN["u0"])
        case "indirect":
            return kernel.dispatch_indirect(groups, strict=strict, **GIVEN)
        case "async":
            return kernel.dispatch_async(2, strict=strict, **GIVEN).result()
        case _:
            with device.record() as work:
                if way == "recorded":
                    work.dispatch(kernel, 2, strict=strict, **GIVEN)
                else:
                    work.dispatch_indirect(kernel, groups, strict=strict, **GIVEN)
            return work.submit().result()


@pytest.mark.parametrize(
    "way", ["names", "bindings", "keys", "indirect", "async", "recorded", "recorded indirect"]
)
def test_one_set_for_several_kernels(either: Device, way: str) -> None:
    for listing, expected in ((ADD, ADDED), (NEXT, NEXT_OF_T0)):
        kernel = either.kernel(listing)
        for _ in range(2):  # a new dispatch, and a cached one
            assert dispatched(way, either, kernel, False).u0.tolist() == expected
            with pytest.raises(errors.UnknownNameError):
                dispatched(way, either, kernel, True)


def test_a_trace(machine: ReferenceDevice) -> None:
    kernel = machine.kernel(ADD)
    steps = list(kernel.trace(1, thread=(0, 0, 0), strict=False, **GIVEN))
    assert len(steps) == len(list(kernel.trace(1, thread=(0, 0, 0), u0=GIVEN["u0"], cb0=9))) > 0
    with pytest.raises(errors.UnknownNameError, match="'t0'"):
        kernel.trace(1, thread=(0, 0, 0), **GIVEN)


def test_missing_resources_are_still_errors(either: Device) -> None:
    with pytest.raises(errors.MissingError, match="u0"):
        either.kernel(ADD).dispatch(1, strict=False, t0=GIVEN["t0"], U0=GIVEN["u0"], cb0=1)
    with pytest.raises(errors.DuplicateError, match="t0"):
        either.kernel(NEXT).dispatch(1, strict=False, **GIVEN, bindings={("t", 0, 0): None})


def test_values_that_some_register_takes(either: Device) -> None:
    kernel = either.kernel(ADD)
    odd = np.zeros((3, 5, 7), np.float64)
    texture = either.texture((2, 2), format="r32_float")
    values: list[Any] = [
        *(None, odd, odd[0, 0, 0], b"12345", bytearray(3), memoryview(b"1"), 3, 0.5, True),
        *({"a": 1}, either.buffer(3), either.buffer(8).view(), either.sampler()),
        *(texture, texture.view(), [odd, None, texture], (either.buffer(4),), []),
    ]
    for value in values:
        result = kernel.dispatch(2, strict=False, unknown=value, **GIVEN)
        assert result.u0.tolist() == ADDED
        assert list(result) == ["u0"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("text", "'unknown': no resource is of type str"),
        (object(), "'unknown': no resource is of type object"),
        ({1, 2}, "'unknown': no resource is of type set"),
        ([np.zeros(1), "text"], "'unknown': no resource is of type str"),
        ([[1]], "'unknown': no resource is of type list"),
        (np.array([object()]), "unknown takes numbers, not an array of object"),
    ],
)
def test_values_that_no_register_takes(either: Device, value: Any, message: str) -> None:
    with pytest.raises(errors.ArgumentError) as caught:
        either.kernel(ADD).dispatch(2, strict=False, unknown=value, **GIVEN)
    assert str(caught.value) == message


def test_a_resource_of_the_parameters_name(either: Device) -> None:
    source = translate.load(SHADERS / "saxpy.dxbc")
    text = re.sub(r"\bx\b(?= +texture)", "strict", translate.disassemble(source, header=True))
    kernel = either.kernel(text)
    assert kernel.interface["strict"].register == "t0"
    x, y = np.arange(64, dtype=np.float32), np.ones(64, np.float32)
    rest: dict[str, Any] = {"y": y, "Params": {"a": 2.0, "count": 64}}
    with pytest.raises(errors.WrongTypeError):
        kernel.dispatch(1, strict=x, **rest)
    for named in ({"bindings": {"strict": x}}, {"t0": x}):
        for strict in (True, False, np.bool_(False)):
            result = kernel.dispatch(1, strict=strict, **named, **rest)
            np.testing.assert_array_equal(result.y, 2 * x + 1)
