"""Replace the HLSL names of constants in RenderDoc's listings by registers.

For example, `g_View[2].x` becomes `cb0[6].x`. The definitions in the header comment give the
offsets. RenderDoc calls a variable's first component x, even if it is not the first of its
register. For an array of matrices it counts rows from the start of the array, minus one for each
preceding element (dxbc_bytecode_ops.cpp, `varOffset`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from translate.asm.faults import Fault
from translate.errors import shown
from translate.isa.registers import COMPONENTS
from translate.reflection import BufferDefinition, Type
from translate.reflection.sizes import size_of

_CONSTANTS = 0  # the kind of a constant buffer
_VECTOR = 16
_PATH = re.compile(r"([^\[\]]+)(?:\[(\d{1,9})\])?(?:\[(\d{1,9})\])?")
_STRUCTURE, _MATRICES = 5, (2, 3)


@dataclass(slots=True)
class ConstantNames:
    """The variables of the constant buffers that a listing has declared so far.

    `found` maps a variable to the number of its cb#, its byte offset and its type.
    """

    definitions: Sequence[BufferDefinition]
    found: dict[str, tuple[int, int, Type]] = field(
        default_factory=dict[str, tuple[int, int, Type]]
    )

    def declare(self, number: int, buffer: str) -> None:
        """Declare `buffer` as cb`number`.

        If two variables have the same name, the first one keeps it.
        """
        for definition in self.definitions:
            if definition.kind == _CONSTANTS and definition.name == buffer:
                for variable in definition.variables:
                    for name, offset, kind in _leaves(
                        variable.name, variable.offset, variable.type
                    ):
                        self.found.setdefault(name, (number, offset, kind))

    def has(self, path: str) -> bool:
        """Whether the path names a known variable."""
        match = _PATH.fullmatch(path)
        return match is not None and match[1] in self.found

    def register(self, path: str, letters: str) -> str:
        """The register for a variable's name, such as `cb0[6].x`.

        Raises Fault at position 0 if the variable has no such element, row or component.
        """
        match = _PATH.fullmatch(path)
        assert match is not None, "it has been asked for"
        number, offset, kind = self.found[match[1]]
        indices = [int(index) for index in match.groups()[1:] if index is not None]
        vector = offset // _VECTOR + _vectors(kind, indices, path)
        first = offset % _VECTOR // 4
        named = [first + COMPONENTS.index(letter) for letter in letters.removeprefix(".")]
        if max(named, default=0) > 3:
            text = shown(path + letters)
            raise Fault(f"{text} reads past w, the last component of its vector", 0, len(path))
        return f"cb{number}[{vector}]" + "." * bool(named) + "".join(COMPONENTS[c] for c in named)


def _leaves(name: str, offset: int, kind: Type) -> Iterator[tuple[str, int, Type]]:
    """The name, offset (bytes) and type of a variable, or of each number in a structure.

    Of an array of structures only the first element is included.
    """
    if kind.klass != _STRUCTURE:
        yield name, offset, kind
        return
    for member in kind.members:
        yield from _leaves(f"{name}.{member.name}", offset + member.offset, member.type)


def _vectors(kind: Type, indices: list[int], path: str) -> int:
    """The number of registers between the variable's first one and the indexed one."""
    matrix = kind.klass in _MATRICES
    expected = (kind.elements > 1) + matrix
    if len(indices) != expected:
        plural = "index" if expected == 1 else "indices"
        raise Fault(f"{shown(path)} takes {expected} {plural}, found {len(indices)}", 0, len(path))
    if not matrix:
        return sum(indices)
    if expected == 1:
        return indices[0]
    step = -(-size_of(Type(kind.klass, kind.base, kind.rows, kind.columns), True) // _VECTOR)
    element, row = indices
    vector = row + -(-element // _VECTOR)
    return vector if vector // step == element else element * step + row
