"""SamplerState: the settings of a sampler. Names are D3D11's in lower case, mapped to Vulkan's.

Source: D3D11_SAMPLER_DESC; Vulkan specification, "Samplers".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np

from translate.dataclass import dataclass
from translate.interface import StaticSampler
from vkrunner.errors import InvalidValueError, UnknownNameError

FilterName: TypeAlias = Literal["point", "linear"]
"""How a sampler filters: `"point"` takes the nearest texel, `"linear"` interpolates."""

AddressName: TypeAlias = Literal["wrap", "mirror", "clamp", "border", "mirror_once"]
"""How a sampler treats coordinates outside of a texture: `"wrap"` repeats the texture, `"mirror"`
repeats it mirrored, `"clamp"` reads the edge, `"border"` the border colour, `"mirror_once"` mirrors
it once and then reads the edge.
"""

ComparisonName: TypeAlias = Literal[
    "never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"
]
"""How a comparison sampler compares the shader's reference with a texel: `"never"`, `"less"`,
`"equal"`, `"less_equal"`, `"greater"`, `"not_equal"`, `"greater_equal"` or `"always"`.
"""

ReductionName: TypeAlias = Literal["minimum", "maximum"]
"""A sampler's result in place of the weighted mean of texels: the `"minimum"` or the `"maximum"` of
each component, of the texels with a weight above 0.
"""

FILTERS: dict[FilterName, str] = {"point": "NEAREST", "linear": "LINEAR"}
ADDRESSES: dict[AddressName, str] = {
    "wrap": "REPEAT",
    "mirror": "MIRRORED_REPEAT",
    "clamp": "CLAMP_TO_EDGE",
    "border": "CLAMP_TO_BORDER",
    "mirror_once": "MIRROR_CLAMP_TO_EDGE",
}
COMPARISONS: dict[ComparisonName, str] = {
    "never": "NEVER",
    "less": "LESS",
    "equal": "EQUAL",
    "less_equal": "LESS_OR_EQUAL",
    "greater": "GREATER",
    "not_equal": "NOT_EQUAL",
    "greater_equal": "GREATER_OR_EQUAL",
    "always": "ALWAYS",
}
REDUCTIONS: dict[ReductionName, str] = {"minimum": "MIN", "maximum": "MAX"}
N = TypeVar("N", bound=str)

_MAX_LOD = 1000.0  # VK_LOD_CLAMP_NONE
_MAX_ANISOTROPY = 16  # D3D11_REQ_MAXANISOTROPY
# setting -> its allowed names (None if it takes numbers), and how many values it has
SETTINGS: dict[str, tuple[Mapping[Any, str] | None, int]] = {
    "filter": (FILTERS, 3),
    "address": (ADDRESSES, 3),
    "comparison": (COMPARISONS, 1),
    "reduction": (REDUCTIONS, 1),
    "border": (None, 4),
    "min_lod": (None, 1),
    "max_lod": (None, 1),
    "lod_bias": (None, 1),
    "max_anisotropy": (None, 1),
}


@dataclass(frozen=True, slots=True)
class SamplerState:
    """The fields of D3D11_SAMPLER_DESC, with D3D11's defaults.

    `filters` are for minification, magnification and mips; `addresses` are for u, v and w. With a
    `comparison` it is a comparison sampler.
    """

    filters: tuple[FilterName, FilterName, FilterName] = ("linear", "linear", "linear")
    addresses: tuple[AddressName, AddressName, AddressName] = ("clamp", "clamp", "clamp")
    lod_bias: float = 0.0
    min_lod: float = 0.0
    max_lod: float = _MAX_LOD
    comparison: ComparisonName | None = None
    border: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    reduction: ReductionName | None = None
    max_anisotropy: int = 1

    def __post_init__(self) -> None:
        _check("filter", self.filters, FILTERS)
        _check("address", self.addresses, ADDRESSES)
        if self.comparison is not None:
            _check("comparison", [self.comparison], COMPARISONS)
        if self.reduction is not None:
            _check("reduction", [self.reduction], REDUCTIONS)
            if self.comparison is not None:
                raise InvalidValueError("a sampler has a comparison or a reduction, not both")
        if not 1 <= self.max_anisotropy <= _MAX_ANISOTROPY:
            raise InvalidValueError(
                f"max_anisotropy is from 1 to {_MAX_ANISOTROPY}, not {self.max_anisotropy}"
            )
        if self.max_anisotropy > 1 and "point" in self.filters[:2]:
            raise InvalidValueError(
                "an anisotropic filter is linear in minification and magnification"
            )
        if not self.min_lod <= self.max_lod:
            raise InvalidValueError(f"min_lod {self.min_lod} is above max_lod {self.max_lod}")

    def settings(self) -> dict[str, str]:
        """The settings as text: filter, address, and others that differ from their defaults."""
        made = {"filter": _one_or_all(self.filters), "address": _one_or_all(self.addresses)}
        if self.comparison is not None:
            made["comparison"] = self.comparison
        if self.reduction is not None:
            made["reduction"] = self.reduction
        if "border" in self.addresses:
            made["border"] = _one_or_all(self.border)
        numbers = {"lod_bias": 0.0, "min_lod": 0.0, "max_lod": _MAX_LOD, "max_anisotropy": 1}
        for name, default in numbers.items():
            if getattr(self, name) != default:
                made[name] = f"{getattr(self, name):g}"
        return made


def sampler_state(
    filter: FilterName | Sequence[FilterName] = "linear",
    address: AddressName | Sequence[AddressName] = "clamp",
    border: float | Sequence[float] = 1.0,
    comparison: ComparisonName | None = None,
    reduction: ReductionName | None = None,
    max_anisotropy: float = 1,
    **lods: float,
) -> SamplerState:
    """A state from one name or three for `filter` and `address`, one number or four for `border`.

    `lods` are `lod_bias`, `min_lod` and `max_lod`. Raises ArgumentError for invalid values.
    """
    colour = _repeated(border, 4, (int, float, np.number), "a border has one number or four")
    return SamplerState(
        filters=_three("filter", filter),
        addresses=_three("address", address),
        border=cast("Any", tuple(float(_number("border", c)) for c in colour)),
        comparison=comparison,
        reduction=reduction,
        max_anisotropy=_whole("max_anisotropy", max_anisotropy),
        **{name: _number(name, value) for name, value in lods.items()},
    )


def _one_or_all(values: Sequence[object]) -> str:
    return " ".join(map(str, values[:1] if len(set(values)) == 1 else values))


def default_state(comparing: bool) -> SamplerState:
    """The sampler that D3D uses for an unbound register; for comparisons, one that never passes."""
    return SamplerState(comparison="never") if comparing else SamplerState()


def static_state(sampler: StaticSampler) -> SamplerState:
    """The state of a root signature's static sampler. Raises ArgumentError for impossible ones."""
    return sampler_state(
        cast("Any", sampler.filter),
        cast("Any", sampler.address),
        sampler.border,
        cast("Any", sampler.comparison),
        cast("Any", sampler.reduction),
        sampler.max_anisotropy,
        lod_bias=sampler.lod_bias,
        min_lod=sampler.min_lod,
        max_lod=min(sampler.max_lod, _MAX_LOD),
    )


def _three(setting: str, names: N | Sequence[N]) -> tuple[N, N, N]:
    every = _repeated(names, 3, (str,), f"{setting} is one name or three")
    return every[0], every[1], every[2]


def _repeated(value: Any, count: int, scalars: tuple[type, ...], rule: str) -> tuple[Any, ...]:
    """`count` values: one value repeated, or a sequence's. Raises ArgumentError with `rule`."""
    if isinstance(value, scalars):
        return (value,) * count
    values = tuple(cast("Iterable[Any]", value)) if isinstance(value, Iterable) else ()
    if len(values) != count:
        raise InvalidValueError(f"{rule}, not {value!r}")
    return values


def _number(setting: str, value: Any) -> float:
    """The value, if it is a number in the range of floats. Raises ArgumentError if not."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise InvalidValueError(f"{setting} is a number, not {value!r}")
    number = cast("float", value)
    try:
        float(number)
    except OverflowError:
        raise InvalidValueError(f"{setting} is out of the range of floats") from None
    return number


def _whole(setting: str, value: Any) -> int:
    """A whole number. Raises ArgumentError for others."""
    number = _number(setting, value)
    if not float(number).is_integer():
        raise InvalidValueError(f"{setting} is a whole number, not {value!r}")
    return round(number)


def _check(setting: str, names: Iterable[Any], allowed: Collection[str]) -> None:
    for name in names:
        if not isinstance(name, str) or name not in allowed:
            raise UnknownNameError(f"no {setting} {name!r}; there are {', '.join(allowed)}")
