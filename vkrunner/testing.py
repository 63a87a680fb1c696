"""Assertions for tests of shaders: equal numbers, and no violations or races.

from vkrunner.testing import assert_equal, assert_no_violations

assert_equal(result.u0, expected, ulp=1, register=kernel.interface["u0"])
assert_no_violations(result)
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from translate import Binding
from vkrunner import ReferenceResult, Result
from vkrunner.values.comparison import Tolerance, compare, find_differences, place_in
from vkrunner.values.numbers import Array


def assert_equal(
    actual: Any,
    expected: Any,
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    ulp: int = 0,
    bits: bool = False,
    register: str | Binding = "",
) -> None:
    """Compare an array with the expected one; the error shows the first differing numbers.

    By default numbers must be equal, or both NaN.

    Parameters
    ----------
    actual : array
        The shader's result: numbers or structures.
    expected : array
        The expected values, which are converted to the dtype of `actual`: an array of its shape,
        or a single value for all elements, of which there has to be one.
    rtol, atol : float, optional
        Allow differences up to `atol + rtol * |expected|`.
    ulp : int, optional
        Allow differences up to so many representable floats. A number passes if it is within one
        of the tolerances.
    bits : bool, optional
        Require equal bits, also of NaNs and zeros.
    register : str or Binding, optional
        The array's name in messages, such as `kernel.interface["u0"]`.

    Raises
    ------
    AssertionError
        Numbers differ; the message has their register, index and field.
    ValueError
        `expected` does not fit the dtype or the shape of `actual`.
    """
    __tracebackhide__ = True
    found = np.asarray(actual)
    wanted = _like(found, expected)
    label = register if isinstance(register, str) else register.label
    tolerance = Tolerance(atol, rtol, ulp, bits)
    compared = compare(found, wanted, tolerance)
    total = sum(len(one.different) for one in compared)
    differences = find_differences(compared, total, place_in(found, label.partition(" ")[0]))
    if differences.count:
        head = f"{label}: {differences.summary()}" if label else differences.summary()
        raise AssertionError("\n".join([head, *differences.table()]))


def assert_no_violations(result: Result, *, races: Literal["none", "any"] = "none") -> None:
    """Check that a dispatch had neither violations nor races, as a shader test does.

    Loads whose result is unused are harmless, and allowed. Only the reference machine finds races,
    and barriers that only some threads of a group reach.

    Parameters
    ----------
    result : Result
        The result of a kernel with `guards="report"`.
    races : {"none", "any"}, optional
        Whether races and divergent barriers fail.

    Raises
    ------
    AssertionError
        The dispatch had violations or races; the message has them by instruction, with the lines of
        the HLSL or listing.
    ValueError
        The kernel does not report violations, or `races` is another word.
    """
    __tracebackhide__ = True
    if races not in ("none", "any"):
        raise ValueError(f"races is 'none' or 'any', not {races!r}")
    if not result.violations.is_recorded:
        raise ValueError("violations were not recorded: make the kernel with guards='report'")
    lines: list[str] = []
    harmful = result.violations.harmful()
    if harmful.total:
        lines += [f"violations: {harmful.total:,}", harmful.summary()]
    found = isinstance(result, ReferenceResult) and races == "none" and result.race_summary()
    if found:
        lines += found.splitlines()
        lines.append("if this is intended: assert_no_violations(result, races='any')")
    if lines:
        raise AssertionError("\n".join(lines))


def _like(found: Array, expected: Any) -> Array:
    """`expected` with the dtype and shape of `found`. Raises ValueError if it does not fit."""
    __tracebackhide__ = True
    wanted = np.asarray(expected)
    if found.dtype.names != wanted.dtype.names:
        raise ValueError(f"cannot compare an array of {found.dtype} with one of {wanted.dtype}")
    if wanted.shape != found.shape and (wanted.shape or not found.size):
        raise ValueError(
            f"the array has the shape {list(found.shape)}, the expected one {list(wanted.shape)}"
        )
    with np.errstate(all="ignore"):
        cast = wanted.astype(found.dtype)
    if found.dtype.kind in "iu" and not np.array_equal(cast, wanted):
        raise ValueError(f"the expected numbers do not fit into {found.dtype}")
    return np.broadcast_to(cast, found.shape)
