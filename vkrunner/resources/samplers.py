"""Sampler: how a texture is sampled. Names are D3D11's, in lower case.

Source: D3D11_SAMPLER_DESC; Vulkan specification, "Samplers".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from vkrunner.errors import ArgumentError, FeatureError, LimitError
from vkrunner.vulkan import vk
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pool import next_token
from vkrunner.vulkan.records import MIRROR_ONCE_EXTENSION

FILTERS = {"point": "NEAREST", "linear": "LINEAR"}
ADDRESSES = {
    "wrap": "REPEAT",
    "mirror": "MIRRORED_REPEAT",
    "clamp": "CLAMP_TO_EDGE",
    "border": "CLAMP_TO_BORDER",
    "mirror_once": "MIRROR_CLAMP_TO_EDGE",
}
COMPARISONS = {
    "never": "NEVER",
    "less": "LESS",
    "equal": "EQUAL",
    "less_equal": "LESS_OR_EQUAL",
    "greater": "GREATER",
    "not_equal": "NOT_EQUAL",
    "greater_equal": "GREATER_OR_EQUAL",
    "always": "ALWAYS",
}
_BORDERS = {  # Vulkan has no others without an extension
    (0.0, 0.0, 0.0, 0.0): "FLOAT_TRANSPARENT_BLACK",
    (0.0, 0.0, 0.0, 1.0): "FLOAT_OPAQUE_BLACK",
    (1.0, 1.0, 1.0, 1.0): "FLOAT_OPAQUE_WHITE",
}
_MAX_LOD = 1000.0  # VK_LOD_CLAMP_NONE


@dataclass(frozen=True, slots=True)
class SamplerState:
    """What D3D11_SAMPLER_DESC says; what is left out is D3D11's default.

    Filters are point or linear; addresses wrap, mirror, clamp, border or mirror_once, for u, v, w.
    `comparison` makes a comparison sampler: never, less, equal, less_equal, greater, not_equal,
    greater_equal, always.
    """

    filters: tuple[str, str, str] = ("linear", "linear", "linear")  # min, mag, mip
    addresses: tuple[str, str, str] = ("clamp", "clamp", "clamp")
    lod_bias: float = 0.0
    min_lod: float = 0.0
    max_lod: float = _MAX_LOD
    comparison: str | None = None
    border: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        for name in self.filters:
            _one_of("filter", name, FILTERS)
        for name in self.addresses:
            _one_of("address", name, ADDRESSES)
        if self.comparison is not None:
            _one_of("comparison", self.comparison, COMPARISONS)
        if not self.min_lod <= self.max_lod:
            raise ArgumentError(f"min_lod {self.min_lod} is above max_lod {self.max_lod}")


class Sampler:
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device."""

    def __init__(self, logical: LogicalDevice, state: SamplerState):
        self.state = state
        self.logical = logical
        self.token = next_token()
        self._stack = logical.own(self)
        self.handle = create_sampler(logical, state, self._stack)


def sampler_state(
    filter: str | Sequence[str],
    address: str | Sequence[str],
    border: float | Sequence[float],
    comparison: str | None = None,
    **lods: float,
) -> SamplerState:
    """A state from one name for all or a sequence of three, and one number or four.

    `lods` are `lod_bias`, `min_lod` and `max_lod`. Raises ArgumentError for what is none of these.
    """
    colour = _repeated(border, 4, (int, float, np.number), "a border has one number or four")
    return SamplerState(
        filters=_three("filter", filter),
        addresses=_three("address", address),
        border=cast("Any", tuple(float(_number("border", c)) for c in colour)),
        comparison=comparison,
        **{name: _number(name, value) for name, value in lods.items()},
    )


def default_state(comparing: bool) -> SamplerState:
    """D3D's for a register without a sampler; where it compares, nothing passes."""
    return SamplerState(comparison="never") if comparing else SamplerState()


def create_sampler(logical: LogicalDevice, state: SamplerState, stack: ExitStack) -> vk.Handle:
    """A VkSampler. Raises FeatureError or LimitError for what the device cannot do."""
    most = logical.info.limits.max_sampler_lod_bias
    if abs(state.lod_bias) > most:
        raise LimitError(f"a bias of {state.lod_bias}: {logical.info.name} allows {most}")
    name, uses_border = logical.info.name, "border" in state.addresses
    if "mirror_once" in state.addresses and MIRROR_ONCE_EXTENSION not in logical.info.extensions:
        raise FeatureError(f"{name} lacks {MIRROR_ONCE_EXTENSION}, which mirror_once needs")
    if uses_border and state.border not in _BORDERS:
        raise FeatureError(
            f"a border of {state.border}: there are (0, 0, 0, 0), (0, 0, 0, 1) and (1, 1, 1, 1)"
        )
    border = _BORDERS.get(state.border, "FLOAT_OPAQUE_WHITE")
    minify, magnify, mips = (FILTERS[name] for name in state.filters)
    u, v, w = (vk.constant(_address(name)) for name in state.addresses)
    info = vk.struct(
        "VkSamplerCreateInfo",
        magFilter=vk.constant(f"VK_FILTER_{magnify}"),
        minFilter=vk.constant(f"VK_FILTER_{minify}"),
        mipmapMode=vk.constant(f"VK_SAMPLER_MIPMAP_MODE_{mips}"),
        addressModeU=u,
        addressModeV=v,
        addressModeW=w,
        mipLodBias=state.lod_bias,
        compareEnable=int(state.comparison is not None),
        compareOp=vk.constant(f"VK_COMPARE_OP_{COMPARISONS[state.comparison or 'never']}"),
        minLod=state.min_lod,
        maxLod=state.max_lod,
        borderColor=vk.constant(f"VK_BORDER_COLOR_{border}"),
    )
    return logical.create("VkSampler", info, stack)


def _address(name: str) -> str:
    return f"VK_SAMPLER_ADDRESS_MODE_{ADDRESSES[name]}"


def _three(what: str, names: str | Sequence[str]) -> tuple[str, str, str]:
    every = _repeated(names, 3, (str,), f"{what} is one name or three")
    return every[0], every[1], every[2]


def _repeated(value: Any, count: int, scalars: tuple[type, ...], rule: str) -> tuple[Any, ...]:
    """`count` values: one repeated, or those of a sequence. Raises ArgumentError with the rule."""
    if isinstance(value, scalars):
        return (value,) * count
    values = tuple(cast("Iterable[Any]", value)) if isinstance(value, Iterable) else ()
    if len(values) != count:
        raise ArgumentError(f"{rule}, not {value!r}")
    return values


def _number(what: str, value: Any) -> float:
    """The value itself. Raises ArgumentError, with the parameter's name, for what is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ArgumentError(f"{what} is a number, not {value!r}")
    return cast("float", value)


def _one_of(what: str, name: Any, allowed: dict[str, str]) -> None:
    if not isinstance(name, str) or name not in allowed:
        raise ArgumentError(f"no {what} {name!r}; there are {', '.join(allowed)}")
