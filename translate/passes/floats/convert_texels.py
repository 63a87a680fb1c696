"""Typed stores: numbers are converted to the view's format by D3D's rules, if the format is known.

D3D defines the rounding of floats to smaller ones, and the results for integers out of range and
for NaNs in a fixed-point format (FS §3.2.3; reference "Format conversion"); Vulkan does not. Here
every number becomes one that the format represents exactly, or one within its range.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import EXPONENT, Builder
from translate.ir.formats import TexelFormat, parse_format
from translate.ir.tables import Table, View
from translate.ir.types import F32, U32, VOID, Type
from translate.ir.values import Module, Value
from translate.passes.guards.texel_bounds import holds_for
from translate.passes.rewrite import rewrite

_MANTISSAS = {16: 10, 11: 6, 10: 5}  # explicit bits, by the width of a small float
_SMALLEST_NORMAL = 2.0**-14


def convert_texels(module: Module) -> None:
    """Rewrite the texels of `store_typed`."""
    views = module.tables.views
    rewrite(module, {ops.STORE_TYPED: lambda b, store: _convert(b, store, views)})


def _convert(b: Builder, store: Value, views: Table[View]) -> Value | None:
    access = row.ACCESS.of(store)
    view = views[access.resource]
    first, *others = dict.fromkeys(view.formats or (view.format,))
    if not others and parse_format(first) is None:
        return None
    texel = store.args[access.address_count]
    scalar = F32 if texel.type is Type.TEXEL_F32 else U32
    given = [b.extract(scalar, texel, component) for component in range(4)]
    parts = _converted(b, first, given)
    for name in others:
        named = holds_for(b, store.args[-1], [name == one for one in view.formats])
        converted = _converted(b, name, given)
        parts = [b.select(named, new, old) for new, old in zip(converted, parts, strict=True)]
    args = [*store.args]
    args[access.address_count] = b.compose(texel.type, *parts)
    return b.emit(store.op, VOID, args, access)


def _converted(b: Builder, name: str, components: list[Value]) -> list[Value]:
    """Four components, converted to a format; unchanged if the format is unknown."""
    parsed = parse_format(name)
    if parsed is None:
        return components
    return [_component(b, parsed, number, x) for number, x in enumerate(components)]


def _component(b: Builder, parsed: TexelFormat, component: int, x: Value) -> Value:
    bits = parsed.bits(component)
    if bits == 0 or bits == 32:
        return x
    if parsed.kind == "uint":
        return b.umin(x, b.u32((1 << bits) - 1))
    if parsed.kind == "sint":
        limit = 1 << bits - 1
        return b.smin(b.smax(x, b.u32(-limit)), b.u32(limit - 1))
    if parsed.kind == "unorm":
        return b.fmin(b.fmax(x, b.f32(0.0)), b.f32(1.0))  # a NaN becomes 0
    if parsed.kind == "snorm":
        number = b.select(b.feq(x, x), x, b.f32(0.0))
        return b.fmin(b.fmax(number, b.f32(-1.0)), b.f32(1.0))
    return _small_float(b, bits, x)


def _small_float(b: Builder, bits: int, x: Value) -> Value:
    """Round toward zero to a float of 16, 11 or 10 bits; the result is still an F32 value.

    Numbers past the largest small float become that; infinities and NaNs stay. Floats of 11 and 10
    bits have no sign: negative numbers become 0.
    """
    mantissa = _MANTISSAS[bits]
    unsigned = bits < 16
    cut = b.bitcast(F32, b.iand(b.bitcast(U32, x), b.u32(~((1 << 23 - mantissa) - 1))))
    step = _SMALLEST_NORMAL * 2.0**-mantissa
    tiny = b.fmul(b.trunc(b.fmul(x, b.f32(1 / step))), b.f32(step))
    size = b.fabs(x)
    number = b.select(b.flt(size, b.f32(_SMALLEST_NORMAL)), tiny, cut)
    largest = b.f32((2.0 - 2.0**-mantissa) * 2.0**15)
    number = b.fmax(b.fmin(number, largest), b.fneg(largest))
    special = b.uge(b.bitcast(U32, size), b.u32(EXPONENT))
    number = b.select(special, x, number)
    return b.select(b.flt(x, b.f32(0.0)), b.f32(0.0), number) if unsigned else number
