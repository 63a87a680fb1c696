"""Samplers of every filter and address mode."""

from __future__ import annotations

from .case import Argument
from .choices import Choices
from .scope import Abilities

_MODES = ("clamp", "wrap", "mirror", "border", "mirror_once")
_BORDERS = ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0))
_COMPARISONS = ("less", "less_equal", "equal", "greater")
_POINT = ("point",) * 3


def sampler(
    c: Choices, abilities: Abilities, register: str = "", *, point: bool = False
) -> Argument:
    """Any sampler; `point`: one whose results are exact."""
    filters = _POINT if point else tuple(c.pick(("linear", "point")) for _ in range(3))
    modes = _MODES if abilities.mirror_once else _MODES[:-1]
    address = (c.pick(modes),) * 3 if c.chance(50) else tuple(c.pick(modes) for _ in range(3))
    border = c.pick(_BORDERS) if "border" in address else ()
    return Argument(register, "sampler", filter=filters, address=address, border=border)


def borderless(c: Choices, register: str, *, linear: bool) -> Argument:
    """A sampler without borders; not every device filters depths, so that `linear` may be False."""
    filters = c.pick((_POINT, ("point", "linear", "point"))) if linear else _POINT
    return Argument(register, "sampler", filter=filters, address=c.pick(_MODES[:3]))


def comparing(c: Choices, register: str) -> Argument:
    """A comparison sampler without filtering, which not every device supports."""
    return Argument(register, "sampler", filter=_POINT, address=c.pick(_MODES[:3]),
                    comparison=c.pick(_COMPARISONS))  # fmt: skip


def is_point(sampler: Argument) -> bool:
    """Whether it returns texels unchanged."""
    return sampler.filter == _POINT
