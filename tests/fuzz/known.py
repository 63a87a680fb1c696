"""Differences that the search expects, by name.

Each has a section in docs/drivers.md. On the devices that have it, programs do not use the feature
that shows it, or a dispatch may raise an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Has = Callable[[Any], bool]


@dataclass(frozen=True)
class Known:
    """`section` begins a title of docs/drivers.md; `abilities` are fields of `Abilities`.

    `error` is what a dispatch raises in place of wrong results.
    """

    name: str
    section: str
    has: Has
    abilities: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""


def swiftshader(device: Any) -> bool:
    return "SwiftShader" in device.info.driver


def lavapipe(device: Any) -> bool:
    return "llvmpipe" in device.name


def mesa_22_3(device: Any) -> bool:
    return "Mesa 22.3" in device.info.driver_version


def _either(device: Any) -> bool:
    return swiftshader(device) or lavapipe(device)


KNOWN = (
    Known("gathers_mirrored_once", "SwiftShader: gathers of a texture that is mirrored once",
          swiftshader, {"mirror_once_gathers": False}),
    Known("special_small_floats", "SwiftShader: infinities and NaNs spoil texels of small floats",
          swiftshader, {"special_small_floats": False}),
    Known("cube_edges", "SwiftShader: cube maps are black beyond the edges of their faces",
          swiftshader, {"cube_edges": False}),
    Known("half_mips", "lavapipe and SwiftShader: a point filter between mips rounds halves",
          _either, {"half_mips": False}),
    Known("constant_maxima", "SwiftShader: a minimum or maximum of two constants is lost",
          swiftshader, {"constant_maxima": False}),
    Known("divergent_fences", "lavapipe, Mesa 22.3: threads are lost after a loop",
          mesa_22_3, {"divergent_fences": False}),
    Known("fourth_constants", "lavapipe, Mesa 22.3: the fourth constant buffer ends the process",
          mesa_22_3, {"fourth_constants": False}),
    Known("zeros_of_arrays", "lavapipe, Mesa 22.3 to 25.0 at least: sums and products with zeros",
          lavapipe, {"zeros_of_arrays": False}),
    Known("ended_loops", "lavapipe, Mesa 22.3: loops end after 65,535 iterations", mesa_22_3,
          error="LoopLimitError"),
)  # fmt: skip


def known(device: Any) -> tuple[Known, ...]:
    """Those that a device has."""
    return tuple(one for one in KNOWN if one.has(device))
