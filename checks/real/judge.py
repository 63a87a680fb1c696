"""One program on a device and on the reference machine, and the causes of differences.

A program runs in two forms. `exact` has exact instructions in place of those with a tolerance and
point filters: its results have to be equal. `plain` is the program itself, whose results may differ
as far as its instructions' tolerances explain.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

import translate
from translate.reference.findings import UNINITIALISED
from vkrunner.values.formats import format_of_name

from .inputs import Array, Input, Maker
from .rewrite import Three, alone, disturbed, exact, inexact, listing_of, mirrored, sampled_beside

_TIMEOUT = 30.0
_DISTURBANCES = 4
_TEXELS = 2.0**-21  # relative: small integers in texels become floats by a product
_TIMES = 16  # how many times the change by a disturbance a difference may be

# name -> options of the device's kernel
FORMS: Mapping[str, Mapping[str, Any]] = {
    "default": {},
    "plain code": {
        **{"optimize": False, "max_inlined": 0, "robust_access": frozenset[str]()},
        "denormal_test": "comparison",
    },
    "report": {"guards": "report"},
}


@dataclass(frozen=True)
class Outcome:
    """The memory after a dispatch, how many accesses were outside, and why devices may differ.

    `disorder` names the registers of races, `uninitialised` group-shared memory that was read
    before it was written.
    """

    left: dict[str, Array]
    outside: int
    disorder: str
    uninitialised: str


@dataclass
class Verdict:
    """The differences of one program. `causes` are names, of which "unexplained" is one."""

    file: str
    seed: int
    causes: list[str] = field(default_factory=list[str])
    details: list[str] = field(default_factory=list[str])


class Judge:
    """Runs a program with random inputs on a device and on the reference machine."""

    def __init__(self, machine: Any, device: Any):
        self.machine, self.device = machine, device

    def judge(self, path: str, seed: int) -> Verdict:
        """Run a container. Raises as kernels and dispatches do."""
        verdict = Verdict(path, seed)
        program = translate.load(path)
        listing = listing_of(program)
        interface = translate.to_spirv(program, translate.Options(validate=False)).interface
        for name, text in (("exact", exact(listing)), ("plain", listing)):
            is_exact = name == "exact"
            maker = Maker(interface, seed, point=is_exact, special=is_exact and seed % 2 == 1)
            run = _Run(self.machine, self.device, text, maker)
            causes, details = run.exact_causes() if is_exact else run.plain_causes()
            verdict.causes += [f"{name}: {cause}" for cause in causes]
            verdict.details += [f"{name}: {detail}" for detail in details]
        return verdict


class _Run:
    def __init__(self, machine: Any, device: Any, listing: str, maker: Maker):
        self.machine, self.device, self.listing = machine, device, listing
        self.groups, self.inputs = maker.groups(listing), maker.inputs()
        self.size = maker.interface.thread_group

    def _on(self, device: Any, listing: str, **options: Any) -> Outcome:
        return execute(device, [(listing, self.groups)], self.inputs, **options)

    def exact_causes(self) -> tuple[list[str], list[str]]:
        wanted = self._on(self.machine, self.listing, guards="report")
        details, wrong = list[str](), dict[str, Outcome]()
        for form, options in FORMS.items():
            found = self._on(self.device, self.listing, **options)
            problem = difference(self.inputs, wanted.left, found.left)
            if not problem and form == "report" and found.outside != wanted.outside:
                problem = f"{found.outside} reports, not {wanted.outside}"
            if problem:
                wrong[form] = found
                details.append(f"{form}: {problem}")
        if not wrong:
            return [], []
        cause = self._cause(wanted)
        if cause == "unexplained" and self._at_edges(wanted, wrong):
            cause = "edge of a texel"
        return [cause], details

    def plain_causes(self) -> tuple[list[str], list[str]]:
        wanted = self._on(self.machine, self.listing, guards="report")
        found = self._on(self.device, self.listing)
        problem = difference(self.inputs, wanted.left, found.left)
        if not problem:
            return [], []
        families = inexact(self.listing)
        cause = self._cause(wanted)
        if cause == "unexplained" and self._explained(wanted, found, families):
            names = [f for f in families if self._changes(wanted, [f])]
            cause = f"precision ({', '.join(names or ['texels'])})"
        return [cause], [problem]

    def _cause(self, wanted: Outcome) -> str:
        """The name of a cause that needs no precision."""
        if wanted.disorder:
            return f"race ({wanted.disorder})"
        if wanted.uninitialised:
            return f"uninitialised ({wanted.uninitialised})"
        turned = mirrored(self.listing, self.groups, self.size)
        for device in (self.machine, self.device):
            one = self._on(device, self.listing)
            other = self._on(device, turned)
            if difference(self.inputs, one.left, other.left):
                return f"order of threads ({'machine' if device is self.machine else 'device'})"
        numbers = ((x, y, z) for z, y, x in np.ndindex(self.groups[::-1]))
        single = [(alone(self.listing, number, self.size), (1, 1, 1)) for number in numbers]
        other = execute(self.machine, single, self.inputs)
        if difference(self.inputs, wanted.left, other.left):
            return "order of groups"
        return "unexplained"

    def _at_edges(self, wanted: Outcome, wrong: Mapping[str, Outcome]) -> bool:
        """Whether all that differs also changes if samples' coordinates move a little.

        D3D converts coordinates to fixed point with 8 bits of a texel (FS §7.18.8): a point filter
        takes either texel at an edge.
        """
        moved = [
            self._on(self.machine, sampled_beside(self.listing, signs), guards="report")
            for signs in product((-1, 1), repeat=3)
        ]

        def changes(name: str, others: Iterable[Outcome]) -> Array:
            value = wanted.left[name]
            found = [_differs(self.inputs, name, value, other.left[name]) for other in others]
            return np.any(found, axis=0)

        counts = {wanted.outside, *(one.outside for one in moved)}
        if "report" in wrong and wrong["report"].outside != wanted.outside and len(counts) == 1:
            return False
        return not any((changes(n, wrong.values()) & ~changes(n, moved)).any() for n in wanted.left)

    def _disturbed(self, families: list[str], seed: int) -> Outcome:
        rng = random.Random(seed)
        listing = disturbed(self.listing, families, lambda: rng.choice((-1, 1)))
        return self._on(self.machine, listing)

    def _changes(self, wanted: Outcome, families: list[str]) -> bool:
        """Whether a disturbance of these instructions changes anything."""
        if not set(families) & set(inexact(self.listing)):
            return False
        other = self._disturbed(families, 1)
        return bool(difference(self.inputs, wanted.left, other.left))

    def _explained(self, wanted: Outcome, found: Outcome, families: list[str]) -> bool:
        """Whether the results are no further off than those of disturbed instructions."""
        counts = range(_DISTURBANCES if families else 0)
        others = [wanted.left, *(self._disturbed(families, n).left for n in counts)]
        strays, changed = 0, 0
        for name, value in wanted.left.items():
            floats = _floats(self.inputs, name, value)
            far = _apart(floats, _floats(self.inputs, name, found.left[name]))
            moved = [_apart(floats, _floats(self.inputs, name, o[name])) for o in others]
            most = np.max(moved, axis=0)
            strays += int(np.sum(far > _TIMES * most + _TEXELS * np.abs(floats)))
            changed += int(np.sum(most > 0))
        return strays == 0 or strays * 4 <= changed


def _apart(a: Array, b: Array) -> Array:
    with np.errstate(all="ignore"):
        gap = np.abs(a - b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return np.where(same, 0, np.where(np.isfinite(gap), gap, 1e30))


def execute(
    device: Any,
    dispatches: list[tuple[str, Three]],
    inputs: Mapping[str, list[Input]],
    **options: Any,
) -> Outcome:
    """Dispatch listings on a device, one after the other on the same resources."""
    bound = {name: [one.bound(device) for one in some] for name, some in inputs.items()}
    outside, disorder, uninitialised = 0, list[str](), list[str]()
    try:
        for listing, groups in dispatches:
            with device.kernel(listing, **options) as kernel:
                names = {b.register for b in kernel.interface}
                given = {n: v[0] if inputs[n][0].binding.count == 1 else v
                         for n, v in bound.items() if n in names}  # fmt: skip
                result = kernel.dispatch(groups, timeout=_TIMEOUT, **given)
                outside += result.violations.total
                uninitialised += [v.register for v in result.violations if v.cause == UNINITIALISED]
                disorder += [race.register for race in getattr(result, "races", ())]
                disorder += ["barrier" for _ in getattr(result, "divergent_barriers", ())]
        left = {
            f"{name}[{n}]": getattr(one, "buffer", one).read()
            for name, some in bound.items()
            if name.startswith("u")
            for n, one in enumerate(some)
        }
        return Outcome(left, outside, _names(disorder), _names(uninitialised))
    finally:
        for some in bound.values():
            for one in some:
                for owner in (one, getattr(one, "buffer", None)):
                    if hasattr(owner, "close"):
                        owner.close()


def _names(registers: list[str]) -> str:
    return ", ".join(sorted(set(registers)))


def _floats(inputs: Mapping[str, list[Input]], name: str, value: Array) -> Array:
    """Numbers to take distances of: dwords of buffers as floats where they look like floats."""
    if value.dtype == np.uint32:
        floats = value.view(np.float32)
        small = (np.abs(floats) < 1e-20) & (value != 0)
        return np.where(small | np.isinf(floats), value.astype(np.float64), floats)
    return value.astype(np.float64)


def difference(inputs: Mapping[str, list[Input]], wanted: dict[str, Array],
               found: dict[str, Array]) -> str:  # fmt: skip
    """The first difference, '' without one. Zeros are equal, and so are NaNs."""
    for name, value in wanted.items():
        other = found[name]
        places = np.argwhere(_differs(inputs, name, value, other))
        if len(places):
            at = tuple(int(i) for i in places[0])
            shown = ", not ".join(_shown(a[at]) for a in (other, value))
            return f"{name}{list(at)} is {shown} ({len(places)} of {value.size} differ)"
    return ""


def _differs(inputs: Mapping[str, list[Input]], name: str, a: Array, b: Array) -> Array:
    """Which elements of a resource differ."""
    return ~((a == b) | _equal_floats(a, b) | _near_texels(inputs, name, a, b))


def _equal_floats(a: Array, b: Array) -> Array:
    if a.dtype == np.uint32:
        a, b = a.view(np.float32), b.view(np.float32)
    if a.dtype.kind != "f":
        return np.zeros(a.shape, bool)
    return (a == b) | (np.isnan(a) & np.isnan(b))


def _near_texels(inputs: Mapping[str, list[Input]], name: str, a: Array, b: Array) -> Array:
    """Whether stored texels are neighbours: a conversion may round either way."""
    format = inputs[name.partition("[")[0]][0].format
    kind = format_of_name(format).kind if format else ""
    if kind not in ("unorm", "snorm") and "16_float" not in format:
        return np.zeros(a.shape, bool)
    if a.dtype.kind == "f":
        a, b = (x.view(np.uint16).astype(np.int64) for x in (a, b))
    return np.abs(a.astype(np.int64) - b.astype(np.int64)) <= 1


def _shown(value: Any) -> str:
    if isinstance(value, np.uint32):
        return f"{int(value):#x} ({value.view(np.float32)})"
    return str(value)
