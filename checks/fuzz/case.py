"""A program with its arguments and groups, as one listing that has them in comments."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass

from translate.options import MAX_INLINED

_ARGUMENT, _DISPATCH = "// argument ", "// dispatch "


@dataclass(frozen=True)
class Argument:
    """The resource that is bound to a register.

    `kind`: raw, structured, typed, texture, constants or sampler. `shape` counts dwords,
    structures, texels or vectors; a texture's has the axes of an array. `placement`: "array",
    "buffer", "view" (from element `first` on, with more elements after it), "empty" or "null".
    `whole`: floats are small integers; `zero`: all is zero. `element`: the position in the list
    for a range of registers. `tolerance`: how far results may differ, as floats. `window`: the view
    of a texture, as its first mip, its first slice and how many slices it has.
    """

    register: str
    kind: str
    shape: tuple[int, ...] = ()
    stride: int = 4
    format: str = ""
    dimension: str = ""
    mips: int = 1
    placement: str = "array"
    first: int = 0
    counter: int | None = None
    filter: tuple[str, ...] = ()
    address: str | tuple[str, ...] = "clamp"
    comparison: str | None = None
    border: tuple[float, ...] = ()
    whole: bool = False
    zero: bool = False
    element: int | None = None
    tolerance: float = 0.0
    window: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The register, with the place within a range."""
        return self.register if self.element is None else f"{self.register}[{self.element}]"


@dataclass(frozen=True)
class Case:
    """A listing, its arguments, the number of groups, the guards, and the seed of the contents.

    `without` are float controls and robust accesses of the device that the translation may not
    use, `worked_around` faults that it works around even if the device does not have them.
    `many_rounds`: a loop has so many that some drivers end it. `push_bytes`: the largest size of
    constant buffers that are push constants.
    """

    listing: str
    arguments: tuple[Argument, ...]
    groups: tuple[int, int, int] = (2, 1, 1)
    guards: str = "d3d"
    seed: int = 0
    without: tuple[str, ...] = ()
    worked_around: tuple[str, ...] = ()
    denormals: str = "d3d"
    denormal_test: str = "bits"
    sampling: str = "d3d"
    max_inlined: int = MAX_INLINED
    many_rounds: bool = False
    push_bytes: int = 0

    @property
    def text(self) -> str:
        """The listing, after comments with all other fields."""
        head = [_ARGUMENT + json.dumps(_set_fields(argument)) for argument in self.arguments]
        dispatch = _set_fields(self)
        for name in ("listing", "arguments"):
            del dispatch[name]
        dispatch |= {"groups": self.groups, "guards": self.guards, "seed": self.seed}
        return "\n".join([*head, _DISPATCH + json.dumps(dispatch), self.listing])


def _set_fields(record: Argument | Case) -> dict[str, object]:
    fields = dataclasses.fields(record)
    return {f.name: getattr(record, f.name) for f in fields if getattr(record, f.name) != f.default}


def parse(text: str) -> Case:
    """The case that `text` was written from."""
    arguments: list[Argument] = []
    dispatch: dict[str, object] = {}
    for line in text.splitlines():
        if line.startswith(_ARGUMENT):
            fields = json.loads(line.removeprefix(_ARGUMENT))
            arguments.append(Argument(**{k: _frozen(v) for k, v in fields.items()}))
        elif line.startswith(_DISPATCH):
            dispatch = json.loads(line.removeprefix(_DISPATCH))
    listing = "\n".join(line for line in text.splitlines() if not line.startswith("//")) + "\n"
    return Case(listing, tuple(arguments), **{k: _frozen(v) for k, v in dispatch.items()})


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
