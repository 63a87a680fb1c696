"""Compare a listing's declarations with those of the container that it is assembled into.

The container's root signature and names stay, so another container's would be wrong in silence.
D3D12 refuses a pipeline whose root signature lacks a register of the shader.
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.dataclass import dataclass
from translate.errors import ListingWarning, Where
from translate.interface.binding import register_name, register_place
from translate.interface.root_signature import RootSignature
from translate.ir.memory import MemoryKind, Resource
from translate.lower.resources import declared_resources
from translate.program import Program
from translate.reflection import Reflection

_VECTOR_BYTES = 16
_ALL = 1 << 32
_Found = tuple[Where, str]
_FORMS = {
    MemoryKind.RAW: "a raw buffer",
    MemoryKind.CONSTANTS: "a constant buffer",
}


@dataclass(frozen=True)
class _Registers:
    """The registers of a declared resource, [first, end) of a class and space, and the resource."""

    letters: str
    first: int
    end: int
    resource: Resource

    @property
    def shown(self) -> str:
        name, count, space = self.resource.register, self.resource.count, self.resource.space
        last = register_name(self.letters, self.end - 1, space) if count else ""
        return name if count == 1 else f"{name}-{last}"

    def is_within(self, other: _Registers) -> bool:
        same = (self.letters, self.resource.space) == (other.letters, other.resource.space)
        return same and other.first <= self.first and self.end <= other.end


def misfits(program: Program, original: Program) -> Iterator[ListingWarning]:
    """Warnings of a listing's resources that a container has in another form, or not at all."""
    held = [registers for _, registers in _declared(original)]
    lacking: list[_Found] = []
    unbound: list[_Found] = []
    changed: list[_Found] = []
    for where, registers in _declared(program):
        signature = original.root_signature
        if signature is not None and not _covers(signature, registers):
            unbound.append((where, registers.shown))
        there = next((other for other in held if registers.is_within(other)), None)
        if there is None:
            lacking.append((where, registers.shown))
        elif change := _change(registers, there, program.reflection, original.reflection):
            changed.append((where, f"{registers.shown} is {change}"))
    asked = ": was the listing printed from this container?"
    for found, start, end in (
        (changed, "", asked),
        (lacking, "the container declares no ", asked),
        (
            unbound,
            "the container's root signature (RTS0) lacks ",
            ": D3D12 refuses such a pipeline",
        ),
    ):
        if found:
            where = found[0][0]
            message = start + ", ".join(text for _, text in found) + end
            lines = tuple(at.line for at, _ in found if at.line is not None)
            yield ListingWarning(message, where, program.source_line(where), lines)


def _declared(program: Program) -> Iterator[tuple[Where, _Registers]]:
    for statement, resource in declared_resources(program):
        end = resource.number + resource.count if resource.count else _ALL
        letters = statement.operands[0].file.prefix
        yield statement.where, _Registers(letters, resource.number, end, resource)


def _change(
    here: _Registers, there: _Registers, header: Reflection | None, names: Reflection | None
) -> str:
    """How a resource differs from the container's; empty if it does not.

    A constant buffer may be longer than the one declared, up to the length by its names: fxc
    declares only what is read.
    """
    form, other = _form(here.resource), _form(there.resource)
    if form == other and header is None and here.letters == "cb":
        most = max(there.resource.length, _vectors(there, names))
        if here.resource.length > most:
            form, other = f"{form} of {here.resource.length} vectors", f"one of {most}"
    return "" if form == other else f"{form} here and {other} in the container"


def _form(resource: Resource) -> str:
    if resource.kind is MemoryKind.TYPED:
        return f"a {resource.dimension} of {resource.component}"
    if resource.kind is MemoryKind.STRUCTURED:
        return f"a structured buffer with stride {resource.stride}"
    if resource.kind is MemoryKind.SAMPLER:
        return "a comparison sampler" if resource.comparison else "a sampler that does not compare"
    return _FORMS[resource.kind]


def _vectors(buffer: _Registers, reflection: Reflection | None) -> int:
    """The length of a constant buffer by its names, in vectors; 0 without names."""
    place = buffer.first, buffer.resource.space
    for binding in reflection.bindings if reflection else ():
        if binding.register_prefix == "cb" and (binding.bind_point, binding.space) == place:
            named = reflection and reflection.buffer(binding.name)
            return -(-named.size // _VECTOR_BYTES) if named else 0
    return 0


def _covers(signature: RootSignature, registers: _Registers) -> bool:
    """Whether the parameters and static samplers have all these registers."""
    texts = [text for parameter in signature.parameters for text in parameter.registers]
    spans = [_span(text) for text in texts]
    spans += [("s", one.space, one.number, one.number + 1) for one in signature.samplers]
    at = registers.first
    for letters, space, first, end in sorted(spans):
        if (letters, space) == (registers.letters, registers.resource.space) and first <= at:
            at = max(at, end)
    return at >= registers.end


def _span(text: str) -> tuple[str, int, int, int]:
    """(letters, space, first, end) of the registers `t0`, `t0-t3` or `t0-`."""
    first, dash, last = text.partition("-")
    start, final = register_place(first), register_place(last)
    assert start is not None
    letters, space, number = start
    if final is not None:
        return letters, space, number, final[2] + 1
    return letters, space, number, _ALL if dash else number + 1
