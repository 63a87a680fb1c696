"""Options: what a caller may choose about a translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from translate.errors import TranslateError
from translate.linkage import Choice, ClassInstances

GUARDS = ("d3d", "report", "robustness2", "off")
DENORMALS = ("d3d", "device")
SAMPLING = ("d3d", "device")
TARGETS = ("vulkan1.1", "vulkan1.2", "vulkan1.3")


@dataclass(frozen=True)
class Options:
    """How to translate.

    `guards`: "d3d" (explicit checks, D3D's results on every device), "report" (the same, and every
    breach is recorded), "robustness2" (rely on VK_EXT_robustness2), "off" (no checks).
    `target`: the SPIR-V environment. `bindings`: register (`t0`, `u1`, `cb0`, `s0`, `u1.counter`)
    to (set, binding). `formats`: register of a typed resource to the DXGI format that will be
    bound, where it is known (`{"u0": "r32_uint"}`), or for a range (cs_5_1) to a sequence of one
    for each register; loads from a UAV whose format is not known, or not the same throughout, need
    the device's read-without-format feature. `float_controls`: execution modes of the device:
    "denorm_flush_to_zero_32", "denorm_preserve_64", "signed_zero_inf_nan_preserve_32",
    "signed_zero_inf_nan_preserve_64", "rounding_mode_rte_32", "rounding_mode_rte_64".
    `array_lengths`: first register of an unbounded range (cs_5_1) to how many resources will be
    bound, which makes it a range of that length; other ranges need runtime descriptor arrays.
    `windows`: registers of buffers whose view is a part of what the descriptor shows; it begins and
    ends as push constants say (`ShaderInterface.windows`), so that a view may start at any element
    and may be empty.
    `class_instances`: interface (its HLSL name, or `fp0`) to the class instance behind it, by name
    or as a ClassInstance; a list of them for an array of interfaces.
    `denormals`: "d3d" (32-bit arithmetic flushes them, which costs a few integer instructions on
    a device that does not by itself) or "device" (whatever the device does).
    `sampling`: "d3d" (samples at NaN, infinite and very large coordinates, slices, levels of detail
    and gradients have D3D's results, which costs a test before each that is not known to be
    ordinary) or "device" (whatever the device does).
    `optimize`: run the passes that only make code smaller or faster. `validate`: check the result
    with SPIRV-Tools; "available" (the default) leaves the check out where there are none, and warns
    of that once in a process, True raises TranslateError there. `debug_lines`: OpLine back to the
    listing.
    Raises TranslateError for a value that is none of these.
    """

    guards: str = "d3d"
    target: str = "vulkan1.1"
    bindings: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    formats: Mapping[str, str | Sequence[str]] = field(
        default_factory=dict[str, str | Sequence[str]]
    )
    float_controls: frozenset[str] = frozenset()
    array_lengths: Mapping[str, int] = field(default_factory=dict[str, int])
    windows: frozenset[str] = frozenset()
    class_instances: ClassInstances = field(default_factory=dict[str, Choice | Sequence[Choice]])
    denormals: str = "d3d"
    sampling: str = "d3d"
    optimize: bool = True
    validate: bool | Literal["available"] = "available"
    debug_lines: bool = False

    def __post_init__(self) -> None:
        _one_of("guards", self.guards, GUARDS)
        _one_of("target", self.target, TARGETS)
        _one_of("denormals", self.denormals, DENORMALS)
        _one_of("sampling", self.sampling, SAMPLING)
        if self.validate not in (True, False, "available"):
            message = f"validate must be True, False or 'available', not {self.validate!r}"
            raise TranslateError(message)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise TranslateError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
