"""One case on a device and on the reference machine: equal UAVs and equal reports.

The device runs the program with this project's optimisation on, off, after SPIRV-Tools', and with
the sums of products that GPUs fuse.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

import numpy as np

import translate
from checks.fused import fused
from checks.spirv_opt import reoptimized
from translate import SpirvModule
from translate.options import WORKAROUNDS
from vkrunner import RunnerError
from vkrunner.info.device_info import Tried
from vkrunner.shader.device_options import options_of
from vkrunner.shader.shader import Shader
from vkrunner.values.formats import format_of_name
from vkrunner.vulkan.encode.step_commands import CAPACITY

from .binding import Array, Bound, element_bytes
from .case import Argument, Case
from .known import known
from .program import DUMP_STRIDE, EXTREME, NEARLY_AT

_RELATIVE, _ABSOLUTE = 2.0**-13, 2.0**-9  # the largest tolerances of any instruction: FS §22.10
_TIMEOUT = 300.0  # seconds: a driver may take a minute to compile a program on a loaded machine
_NOTHING = ("empty", "null")
_WINDOWED = ("view", *_NOTHING)
_IN_RANGE = re.compile(r"([a-z]+)\d+_space(\d+)(?:\[-?\d+\])?")

Left = dict[str, Array]


class DifferenceError(AssertionError):
    """The device's results differ from the reference machine's."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The memory after a dispatch, and its reports of out-of-bounds accesses.

    `unused` are those of loads whose result is unused, `disorder` the races and
    divergent barriers that the reference machine found.
    """

    left: Left
    reported: Counter[Any]
    unused: Counter[Any]
    total: int
    disorder: tuple[Any, ...]


class _Form(Shader):
    """A listing that is translated once for each Options, and then changed by `then`."""

    def __init__(self, listing: str, then: Callable[[SpirvModule], SpirvModule] | None):
        super().__init__(translate.load(listing))
        self._then = then
        self._made: list[tuple[translate.Options, SpirvModule]] = []

    def module(self, options: translate.Options) -> SpirvModule:
        for done, module in self._made:
            if done == options:
                return module
        module = super().module(options)
        module = self._then(module) if self._then is not None else module
        self._made.append((options, module))
        return module


def _options(case: Case) -> dict[str, Any]:
    """The guards, the tables of sizes and windows, and the formats where all are the same.

    The runner finds the formats itself: with the same formats one translation is enough.
    """
    singles = [a for a in case.arguments if a.element is None]
    windows = frozenset(
        a.register
        for a in singles
        if a.placement in _WINDOWED and a.kind in ("raw", "structured", "typed")
    )
    formats = {a.register: _bound_format(a) for a in singles if a.format}
    return {
        "guards": case.guards,
        "denormals": case.denormals,
        "denormal_test": case.denormal_test,
        "sampling": case.sampling,
        "windows": windows,
        "formats": formats,
        "bindings": _bindings(case),
        "push_constants": {
            a.register: case.push_bytes
            for a in singles
            if a.kind == "constants" and a.placement == "array"
        },
    }


def _offered(device: Any, case: Case) -> dict[str, Any]:
    """The device's options, without the controls and accesses that the case leaves out."""
    usual, without = _usual(device), frozenset(case.without)
    return {
        "float_controls": usual.float_controls - without,
        "robust_access": usual.robust_access - without,
        "workarounds": usual.workarounds | WORKAROUNDS.intersection(case.worked_around),
        "max_inlined": case.max_inlined,
    }


def _usual(device: Any) -> translate.Options:
    """The options of the device's own kernels, but for samples."""
    tried = Tried(
        lambda *_: device.faults,
        needless_modes=lambda: device.needless_modes,
        exact_functions=lambda _: device.exact_functions,
    )
    return options_of({}, device.info, tried)


def _bindings(case: Case) -> dict[str, tuple[int, int]]:
    """Ranges in one descriptor set: a set for each space would be more than devices have."""
    ranged = [a for a in case.arguments if _is_ranged(a)]
    names = [a.register for a in ranged]
    names += [f"{a.register}.counter" for a in ranged if a.counter is not None]
    return {name: (1, number) for number, name in enumerate(dict.fromkeys(names))}


def _bound_format(argument: Argument) -> str:
    """A null resource has the simplest format of its component."""
    if argument.placement != "null":
        return argument.format
    return f"r32_{format_of_name(argument.format).component}"


# name -> the options of the translation, and a change of the module after it
FORMS: dict[str, tuple[dict[str, Any], Callable[[SpirvModule], SpirvModule] | None]] = {
    "optimize=True": ({}, None),
    "optimize=False": ({"optimize": False, "max_inlined": 0}, None),
    "spirv-opt": ({}, reoptimized),
    "fused": ({}, fused),
    # The runner sets the constants for what its probes found the device to do
    "specialize": (
        {
            "specialize": True,
            "robust_access": frozenset[str](),
            "exact_samples": frozenset[str](),
            "exact_functions": frozenset[str](),
        },
        None,
    ),
    "guards=off": ({"guards": "off"}, None),
    "guards=robustness2": ({"guards": "robustness2"}, None),
}
_UNGUARDED = ("guards=off", "guards=robustness2")


def execute(device: Any, source: Any, case: Case, **options: Any) -> Outcome:
    """Dispatch on a device."""
    with ExitStack() as stack:
        bound = [Bound(device, argument, case.seed) for argument in case.arguments]
        for one in bound:
            stack.callback(one.close)
        kernel = stack.enter_context(closing(device.kernel(source, **options)))
        result = kernel.dispatch(case.groups, timeout=_TIMEOUT, **_given(bound))
        left: Left = {}
        for one in bound:
            left |= one.left(result)
    # A register outside of a range, or left out of the list, is null.
    null = {a.register for a in case.arguments if a.placement in _NOTHING or _is_ranged(a)}
    records = [(_record(v, _range_of(v.register, case), null), v) for v in result.violations]
    reported = Counter(record for record, _ in records)
    unused = Counter(record for record, v in records if v.is_harmless)
    disorder = getattr(result, "races", ()) + getattr(result, "divergent_barriers", ())
    return Outcome(left, reported, unused, result.violations.total, disorder)


def _is_ranged(argument: Argument) -> bool:
    """Whether an index, which may be outside of the range, selects the register."""
    return _IN_RANGE.fullmatch(argument.register) is not None


def _given(bound: list[Bound]) -> dict[str, Any]:
    """The arguments of `dispatch`: a value for each register, a list for a range."""
    given: dict[str, Any] = {}
    for one in bound:
        if one.argument.element is None:
            given[one.argument.register] = one.value
        else:
            given.setdefault(one.argument.register, []).append(one.value)
    return given


def _record(v: Any, register: str, null: set[str]) -> Any:
    """A report's fields, without those that are undefined for a null resource."""
    defined = v.defined if register not in null else None
    return (v.instruction, v.line, v.thread, v.group, register, v.kind, v.cause, v.index,
            v.byte_offset, defined, v.y, v.z, v.slice, v.mip, v.sample)  # fmt: skip


def _range_of(register: str, case: Case) -> str:
    """A register, or the range that it is in: devices do not report which of its registers it was.

    No two ranges of a class have the same space.
    """
    found = _IN_RANGE.fullmatch(register)
    if found is None:
        return register
    ranges = [_IN_RANGE.fullmatch(a.register) for a in case.arguments]
    return next(r[0] for r in ranges if r is not None and r.groups() == found.groups())


def check(machine: Any, device: Any, case: Case, forms: tuple[str, ...] = tuple(FORMS)) -> None:
    """Raise DifferenceError where a form of the program differs from the reference machine.

    Raises ValueError where the result depends on the order of threads, a fault of the generator.
    """
    source = {"guards": "report", "optimize": False}
    expected = execute(machine, translate.load(case.listing), case, **source)
    if expected.disorder:
        raise ValueError(f"what the program does depends on an order: {expected.disorder[0]}")
    for form in forms:
        if form == "fused" and not device.info.features.float64:
            continue
        if form in _UNGUARDED and not _may_be_unguarded(form, device, case, expected):
            continue
        options, then = FORMS[form]
        options = {**_offered(device, case), **_options(case), **options}
        try:
            found = execute(device, _Form(case.listing, then), case, **options)
        except RunnerError as error:
            if case.many_rounds and type(error).__name__ in {k.error for k in known(device)}:
                continue
            raise
        problem = difference(case, expected, found)
        if problem:
            raise DifferenceError(f"{form}: {problem}")


def _may_be_unguarded(form: str, device: Any, case: Case, expected: Outcome) -> bool:
    """Whether the program runs without guards: if no access of it is outside.

    No report says that a size or a sample is of a register outside of its range. With "off",
    samples at special operands have the device's results.
    """
    kept = _usual(device).robust_access
    if form == "guards=off":
        able = EXTREME.search(case.listing) is None
    else:
        able = kept >= {"robust_buffer_access2", "robust_image_access"}
    bound = not any(a.placement in _NOTHING or _is_ranged(a) for a in case.arguments)
    return able and bound and case.guards == "d3d" and not expected.total


def difference(case: Case, expected: Outcome, found: Outcome) -> str:
    """The first difference of two outcomes; '' if they are equal."""
    arguments = {a.name: a for a in case.arguments}
    for name, wanted in expected.left.items():
        argument = arguments[name.partition(".")[0]]
        problem = _array_difference(argument, wanted, found.left[name])
        if problem:
            return f"{name}{problem}"
    if case.guards != "report":
        return ""
    if expected.total != found.total:
        return f"{found.total} reports, not {expected.total}"
    if expected.total > CAPACITY:
        return ""
    more = found.reported - expected.reported
    missing = expected.reported - found.reported
    if more or missing:
        return f"reports {[*more][:2]}, not {[*missing][:2]}"
    used = found.unused - expected.unused  # the machine follows numbers, and finds more unused ones
    return f"reports as unused {[*used][:2]}" if used else ""


def _array_difference(argument: Argument, wanted: Array, found: Array) -> str:
    if argument.tolerance:
        floats = wanted.view(np.float32), found.view(np.float32)
        return _first_difference(*floats, absolute=argument.tolerance)
    if argument.stride == DUMP_STRIDE:
        dumps = [a.reshape(-1, DUMP_STRIDE // 4) for a in (wanted, found)]
        nearly = [np.ascontiguousarray(d[:, NEARLY_AT // 4 :]).view(np.float32) for d in dumps]
        with np.errstate(invalid="ignore"):
            expected, given = (a.astype(np.float64) for a in nearly)
        # .x and .z have relative tolerances, .y and .w absolute ones.
        absolute = np.array([0, _ABSOLUTE, 0, _ABSOLUTE]) + 1e-37
        problem = _first_difference(expected, given, absolute, _RELATIVE)
        if problem:
            return f" in the part with tolerances: {problem}"
        wanted, found = (d[:, : NEARLY_AT // 4] for d in dumps)
    elif argument.counter is not None and wanted.size > 1:
        # Appended elements are in any order.
        wanted, found = (_sorted(argument, a) for a in (wanted, found))
    return _first_difference(wanted, found)


def _first_difference(
    wanted: Array, found: Array, absolute: Any = None, relative: float = 0.0
) -> str:
    """The first place where numbers differ by more than the tolerance, if any; '' if none does.

    Without a tolerance zeros of both signs differ.
    """
    same = wanted == found
    if wanted.dtype.kind == "f":
        if absolute is None:
            same &= np.signbit(wanted) == np.signbit(found)
        else:
            with np.errstate(invalid="ignore"):
                same |= np.abs(wanted - found) <= relative * np.abs(wanted) + absolute
        same |= np.isnan(wanted) & np.isnan(found)
    places = np.argwhere(~same)
    if not len(places):
        return ""
    at = tuple(int(i) for i in places[0])
    return f"{list(at)} is {_shown(found[at])}, not {_shown(wanted[at])} ({len(places)} differ)"


def _shown(value: Any) -> str:
    return hex(value) if isinstance(value, np.integer) and value > 9 else str(value)


def _sorted(argument: Argument, array: Array) -> Array:
    """Structures in the order of their contents."""
    rows = array.reshape(-1, element_bytes(argument) // 4)
    return rows[np.lexsort(rows.T)]
