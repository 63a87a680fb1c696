#!/bin/sh
# Four compilers of HLSL compute constant expressions in four ways. Microsoft's fxc 10.0.26100
# computes floats in 64 bits and products of integer literals beyond 32 bits, and rounds halves away
# from zero, where the instruction that it makes for a variable (round_ne) rounds them to even.
# vkd3d-compiler 2.1 has a frac of negative numbers that is negative, and saturates a NaN to 1. DXC
# 1.8 and Slang 2026.12 give SPIR-V results that Direct3D's conversions and shifts do not have.
#
# Expected: what Direct3D's instructions give for variables with these values (Direct3D 11.3
# functional specification, section 22: round_ne, frc, min, max, ftoi, ftou, ishl; integers of 32
# bits that wrap around), computed with NumPy.
set -eu
. "$(dirname "$0")/common/setup.sh"
hlsl_compilers

python - <<'PYTHON'
import numpy as np
from finding import check
from hlsl import dxc, fxc, shader, slang, stored, vkd3d

f, u = np.float32, np.uint32
old = np.seterr(all="ignore")
nan = f(np.nan)
ROWS = (
    # expression, expected, then fxc, vkd3d-compiler, DXC, Slang: bits, or operations that are left
    ("asuint(round(2.5))", np.rint(f(2.5)), "0x40400000 0x40400000 RoundEven Round"),
    ("asuint(round(0.5))", np.rint(f(0.5)), "0x3f800000 0x3f800000 RoundEven Round"),
    ("asuint(round(-0.5))", np.rint(f(-0.5)), "0x00000000 0x00000000 RoundEven Round"),
    ("asuint(frac(-0.25))", f(0.75), "0x3f400000 0xbe800000 Fract Fract"),
    ("asuint(saturate(asfloat(0x7fc00000)))", f(0), "0x00000000 0x3f800000 0x00000000 0x00000000"),
    ("asuint(min(1.0, asfloat(0x7fc00000)))", f(1), "0x3f800000 0x3f800000 NMin 0x7fc00000"),
    ("asuint(clamp(asfloat(0x7fc00000), 1.0, 2.0))", f(1),
     "0x3f800000 0x3f800000 0x3f800000 0x3f800000"),
    ("asuint(fmod(10000001.0, 3.0))", np.fmod(f(10000001), f(3)),
     "0x40000000 0x40100000 FRem FRem"),
    ("asuint(16777216.0 + 1.0 - 16777216.0)", f(16777216) + f(1) - f(16777216),
     "0x3f800000 0x00000000 0x3f800000 0x00000000"),
    ("asuint(1e30 * 1e30 * 1e-30)", f(1e30) * f(1e30) * f(1e-30),
     "0x7149f2ca 0x7f800000 0x7149f2ca 0x7f800000"),
    ("3000000000 * 3 / 2", np.array([3000000000], u) * u(3) // u(2),
     "0xc0000000 0x0c388d00 0x0c388d00 0x0c388d00"),
    ("uint(65536 * 65536 / 65536)", np.array([65536], u) * u(65536) // u(65536),
     "0xffff8000 0x00000000 0x00010000 0x00000000"),
    ("asuint(65536 * 65536 * 1.0)", f(0), "0xcf000000 0x00000000 0x4f800000 0x00000000"),
    ("asuint(pow(-2.0, 3.0))", np.exp2(f(3) * np.log2(f(-2))),
     "0xc1000000 0xffc00000 0xc1000000 0xc1000000"),
    ("uint(-1.5)", u(0), "0x00000000 0x00000000 0x00000000 0xffffffff"),
    ("uint(4294967296.0)", u(0xFFFFFFFF), "0xffffffff 0xffffffff 0xffffffff 0x00000000"),
    ("int(asfloat(0x7fc00000))", u(0), "0x00000000 0x00000000 0x80000000 0x80000000"),
    ("1 << 33", u(1 << 33 % 32), "0x00000002 0x00000002 0x00000000 0x00000000"),
)  # fmt: skip
for expression, right, stated in ROWS:
    source = shader(f"found.Store(0, {expression});")
    seen = " ".join(stored(one, source) for one in (fxc, vkd3d, dxc, slang))
    bits = int(np.asarray(right).reshape(-1).view(np.uint32)[0])
    check(f"{expression}: fxc, vkd3d-compiler, DXC, Slang", seen, stated, f"0x{bits:08x}")
PYTHON
