"""The assertions for tests: values that pass, and messages about those that do not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from translate import Binding
from vkrunner.testing import assert_equal, assert_no_violations

ONE = np.float32(1)
NEXT = np.nextafter(ONE, np.float32(2))


def floats(*values: float) -> Any:
    return np.array(values, np.float32)


def test_equal() -> None:
    assert_equal(floats(1.0, np.nan, 0.0), [1.0, np.nan, -0.0])
    assert_equal(floats(NEXT), [1.0], ulp=1)
    assert_equal(floats(1.001), [1.0], rtol=0.01)
    assert_equal(floats(1.001), [1.0], atol=0.01)
    assert_equal(floats(np.inf, -np.inf), [np.inf, -np.inf], rtol=0.1)
    assert_equal(floats(0.0, -1e-45), [-0.0, 1e-45], ulp=2)
    assert_equal(floats(3.0, 3.0), 3.0)
    assert_equal(floats(), [])


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance"),
    [
        ([NEXT], [1.0], {}),
        ([np.nextafter(NEXT, np.float32(2))], [1.0], {"ulp": 1}),
        ([np.inf], [3.4028235e38], {"ulp": 1}),
        ([np.inf], [1.0], {"rtol": 10.0, "atol": 1e30}),
        ([np.nan], [1.0], {"ulp": 2**31}),
        ([0.0], [-0.0], {"bits": True}),
    ],
)
def test_unequal(actual: Any, expected: Any, tolerance: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="differs"):
        assert_equal(np.float32(actual), expected, **tolerance)


def test_the_distance_of_integers_is_exact() -> None:
    """float64 has no odd numbers of this size."""
    wanted = np.array([2**63, 2**63], np.uint64)
    assert_equal(wanted + np.uint64(1), wanted, atol=1)
    with pytest.raises(AssertionError, match="2 of 2 numbers differ"):
        assert_equal(wanted + np.uint64(1), wanted, atol=0.5)
    with pytest.raises(AssertionError, match="differs"):
        assert_equal(np.array([-(2**31)], np.int32), [2**31 - 1], atol=2**32 - 2)
    assert_equal(np.array([-(2**31)], np.int32), [2**31 - 1], atol=2**32 - 1)


def test_places_are_indices_of_the_array() -> None:
    image = np.zeros((4, 3, 2), np.uint32)
    image[2, 1, 1] = 0xDEADBEEF
    with pytest.raises(AssertionError) as caught:
        assert_equal(image, 0, register="u3")
    assert str(caught.value).splitlines() == [
        "u3: 1 of 24 numbers differ",
        "at           expected  actual",
        "u3[2, 1, 1]  0         3735928559 (0xdeadbeef)",
    ]


def test_a_binding_is_named_as_in_hlsl() -> None:
    binding = Binding("u1", "structured_buffer", 0, 161, "storage_buffer", name="kept")
    with pytest.raises(AssertionError, match=r"(?s)u1 \(kept\): differs.*u1\[0\]  1  +2"):
        assert_equal(np.uint32([2]), [1], register=binding)


def test_nested_fields() -> None:
    dtype = np.dtype([("rows", "f4", (2, 3)), ("inner", [("tag", "u4"), ("pair", "i4", 2)], 2)])
    actual = np.zeros(2, dtype)
    actual["rows"][1, 1, 2] = 4
    actual["inner"]["pair"][1, 0, 1] = -3
    with pytest.raises(AssertionError) as caught:
        assert_equal(actual, np.zeros(2, dtype))
    rows = [line.split() for line in str(caught.value).splitlines()[2:]]
    assert rows == [["[1].rows[1][2]", "0.0", "4.0"], ["[1].inner[0].pair.y", "0", "-3"]]


def test_only_the_first_are_shown_with_distances() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_equal(np.arange(100), np.zeros(100, int))
    lines = str(caught.value).splitlines()
    assert lines[0] == "99 of 100 numbers differ"
    assert lines[-1] == "and 91 more"
    assert len(lines) == 11
    with pytest.raises(AssertionError, match=r"1\.0000001  1 ulp"):
        assert_equal(np.array([NEXT]), [1.0])


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (np.zeros(3), np.zeros(4), r"the array has the shape \[3\], the expected one \[4\]"),
        (np.zeros(3), np.zeros((2, 3)), "the array has"),
        (np.zeros(3), np.zeros(1), "the array has"),
        (np.zeros((2, 3)), np.zeros(3), "the array has"),
        (np.zeros(0), [5.0], r"the array has the shape \[0\], the expected one \[1\]"),
        (np.zeros(0), 5.0, r"the array has the shape \[0\], the expected one \[\]"),
        (np.zeros((0, 3)), np.zeros((1, 3)), "the array has"),
        (np.zeros(0, [("a", "u4")]), np.zeros(1, [("a", "u4")]), "the array has"),
        (np.zeros(3, np.uint32), [-1, 0, 0], "do not fit into uint32"),
        (np.zeros(3, np.uint32), [0.5, 0, 0], "do not fit into uint32"),
        (np.zeros(3, [("a", "u4")]), np.zeros(3), "cannot compare"),
    ],
)
def test_values_that_cannot_be_compared(actual: Any, expected: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        assert_equal(actual, expected)


# --- violations and races -----------------------------------------------------------------------

LISTING = (Path(__file__).parent / "data/testing.asm").read_text("utf-8")
RACE = '#line 9 "sums.hlsl"\nstore_raw g0.x, l(0), vThreadID.x'
GUARDS = {"guards": "report"}


def dispatched(device: Any, length: int, line: str = "nop", **options: Any) -> Any:
    """Threads 0 to 3 of 8 use the number that they load from a buffer of this length."""
    kernel = device.kernel(LISTING.format(line), **(options or GUARDS))
    return kernel.dispatch(1, t0=np.arange(length, dtype=np.uint32), u0=np.zeros(8, np.uint32))


def test_unused_loads_are_no_violations(device: Any) -> None:
    result = dispatched(device, 4)
    assert len(result.violations) == 4
    assert_no_violations(result)


def test_violations_are_shown_with_their_lines(device: Any) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_no_violations(dispatched(device, 3))
    first, heading, row, line, caret, *_ = str(caught.value).splitlines()
    assert first == "violations: 1"
    assert heading.split()[:4] == ["count", "threads", "HLSL", "line"]
    assert row.split()[:7] == ["1", "1", "(12.5", "%)", "sums.hlsl:7", "11", "t0"]
    assert "11 | ld_structured" in line
    assert line[caret.index("^") : caret.rindex("^") + 1] == "t0"


def test_races_are_shown_with_their_lines(machine: Any) -> None:
    result = dispatched(machine, 4, RACE)
    with pytest.raises(AssertionError) as caught:
        assert_no_violations(result)
    lines = str(caught.value).splitlines()
    assert lines[0] == "races: 7"
    assert lines[2].startswith("7      g0        store at sums.hlsl:9, line 14")
    assert "14 | store_raw g0.x, l(0), vThreadID.x" in lines[3]
    assert lines[-2].startswith("let one thread store, or use an atomic operation: ")
    assert lines[-1] == "if this is intended: assert_no_violations(result, races='any')"
    assert_no_violations(result, races="any")


def test_both_are_shown(machine: Any) -> None:
    with pytest.raises(AssertionError, match=r"(?s)^violations: 1\n.*\nraces: 7\n"):
        assert_no_violations(dispatched(machine, 3, RACE))


def test_a_kernel_without_reports_is_an_error(device: Any) -> None:
    with pytest.raises(ValueError, match="guards='report'"):
        assert_no_violations(dispatched(device, 4, guards="d3d"))
    with pytest.raises(ValueError, match="races is 'none' or 'any', not 'some'"):
        assert_no_violations(dispatched(device, 4), races="some")  # pyright: ignore[reportArgumentType]
