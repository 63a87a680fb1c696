#!/bin/sh
# PyGLM 2.8.3 packs small and large numbers wrongly into texels of small floats, without an error.
# packF2x11_1x10, for R11G11B10F, only handles 0 and numbers from 2^-14 to 65024: 0.00001 becomes
# 42496, 0.00003 a NaN and 10^6 becomes 0.00023. packF3x9_E1x5, for RGB9E5, turns every number above 32768
# into 32768. A dark or a bright texel of a picture in linear light is such a number. glm, whose
# functions PyGLM calls, has the same code in 2026.
#
# Expected: the nearest float of 11 bits, which has denormals and ends at 65024 (Vulkan, "Unsigned
# 11-bit floating-point numbers"), and components up to 65408 with a shared exponent (Vulkan,
# "RGB to shared exponent conversion"; GL_EXT_texture_shared_exponent, sharedexp_max). The
# documentation of both functions in PyGLM promises these formats, for any number.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi PyGLM==2.8.3

python - <<'PYTHON'
from finding import check
from pyglm import glm


def of_11_bits(code):
    """The number with five bits of exponent and six of mantissa, by the formula of Vulkan."""
    exponent, mantissa = code >> 6, code & 63
    if exponent == 31:
        return "NaN" if mantissa else "infinity"
    return mantissa * 2.0**-20 if exponent == 0 else (64 + mantissa) * 2.0 ** (exponent - 21)


for number, stated, expected in (
    (0.5, 0.5, 0.5),
    (2.0**-14, 2.0**-14, 2.0**-14),
    (3e-5, "NaN", 31 * 2.0**-20),
    (1e-5, 42496, 10 * 2.0**-20),
    (1e-6, 4288, 2.0**-20),
    (1e6, 244 * 2.0**-20, "65024 or infinity"),
):
    code = glm.packF2x11_1x10(glm.vec3(number, 0, 0))
    check(f"{number:g} in 11 bits: 0x{code:03x}", of_11_bits(code & 0x7FF), stated, expected)

for number, stated, expected in (
    (1000.0, 1000, 1000),
    (32768.0, 32768, 32768),
    (40000.0, 32768, 40064),
    (65408.0, 32768, 65408),
):
    code = glm.packF3x9_E1x5(glm.vec3(number, 0, 0))
    seen = (code & 511) * 2.0 ** ((code >> 27) - 24)
    check(f"{number:g} with a shared exponent: 0x{code:08x}", seen, stated, expected)
PYTHON
