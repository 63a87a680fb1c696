"""A program with its arguments and groups, as one listing that has them in comments."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass

_ARGUMENT, _DISPATCH = "// argument ", "// dispatch "


@dataclass(frozen=True)
class Argument:
    """The resource that is bound to a register.

    `kind`: raw, structured, typed, texture, constants or sampler. `shape` counts dwords,
    structures, texels or vectors; a texture's has the axes of an array. `placement`: "array",
    "buffer", "view" (from element `first` on, with more elements after it), "empty" or "null".
    `whole`: floats are small integers; `zero`: all is zero. `element`: the position in the list
    for a range of registers. `tolerance`: how far results may differ, as floats.
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

    @property
    def name(self) -> str:
        """The register, with the place within a range."""
        return self.register if self.element is None else f"{self.register}[{self.element}]"


@dataclass(frozen=True)
class Case:
    """A listing, its arguments, the number of groups, the guards, and the seed of the contents."""

    listing: str
    arguments: tuple[Argument, ...]
    groups: tuple[int, int, int] = (2, 1, 1)
    guards: str = "d3d"
    seed: int = 0

    @property
    def text(self) -> str:
        """The listing, after comments with all other fields."""
        head = [_ARGUMENT + json.dumps(_set_fields(argument)) for argument in self.arguments]
        dispatch = {"groups": self.groups, "guards": self.guards, "seed": self.seed}
        return "\n".join([*head, _DISPATCH + json.dumps(dispatch), self.listing])


def _set_fields(argument: Argument) -> dict[str, object]:
    fields = dataclasses.fields(Argument)
    return {
        f.name: getattr(argument, f.name) for f in fields if getattr(argument, f.name) != f.default
    }


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
