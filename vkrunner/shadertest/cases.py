"""The contents of a shader test: for each case the resources, the shader and the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from translate.dataclass import dataclass, field
from vkrunner import DeviceInfo
from vkrunner.shadertest.cursor import Line, Token
from vkrunner.values.comparison import EXACT, Tolerance
from vkrunner.values.elements import ElementType, element_of_format
from vkrunner.values.formats import Format

SUFFIX = ".shader_test"  # of files with tests


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written. `value` is a float if it has a point or an exponent, or is inf or nan.

    A hexadecimal number gives the bits, also in place of a float.
    """

    token: Token
    value: int | float

    @property
    def is_float(self) -> bool:
        return isinstance(self.value, float)

    @property
    def is_hex(self) -> bool:
        return "x" in self.token.text.lower()


@dataclass(frozen=True, slots=True)
class Pattern:
    """Values by a rule (zeros, ones, fill, iota, random), or from the file `path`."""

    token: Token
    name: str
    numbers: tuple[Number, ...] = ()
    path: Path | None = None


Values = tuple[Number | None, ...] | Pattern  # None: any value will do


class LastingKey(str):
    """The register or HLSL name of a resource that outlasts the shader, as vkd3d's do.

    It is made as its section says, whatever the shader has at its register, and stays until another
    section describes the register. A shader may lack the register.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Extents:
    """`size (2darray, width, height, layers)`: buffer, raw_buffer, or a dimension of textures.

    `shape` has the lengths of an array's axes: layers or depth, height, width, samples.
    """

    token: Token
    dimension: str
    shape: tuple[int, ...]

    @property
    def is_buffer(self) -> bool:
        return self.dimension in ("buffer", "raw_buffer", "counter_buffer")


@dataclass(frozen=True, slots=True)
class Resource:
    """`[uav N]`, `[srv N]`: a buffer or a texture and its initial contents.

    `key` is the register or the HLSL name; the fields after it are the words of the section's
    lines. `guard` counts the elements before and after the view, `first_level` is the first mip of
    a texture view, `counter` is the initial value of the hidden counter. `shows_counter`: probes
    read the counter instead of the elements (vkd3d's counter_buffer). `usual_format` is the format
    of a typed buffer whose section has none; if it is None, the section must have one.
    """

    token: Token
    key: str
    size: Extents | None = None
    stride: Number | None = None
    format: Format | None = None
    type: ElementType | None = None
    counter: int | None = None
    levels: int = 1
    first_level: int = 0
    guard: tuple[int, int] = (0, 0)
    null: bool = False
    shows_counter: bool = False
    usual_format: Format | None = None
    values: Values = ()

    @property
    def describes_itself(self) -> bool:
        """Whether it can be made without a shader, which would give the type of the elements."""
        if self.null or (self.size is None and not self.values):
            return self.null
        is_raw = self.size is not None and self.size.dimension == "raw_buffer"
        is_typed = self.element is not None or self.stride is not None
        return is_raw or is_typed or self.shows_counter

    @property
    def element(self) -> ElementType | None:
        """The type of an element: `type`, otherwise by `format`; None if neither is given."""
        if self.type is None and self.format is not None:
            return element_of_format(self.format)
        return self.type


@dataclass(frozen=True, slots=True)
class Constants:
    """`[cb N]`: `members` by the tokens of their names, or `values` from the buffer's start on."""

    token: Token
    key: str
    type: ElementType | None
    values: Values
    members: Mapping[Token, tuple[Number, ...]]


@dataclass(frozen=True, slots=True)
class SamplerSection:
    """`[sampler N]`: the arguments of `Device.sampler`."""

    token: Token
    key: str
    settings: Mapping[str, Any]


BoundSection = Resource | Constants | SamplerSection
Requirement = Callable[[DeviceInfo], str | None]  # returns the reason why a device does not meet it
Condition = Callable[[float, frozenset[str]], bool]  # of a shader model (5.0) and a device's tags


@dataclass(frozen=True, slots=True)
class ShaderSection:
    """`[shader]`: a listing (its lines) or a file, and the options of its translation.

    `token` is the file's name, or else the section's header.
    `hlsl` has the arguments of `translate.HlslOptions`. It is not None in `[compute shader]`, where
    the lines are HLSL, or if they say that a file is HLSL. `container` has the bytes of vkd3d's
    `dxbc-tpf-hex`.
    """

    token: Token
    lines: tuple[Line, ...] = ()
    path: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hlsl: Mapping[str, Any] | None = None
    container: bytes | None = None


@dataclass(frozen=True, slots=True)
class Qualifiers:
    """vkd3d's words before a line, with their conditions; all of `only_if` must be true."""

    todo: tuple[Condition, ...] = ()
    bug: tuple[Condition, ...] = ()
    only_if: tuple[Condition, ...] = ()


ALWAYS = Qualifiers()


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a test that acts or checks."""

    token: Token
    qualifiers: Qualifiers = field(default=ALWAYS, kw_only=True)


@dataclass(frozen=True, slots=True)
class Dispatch(Step):
    """`dispatch X Y Z`."""

    groups: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Uniform(Step):
    """`uniform OFFSET TYPE VALUES`: constants from a dword on, for the following dispatches."""

    key: str
    offset: int
    element: ElementType
    values: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Probe(Step):
    """`probe uav N (place) values`: the expected values at a place.

    `spans` are x, y, z or layer, sample; empty for `all`. `written_as` is the type of the values
    (`f32`, `rgbaui`), None for the resource's own type. `omitted` is the coordinate on the axes
    that `spans` leaves out; None if it must have all. `unit` is the type of the values as one
    element, if the place counts these where the resource's elements have another size.
    """

    key: str
    target: Token
    place: Token
    spans: tuple[slice, ...]
    values: Values
    level: int = 0
    field: Token | None = None
    written_as: str | None = None
    components: int | None = None
    tolerance: Tolerance = EXACT
    omitted: int | None = None
    unit: ElementType | None = None


@dataclass(frozen=True, slots=True)
class CounterProbe(Step):
    """`probe uav N counter (V)`."""

    key: str
    target: Token
    expected: Number


@dataclass(frozen=True, slots=True)
class ExpectedViolation:
    """A line `violation ...`: the report must have `count` records with these values of fields."""

    token: Token
    fields: Mapping[str, object]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Violations:
    """The records that a report must have, and no others; or only their number, `total`."""

    token: Token
    expected: tuple[ExpectedViolation, ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True)
class CompileCheck:
    """Checks that a shader compiles, or with `fails` that it does not.

    `todo`: the compiler is known not to do this yet.
    """

    profile: str
    fails: bool
    todo: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One `[test]` with the sections above it; with `compiles`, a shader that is only compiled.

    `skip` is the reason to run it nowhere. `races` is "any" if races and divergent barriers do not
    fail it. The tests `before` run first: the contents of lasting resources depend on them.
    """

    name: str
    token: Token
    shader: ShaderSection
    bound: tuple[BoundSection, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    steps: tuple[Step, ...] = ()
    error: Token | None = None
    violations: Violations | None = None
    races: str = "none"
    timeout_s: float | None = None
    before: tuple[Case, ...] = ()
    compiles: tuple[CompileCheck, ...] = ()
    skip: str = ""


@dataclass(frozen=True, slots=True)
class ShaderTest:
    """A file with its tests in order."""

    path: Path
    cases: tuple[Case, ...]
