"""Differences that the search expects of a device, by the names of its faults.

Only faults that are not worked around are here. On devices that have one, programs do not use the
feature that shows it, or a dispatch may raise an error. The tolerances of results are in `compare`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Known:
    """`fault` is a name of Device.faults, `abilities` are fields of `Abilities`.

    `error` is what a dispatch raises in place of wrong results.
    """

    fault: str
    abilities: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""


KNOWN = (
    Known("mirrored_gathers", {"mirror_once_gathers": False}),
    Known("special_small_floats", {"special_small_floats": False}),
    Known("cube_edges", {"cube_edges": False}),
    Known("cube_faces", {"cube_edges": False}),
    Known("mip_ties", {"half_mips": False}),
    Known("loop_limit", error="LoopLimitError"),
)


def known(device: Any) -> tuple[Known, ...]:
    """Those that a device has."""
    return tuple(one for one in KNOWN if one.fault in device.faults)
