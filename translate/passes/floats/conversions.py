"""Conversions of halves, integers and stored texels, with D3D's results on every device.

Powers of 2 and logarithms too, which lowering protects from special operands.

`f32tof16` rounds toward zero (FS §3.2.2). A device does this if the module declares the rounding
mode, and that denormals, infinities and NaNs are kept; otherwise Vulkan leaves all of these open.
Mesa's compiler for AMD combines a sum or a product with the conversion of its result, which then
rounds once, even if the sum is `precise`. Where denormals, infinities and NaNs are kept, the device
may convert a number to either half next to it, which is corrected.

`f16tof32` is exact (FS §22.13.1). Vulkan lets devices flush denormal halves in UnpackHalf2x16
unless the module declares DenormPreserve. A denormal half is an integer times 2^-24, which is an
ordinary float.

`utof` rounds to the nearest float (FS §22.13.6). Vulkan lets a device without RoundingModeRTE round
either way, and some do that. Here both halves of the integer are converted, which is exact, and the
sum rounds once. An integer that is known to be below 2^24 is a float.

Devices that were found to be exact (`Options.exact_functions`) convert halves and integers.

D3D defines the rounding of floats to smaller ones, and the results for integers out of range and
for NaNs in a fixed-point format (FS §3.2.3; reference "Format conversion"); Vulkan does not. Here
every number becomes one that the format represents exactly, or one within its range.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial

from translate.ir import ops, row
from translate.ir.builder import EXPONENT, MAGNITUDE, SIGN, Builder
from translate.ir.tables import Table, View
from translate.ir.types import F32, F64, U32, VOID, TexelFormat, Type, parse_format
from translate.ir.values import Module, Value
from translate.passes.guards.facts import Facts
from translate.passes.guards.texel_bounds import holds_for
from translate.passes.rewrite import Rule, rewrite, through_casts

_KEEPS_HALVES = "denorm_preserve_16"
_KEEPS_NUMBERS = {_KEEPS_HALVES, "signed_zero_inf_nan_preserve_16"}
_CUTS_HALVES = {"rounding_mode_rtz_16", *_KEEPS_NUMBERS}
_ROUNDS_FLOATS = "rounding_mode_rte_32"
_FORWARDING = frozenset((ops.FNEG, ops.FABS, ops.FMIN, ops.FMAX))  # modifiers and saturation
_LEAST_HALF = 2.0**-14  # that is normal
_STEP = 2.0**-24  # between denormal halves
_EXACT_BITS = 24  # integers below 2^24 are floats
Convert = Callable[[Builder, Value], Value]


def convert_numbers(
    module: Module,
    float_modes: Set[str],
    exact: Set[str] = frozenset(),
    *,
    specialized: bool = False,
) -> None:
    """Rewrite the conversions in which a device with these modes may differ from D3D.

    `exact`: the functions in which it does not (`Options.exact_functions`). `specialized`: a
    specialization constant stands for each of the others.
    """
    rules: dict[ops.Op, Rule] = {ops.F32_TO_HALF_RTZ: partial(_cut_by, _cut)}
    is_exact = "halves" in exact
    if float_modes >= _CUTS_HALVES and not _has_doubles(module):
        rules[ops.F32_TO_HALF_RTZ] = _cut_precise
    elif is_exact or float_modes >= _KEEPS_NUMBERS:
        rules[ops.F32_TO_HALF_RTZ] = partial(_cut_by, _correct)
    elif specialized:
        rules[ops.F32_TO_HALF_RTZ] = partial(
            _cut_by, partial(_chosen, "exact_halves", _correct, _cut)
        )
    if not is_exact and _KEEPS_HALVES not in float_modes:
        choose = partial(_chosen, "exact_halves", _widen, _choose) if specialized else _choose
        rules[ops.HALF_TO_F32] = choose
    if "integers" not in exact and _ROUNDS_FLOATS not in float_modes:
        round_ = partial(_chosen, "exact_integers", _to_float, _round) if specialized else _round
        rules[ops.U32_TO_F] = partial(_round_large, Facts(module), round_)
    if "powers" in exact or specialized:
        guarded = frozenset(filter(_is_protected, module.walk()))
        rules[ops.SELECT] = partial(_plain, guarded, by_constant="powers" not in exact)
    rewrite(module, rules)


def _is_protected(value: Value) -> bool:
    """Whether a value is the choice that lowering makes around each `exp2` and `log2`.

    That of a power may be around its flush. So no other choice has one of them as its operand.
    """
    if value.op is not ops.SELECT:
        return False
    plain = value.args[1]
    if plain.op in (ops.SELECT, ops.FLUSH):
        return plain.args[-1].op is ops.EXP2
    return plain.op is ops.EXP2 or plain.op is ops.LOG2


def _plain(guarded: Set[Value], b: Builder, value: Value, *, by_constant: bool) -> Value | None:
    """`exp2` or `log2` without the choice of a result for special operands."""
    if value not in guarded:
        return None
    condition, plain, special = value.args
    if not by_constant:
        return plain
    return b.select(b.specialized("exact_powers"), plain, b.select(condition, plain, special))


def _has_doubles(module: Module) -> bool:
    """Whether the module has doubles.

    Devices may have one rounding mode for halves and doubles, and doubles round to nearest.
    """
    return any(value.type is F64 for value in module.walk())


def _chosen(constant: str, plain: Convert, other: Convert, b: Builder, value: Value) -> Value:
    """The device's conversion if the host says that it is exact, else another."""
    given = other(b, value)
    return b.select(b.specialized(constant), plain(b, value), given)


# --- floats to halves -----------------------------------------------------------------------------


def _cut_precise(b: Builder, value: Value) -> Value | None:
    return _cut(b, value) if _is_precise(value.args[0]) else None


def _cut_by(convert: Convert, b: Builder, value: Value) -> Value:
    return (_cut if _is_precise(value.args[0]) else convert)(b, value)


def _correct(b: Builder, value: Value) -> Value:
    """The device's half, or the next one toward zero if that is larger than the number.

    An infinity is larger than a number of 65,520 or more, which is rounded to it.
    """
    (x,) = value.args
    half = b.f32_near_half(x)
    return b.iadd(half, b.mask(b.flt(b.fabs(x), b.fabs(b.half_to_f32(half)))))


def _is_precise(number: Value) -> bool:
    """Whether `number` is the result of precise (NoContraction) arithmetic.

    Negation, absolute value and clamping may follow the arithmetic.
    """
    work, seen = [number], set[Value]()
    while work:
        value = through_casts(work.pop())
        if value in seen:
            continue
        seen.add(value)
        if value.op in _FORWARDING:
            work += value.args
        elif value.op.attribute is row.PRECISE and row.PRECISE.of(value):
            return True
    return False


def _cut(b: Builder, value: Value) -> Value:
    """The half of a float, rounded toward zero by integer operations and an exact conversion.

    The device converts only the next normal half toward zero. From 0 to the least normal half, the
    half's bits (0 to 0x400) are the number of steps of 2^-24 from 0. Both are limited to their
    range and added: one of them is 0x400 always, and is subtracted.
    """
    (x,) = value.args
    bits = b.bitcast(U32, x)
    size = b.iand(bits, b.u32(MAGNITUDE))
    normal = b.umax(b.umin(size, b.u32(0x477FE000)), b.u32(0x38800000))
    normal = b.f32_to_half(b.bitcast(F32, b.iand(normal, b.u32(0x7FFFE000))))
    small = b.fmin(b.fmax(b.fabs(x), b.f32(_STEP / 2)), b.f32(_LEAST_HALF))
    steps = b.f_to_u32(b.fmul(small, b.f32(1 / _STEP)))
    half = b.isub(b.iadd(normal, steps), b.u32(0x400))
    special = b.isub(size, b.u32(EXPONENT - 0x7C00))  # 0x7C00 for infinity, less for a number
    half = b.smin(b.smax(half, special), b.u32(0x7FFF))
    return b.ior(half, b.iand(b.ushr(bits, b.u32(16)), b.u32(0x8000)))


# --- halves to floats -----------------------------------------------------------------------------


def _widen(b: Builder, value: Value) -> Value:
    return b.half_to_f32(value.args[0])


def _choose(b: Builder, value: Value) -> Value:
    """The device's conversion for normal halves; for denormals and zeros, steps * 2^-24."""
    (half,) = value.args
    wide = b.half_to_f32(half)
    steps = b.fmul(b.u32_to_f(F32, b.iand(half, b.u32(0x3FF))), b.f32(_STEP))
    sign = b.iand(b.ishl(half, b.u32(16)), b.u32(SIGN))
    small = b.bitcast(F32, b.ior(b.bitcast(U32, steps), sign))
    return b.select(b.flt(b.fabs(wide), b.f32(_LEAST_HALF)), small, wide)


# --- integers to floats ---------------------------------------------------------------------------


def _round_large(facts: Facts, convert: Convert, b: Builder, value: Value) -> Value | None:
    is_exact = value.type is not F32 or facts.upper_in_d3d(value.args[0]) >> _EXACT_BITS == 0
    return None if is_exact else convert(b, value)


def _to_float(b: Builder, value: Value) -> Value:
    return b.u32_to_f(F32, value.args[0])


def _round(b: Builder, value: Value) -> Value:
    (number,) = value.args
    high = b.u32_to_f(F32, b.ushr(number, b.u32(16)))
    low = b.u32_to_f(F32, b.iand(number, b.u32(0xFFFF)))
    return b.fadd(b.fmul(high, b.f32(65536.0)), low)  # contracted or not, the product is exact


_MANTISSAS = {16: 10, 11: 6, 10: 5}  # explicit bits, by the width of a small float
_SMALLEST_NORMAL = 2.0**-14


def convert_texels(module: Module) -> None:
    """Rewrite the texels of `store_typed`."""
    views = module.tables.views
    if any(resource.is_uav and resource.is_texels for resource in module.resources):
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
