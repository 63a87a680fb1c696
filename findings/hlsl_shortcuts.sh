#!/bin/sh
# What four compilers of HLSL leave of expressions with a variable x. Microsoft's fxc 10.0.26100
# takes x / x for 1, x * 0 for 0, abs(x - x) for -0, isnan(x) for false and (x + 1e8) - 1e8 for x;
# with /Gis these stay, but 1 / (1 / x) and exp2(log2(x)) are still x. It multiplies for some
# exponents of pow, and takes the logarithm, a NaN for negative x, for others: 6 and 8, but not 7.
# any and all of a vector become a dot product and a product, which are 0 for numbers below 2^-63.
#
# Expected: a NaN, or another number, for some values of x: IEEE 754, sections 6.2 and 7.2; Microsoft's
# reference of HLSL, "pow", "any" and "all". Compilers may assume otherwise unless they are told.
set -eu
. "$(dirname "$0")/common/setup.sh"
hlsl_compilers

python - <<'PYTHON'
from finding import check
from hlsl import STRICT, dxc, fxc, shader, slang, stored, vkd3d


def strict(source):
    return fxc(source, STRICT)


ROWS = (
    # expression, what is right for all x, then what fxc, fxc /Gis, vkd3d-compiler, DXC, Slang make
    ("asuint(x / x)", "div", "0x3f800000", "div", "div", "FDiv", "FDiv"),
    ("asuint(x - x)", "add", "0x00000000", "add", "add", "FSub", "FSub"),
    ("asuint(abs(x - x))", "add", "0x80000000", "add mov", "add", "FSub FAbs", "FSub FAbs"),
    ("asuint(x * 0)", "mul", "0x00000000", "mul", "mul", "0x00000000", "0x00000000"),
    ("asuint(0 / x)", "div", "0x00000000", "div", "div", "0x00000000", "0x00000000"),
    ("asuint(x * 2 / 2)", "mul div", "the operand", "mul div", "mul div", "the operand",
     "the operand"),
    ("asuint((x + 1e8) - 1e8)", "add add", "the operand", "add add", "add add", "the operand",
     "the operand"),
    ("asuint(1 / (1 / x))", "div div", "the operand", "the operand", "div div", "the operand",
     "the operand"),
    ("asuint(exp2(log2(x)))", "log exp", "the operand", "the operand", "log exp", "Log2 Exp2",
     "Log2 Exp2"),
    ("isnan(x) ? 1 : 0", "ne and", "0x00000000", "ne and", "refused", "refused", "IsNan"),
    ("any(v) ? 1 : 0", "ne or or or", "dp4 ne and", "dp4 ne and", "ne or or or movc",
     "FOrdNotEqual Any Select", "FUnordNotEqual Any"),
    ("all(v) ? 1 : 0", "ne and and and", "mul mul ne and", "mul mul ne and", "ne and and and movc",
     "FOrdNotEqual All Select", "FUnordNotEqual All"),
    ("asuint(tanh(x))", "tanh", "mul exp exp add add div mul", "mul exp exp add add div mul",
     "mul exp mul exp add add div", "Tanh", "Tanh"),
    ("asuint(fmod(x, 2))", "fmod", "mul ge frc movc add", "div ge frc movc mul",
     "div frc ge movc mul", "FRem", "FRem"),
)  # fmt: skip
for expression, right, *stated in ROWS:
    source = shader(f"found.Store(0, {expression});")
    seen = [stored(one, source) for one in (fxc, strict, vkd3d, dxc, slang)]
    check(f"{expression}: fxc, fxc /Gis, vkd3d-compiler, DXC, Slang", seen, stated, right)
FREXP = "float e; float r = frexp(x, e); found.Store(0, asuint(r)); found.Store(4, asuint(e));"
seen = stored(fxc, shader(FREXP))
check("frexp(x, e): fxc", seen, "and iadd ne and ishr itof bfi and", "two numbers")
LOGARITHM = "log mul exp"
for exponent, stated in (
    ("1", "the operand"), ("2", "mul"), ("3", "mul mul"), ("4", "mul mul"), ("5", "mul mul mul"),
    ("6", "mul mul mul"), ("7", LOGARITHM), ("8", "mul mul mul"), ("9", LOGARITHM),
    ("16", LOGARITHM), ("-1", "div"), ("-2", "mul div"), ("0.5", "rsq div"), ("-0.5", "rsq"),
    ("1.5", LOGARITHM),
):  # fmt: skip
    seen = stored(fxc, shader(f"found.Store(0, asuint(pow(x, {exponent})));"))
    check(f"pow(x, {exponent}): fxc", seen, stated, LOGARITHM)
PYTHON
