"""What a shader test says, as it was read; nothing here knows a device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vkrunner.shadertest.cursor import Line, Token
from vkrunner.values.comparison import EXACT, Tolerance
from vkrunner.values.elements import ElementType
from vkrunner.values.formats import Format


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: `value` is a float where it has a point, an exponent, inf or nan.

    `is_hex` marks bits: in a place for floats they are taken as they are.
    """

    token: Token
    value: int | float
    is_hex: bool = False

    @property
    def is_float(self) -> bool:
        return isinstance(self.value, float)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Values that follow a rule: zeros, ones, fill, iota, random; or they are in a file."""

    token: Token
    name: str
    numbers: tuple[Number, ...] = ()
    path: Path | None = None


Values = tuple[Number | None, ...] | Pattern  # None: any value will do


@dataclass(frozen=True, slots=True)
class Extents:
    """`size (2darray, width, height, layers)`: buffer, raw_buffer, or a dimension of textures.

    `shape` are an array's axes: layers or depth, height, width, samples.
    """

    token: Token
    dimension: str
    shape: tuple[int, ...]

    @property
    def is_buffer(self) -> bool:
        return self.dimension in ("buffer", "raw_buffer")


@dataclass(frozen=True, slots=True)
class Resource:
    """`[uav N]`, `[srv N]`: a buffer or a texture and its first contents.

    `key` is the register or the HLSL name; `guard` are elements around the view, `counter` where a
    hidden counter starts; `element` is what `type` or `format` says an element is.
    """

    token: Token
    key: str
    extents: Extents | None = None
    stride: Number | None = None
    format: Format | None = None
    element: ElementType | None = None
    counter: int | None = None
    levels: int = 1
    guard: tuple[int, int] = (0, 0)
    null: bool = False
    values: Values = ()


@dataclass(frozen=True, slots=True)
class Member:
    """`name = values` of a constant buffer."""

    token: Token
    name: str
    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Constants:
    """`[cb N]`: members by name, or values from the start on."""

    token: Token
    key: str
    members: tuple[Member, ...] = ()
    element: ElementType | None = None
    values: Values = ()


@dataclass(frozen=True, slots=True)
class SamplerSection:
    """`[sampler N]`: what `Device.sampler` takes, by name."""

    token: Token
    key: str
    settings: Mapping[str, Any]


Bound = Resource | Constants | SamplerSection


@dataclass(frozen=True, slots=True)
class Requirement:
    """One line of `[require]`: a feature, a limit with its least value, or a device.

    `name` is the feature's or the limit's (`.y` in `axis`), or a part of the device's name;
    `kind`: feature, float control, limit, device, not device, shader model.
    """

    token: Token
    kind: str
    name: str
    axis: int | None = None
    operator: str = ">="
    number: float = 0.0


@dataclass(frozen=True, slots=True)
class ShaderSection:
    """`[shader]`: a listing (its lines) or a file, and the options of its translation."""

    token: Token
    lines: tuple[Line, ...] = ()
    path: Path | None = None
    options: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Dispatch:
    token: Token
    groups: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Uniform:
    """`uniform OFFSET TYPE VALUES`: constants from a dword on, for the dispatches that follow."""

    token: Token
    key: str
    offset: int
    element: ElementType
    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """Coordinates from `first` up to, without, `end`; None: the last."""

    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Probe:
    """`probe uav N (place) values`: what a resource has to have there.

    `spans` are x, y, z or layer, sample; none of them for `all`. `leaf` is the type that values are
    written with (`f32`, `rgbaui`), None for the resource's own.
    """

    token: Token
    key: str
    target: Token
    place: Token
    spans: tuple[Span, ...]
    values: Values
    level: int = 0
    field: Token | None = None
    written_as: str | None = None
    components: int | None = None
    tolerance: Tolerance = EXACT


@dataclass(frozen=True, slots=True)
class CounterProbe:
    """`probe uav N counter (V)`."""

    token: Token
    key: str
    target: Token
    expected: Number


Step = Dispatch | Uniform | Probe | CounterProbe


@dataclass(frozen=True, slots=True)
class ExpectedViolation:
    """One record that a report has to have: the fields that are given, `count` times."""

    token: Token
    fields: tuple[tuple[str, object], ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Violations:
    """All records that reports have to have, and no other; or only how many."""

    token: Token
    expected: tuple[ExpectedViolation, ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One `[test]` with all that stands above it."""

    name: str
    token: Token
    shader: ShaderSection
    bound: tuple[Bound, ...]
    requirements: tuple[Requirement, ...]
    steps: tuple[Step, ...]
    error: Token | None = None
    violations: Violations | None = None
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class ShaderTest:
    """A file: its tests in their order."""

    path: Path
    cases: tuple[Case, ...]
