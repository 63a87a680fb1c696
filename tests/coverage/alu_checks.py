"""Dispatches of the arithmetic and control-flow shaders, and checks of their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import expected_alu as alu
from . import expected_flow as flow
from .expected_alu import ABSOLUTE, ULPS, Array, Rows

Check = Callable[[Any, Any], None]


def row_check(inputs: Callable[[], Rows], rows: Callable[[Rows], Rows]) -> Check:
    """Structures of named fields go in at t0 and come out at u0."""

    def check(device: Any, kernel: Any) -> None:
        given = inputs()
        argument = alu.fields(kernel.interface["t0"].dtype, given)
        empty = np.zeros(alu.THREADS, kernel.interface["u0"].dtype)
        with np.errstate(all="ignore"):
            expected = rows(given)
        result = kernel.dispatch(alu.THREADS // 8, t0=argument, u0=empty)
        compare_fields(result.u0, expected)

    return check


def compare_fields(actual: Array, expected: Rows) -> None:
    """Every field, within what D3D allows of it."""
    assert set(expected) == set(actual.dtype.names or ())
    for name, value in expected.items():
        wanted = np.broadcast_to(value, actual[name].shape).astype(actual[name].dtype)
        compare(name, actual[name], wanted)


def compare(name: str, actual: Array, wanted: Array) -> None:
    if name in ABSOLUTE:
        np.testing.assert_allclose(actual, wanted, rtol=0, atol=ABSOLUTE[name], err_msg=name)
    elif name in ULPS and wanted.dtype.kind == "f":
        spacing = np.spacing(np.maximum(np.abs(wanted), np.finfo(wanted.dtype).tiny))
        difference = np.abs(actual.astype(np.float64) - wanted.astype(np.float64))
        close = (difference <= ULPS[name] * spacing) | (actual == wanted)
        assert close.all(), f"{name}: {actual[~close]} is not {wanted[~close]}"
    else:
        np.testing.assert_array_equal(actual, wanted, err_msg=name)


def check_flow(device: Any, kernel: Any) -> None:
    inputs = flow.flow_inputs()
    empty = np.zeros(flow.THREADS, kernel.interface["u0"].dtype)
    limits = {"rounds": flow.ROUNDS, "threads": flow.THREADS}
    result = kernel.dispatch(flow.THREADS // 8, t0=inputs, u0=empty, cb0=limits)
    compare_fields(result.u0, flow.flow_rows(inputs))


def check_arrays(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(8).integers(0, 1 << 15, flow.THREADS, dtype=np.uint32)
    constants = np.arange(16, dtype=np.float32).reshape(4, 4) / 8
    empty = np.zeros(flow.THREADS, kernel.interface["u0"].dtype)
    result = kernel.dispatch(flow.THREADS // 8, t0=inputs, u0=empty, cb0={"values": constants})
    compare_fields(result.u0, flow.array_rows(inputs, constants))


def check_min_precision(device: Any, kernel: Any) -> None:
    given = alu.small_inputs()
    empty = np.zeros(alu.THREADS, kernel.interface["u0"].dtype)
    result = kernel.dispatch(alu.THREADS // 8, t0=given["floats"], t1=given["integers"], u0=empty)
    compare_fields(result.u0, alu.min_precision_rows(given))


def check_precise(device: Any, kernel: Any) -> None:
    """Every operation rounds separately, in the order of the source."""
    x = np.random.default_rng(9).normal(size=(16, 4)).astype(np.float32)
    y = x * x[:, [1, 2, 3, 0]] + x[:, [2, 3, 0, 1]]
    z = (y[:, 0] + y[:, 1]) - y[:, 0]
    result = kernel.dispatch(2, t0=x, u0=np.zeros_like(x))
    np.testing.assert_array_equal(result.u0, np.column_stack([y[:, :3], z]))


def check_conditional(device: Any, kernel: Any) -> None:
    """Numbers up to 40, so that the total passes 99 before the end."""
    inputs = np.random.default_rng(10).integers(0, 40, 16, dtype=np.uint32)
    for rounds, done in ((7, False), (3, False), (7, True)):
        empty = np.full(128, 9, np.uint32)
        limits = {"rounds": rounds, "done": done}
        result = kernel.dispatch(2, t0=inputs, u0=empty, cb0=limits)
        rows = empty if done else flow.conditional_rows(inputs, rounds)
        np.testing.assert_array_equal(result.u0, rows)


def check_called(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(11).integers(0, 1 << 32, 16, dtype=np.uint32)
    short, long = inputs.astype(np.int64) & 7, inputs.astype(np.int64) & 15
    for twice in (0, 1):
        expected = short * (short + 1) // 2 + twice * long * (long + 1)
        result = kernel.dispatch(2, t0=inputs, u0=np.zeros_like(inputs), cb0={"twice": twice})
        np.testing.assert_array_equal(result.u0, expected.astype(np.uint32))


CHECKS: dict[str, Check] = {
    "float_alu": row_check(alu.float_inputs, alu.float_rows),
    "integer_alu": row_check(alu.integer_inputs, alu.integer_rows),
    "bits": row_check(alu.bit_inputs, alu.bit_rows),
    "doubles": row_check(alu.double_inputs, alu.double_rows),
    "doubles_eleven_1": row_check(alu.double_inputs, alu.later_double_rows),
    "flow": check_flow,
    "conditional": check_conditional,
    "called": check_called,
    "arrays": check_arrays,
    "min_precision": check_min_precision,
    "precise": check_precise,
}
