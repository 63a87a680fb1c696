"""Records of violations, which kernels with `guards="report"` make of accesses out of bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from translate.dataclass import dataclass
from translate.errors import hlsl_place_text, located_text
from translate.interface import TEXTURE

CAUSES = ("outside", "past the stride", "unaligned", "uninitialised")
_CAUSE_TEXTS = {
    "unaligned": "unaligned access to",
    "uninitialised": "read of uninitialised",
}

COORDINATES = ("y", "z", "slice", "mip", "sample")  # of a texture, after x
BY_COMMAND = " or --device reference"  # a half of a hint, which notebooks leave out

Triple = tuple[int, int, int]
Key = tuple[int | None, str, bool]  # instruction, register, used
Report = tuple[Sequence["Violation"], int, Mapping[Key, int]]  # records, number of all, by group


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation: an access out of bounds, unaligned, or to memory before its first write.

    Attributes
    ----------
    thread : tuple of int
        The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
    group : tuple of int
        Its group's place (SV_GroupID).
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The listing's line; None for a container.
    register : str
        The accessed register.
    kind : str
        The kind of memory: structured_buffer, group_shared, ...
    cause : {"outside", "past the stride", "unaligned", "uninitialised"}
        The rule that was violated.
    index : int
        The index of the structure, element or vector; of a texture, the x coordinate. Its other
        coordinates are `y`, `z`, `slice`, `mip` and `sample`. All are unsigned, as in the shader:
        -1 is 4294967295; `numpy.int32(numpy.uint32(index))` is the signed number.
    byte_offset : int
        The address in raw memory, or the offset within a structure.
    defined : bool
        Whether D3D defines the result.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    used : bool
        False if this thread does not use the loaded result: fxc loads in every thread, and selects
        another value where a condition is false.
    y : int or None
        Of a texture with two or three dimensions: the y coordinate.
    z : int or None
        Of a 3D texture: the z coordinate.
    slice : int or None
        Of a texture array: the slice.
    mip : int or None
        Of a texture with mips, in a load of a t#: the mip.
    sample : int or None
        Of a multisampled texture: the sample.
    CAUSES : tuple of str
        All values of `cause`.
    """

    thread: Triple
    group: Triple
    instruction: int | None
    line: int | None
    register: str
    kind: str
    cause: str
    index: int
    byte_offset: int
    defined: bool
    hlsl_file: str | None = None
    hlsl_line: int | None = None
    used: bool = True
    y: int | None = None
    z: int | None = None
    slice: int | None = None
    mip: int | None = None
    sample: int | None = None
    CAUSES: ClassVar[tuple[str, ...]] = CAUSES

    @property
    def is_harmless(self) -> bool:
        """Whether the access is a load whose result is unused (`used` is False)."""
        return not self.used

    @property
    def hlsl_place(self) -> str:
        """`file:line` of the HLSL, "" without debug information."""
        return hlsl_place_text(self)

    def __str__(self) -> str:
        where = located_text(self)
        place = f"byte offset {self.byte_offset:#x}"
        if self.kind == TEXTURE:
            place = texel_text(self)
        elif self.kind != "raw_buffer":
            place = f"index {signed_text(self.index)}, {place}"
        how = _CAUSE_TEXTS.get(self.cause, f"{self.cause} of")
        outcome = "defined" if self.defined else "undefined in D3D"
        outcome += ", result unused" if self.is_harmless else ""
        return (
            f"{where}: {how} {memory_text(self)} {self.register}: {place};"
            f" thread {self.thread}, group {self.group}; {outcome}"
        )


@dataclass(frozen=True, slots=True)
class ViolationGroup:
    """The violations of one instruction at one register.

    Loads whose result the thread uses, and those whose result it does not use, are two groups.

    Attributes
    ----------
    first : Violation
        The recorded violation of the first thread (by x, then y, then z).
    count : int
        The number of violations, recorded or not.
    threads : int
        The number of threads with a recorded violation.
    causes : tuple of str
        The causes of the recorded violations, most frequent first.
    recorded : int
        The number of recorded violations: those for which the report had room.
    """

    first: Violation
    count: int
    threads: int
    causes: tuple[str, ...]
    recorded: int


def key_of(violation: Violation) -> Key:
    """The key of a violation's group: instruction, register, whether the result is used."""
    return violation.instruction, violation.register, violation.used


def without_empty(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows of a table (the first is the heading), without columns that are empty below it."""
    kept = [one for one in zip(*rows, strict=True) if any(one[1:]) or len(rows) == 1]
    return list(zip(*kept, strict=True))


def memory_text(violation: Violation) -> str:
    """The kind of memory in words."""
    if violation.kind == "group_shared":
        return "group-shared memory"
    return violation.kind.replace("_", " ")


def texel_text(violation: Violation) -> str:
    """The coordinates of a texel: `x 3, y -1 (4294967295), mip 0`."""
    return ", ".join(f"{name} {signed_text(at)}" for name, at in texel_of(violation).items())


def texel_of(violation: Violation) -> dict[str, int]:
    """The coordinates of a texel by name, x first."""
    found = {name: getattr(violation, name) for name in COORDINATES}
    return {"x": violation.index, **{n: at for n, at in found.items() if at is not None}}


def signed_text(index: int) -> str:
    """An index as text; one past 2^31 is probably negative: `-1 (4294967295)`."""
    return str(index) if signed(index) == index else f"{signed(index)} ({index})"


def signed(index: int) -> int:
    """An index read as a signed integer."""
    return index if index < 1 << 31 else index - (1 << 32)
