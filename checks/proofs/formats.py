"""Texels in the formats of their views: D3D's conversion of any number, and a device's.

D3D (FS §3.2.3): an integer out of range becomes the nearest one in it; a normalised number too, and
a NaN becomes 0; a smaller float is rounded toward zero, and only infinities stay infinite. Numbers
in the range of a normalised format are rounded alike by both, which is left out here.

Vulkan defines the result of a device only for numbers in the range of the format, and for floats
only if the format has them.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from translate.ir.memory import Resource
from translate.ir.tables import View
from translate.ir.types import parse_format
from translate.ir.values import Module

from .meaning import TO_ZERO, Term, bits_of, magnitude_of, number_of, sign_of, word
from .memory import Stored

_SMALL = {16: z3.Float16(), 11: z3.FPSort(5, 7), 10: z3.FPSort(5, 6)}
_ONE, _MINUS_ONE = 0x3F800000, 0xBF800000
_INFINITY = 0x7F800000
_Convert = Callable[[Term], Term]


def in_d3d(module: Module) -> Stored:
    return _stored(module, lambda kind, bits: _CONVERSIONS[kind](bits))


def on_device(module: Module) -> Stored:
    return _stored(module, _by_device)


def _by_device(kind: str, bits: int) -> _Convert:
    convert = _CONVERSIONS[kind](bits)

    def converted(x: Term) -> Term:
        found = convert(x)
        unknown = z3.Function(f"{kind}{bits}", x.sort(), x.sort())(x)
        return z3.If(z3.Or(found == x, _is_nan(x), magnitude_of(x) == 0), found, unknown)

    return converted


def _stored(module: Module, of_kind: Callable[[str, int], _Convert]) -> Stored:
    views = {resource.register: view for resource, view in module.tables.views.items()}

    def stored(resource: Resource, descriptor: Term | None, texel: Term) -> Term:
        view = views.get(resource.register, View())
        names = view.formats or (view.format,)
        found = _converted(names[0], texel, of_kind)
        for number, name in enumerate(names[1:], 1):
            other = _converted(name, texel, of_kind)
            pairs = zip(other, found, strict=True)
            found = tuple(z3.If(descriptor == number, a, b) for a, b in pairs)
        return found

    return stored


def _converted(name: str, texel: Term, of_kind: Callable[[str, int], _Convert]) -> Term:
    """The components that the format has, 0 for others."""
    parsed = parse_format(name)
    if parsed is None:
        return texel
    sizes = [parsed.bits(component) for component in range(4)]
    return tuple(
        x if bits == 32 else of_kind(parsed.kind, bits)(x) if bits else word(0)
        for x, bits in zip(texel, sizes, strict=True)
    )


# --- conversions -------------------------------------------------------------------------------


def _is_nan(x: Term) -> Term:
    return z3.UGT(magnitude_of(x), word(_INFINITY))


def _unsigned(bits: int) -> _Convert:
    most = word((1 << bits) - 1)
    return lambda x: z3.If(z3.UGT(x, most), most, x)


def _signed(bits: int) -> _Convert:
    least, most = word(-(1 << bits - 1)), word((1 << bits - 1) - 1)
    return lambda x: z3.If(x < least, least, z3.If(x > most, most, x))


def _normalised(least: int) -> _Convert:
    def convert(x: Term) -> Term:
        number, low, high = number_of(x), word(least), word(_ONE)
        inside = z3.If(number > number_of(high), high, x)
        inside = z3.If(number < number_of(low), low, inside)
        return z3.If(z3.Or(_is_nan(x), magnitude_of(inside) == 0), word(0), inside)

    return convert


def _small_float(bits: int) -> _Convert:
    def convert(x: Term) -> Term:
        rounded = z3.fpToFP(TO_ZERO, number_of(x), _SMALL[bits])
        found = bits_of(z3.fpToFP(TO_ZERO, rounded, z3.Float32()))
        found = z3.If(magnitude_of(x) == _INFINITY, x, found)
        if bits == 16:
            return found
        negative = z3.And(sign_of(x) != 0, z3.Not(_is_nan(x)))
        return z3.If(negative, word(0), found)

    return convert


_CONVERSIONS: dict[str, Callable[[int], _Convert]] = {
    "uint": _unsigned,
    "sint": _signed,
    "unorm": lambda bits: _normalised(0),
    "snorm": lambda bits: _normalised(_MINUS_ONE),
    "float": _small_float,
}
