#!/bin/sh
# bitfieldExtract of PyGLM 2.8.3 does not extend the sign of a signed field: the four bits 1110 of
# an int32 or an ivec2 are 14, not -2. Only a field that ends at the sign bit, shifted or not,
# shows that something is amiss: bits 31 to 31 of a negative number are 1, not -1. glm, whose
# function PyGLM calls, has the same code in 2026.
#
# Expected: -2 and -1. "For signed data types, the most significant bits will be set to the value
# of bit offset + base - 1" (PyGLM's documentation of bitfieldExtract, glm's, and GLSL 4.60,
# section 8.8).
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi PyGLM==2.8.3

python - <<'PYTHON'
from finding import check
from pyglm import glm


def signed(value, offset, bits):
    """The field by the rule of GLSL."""
    field = value >> offset & (1 << bits) - 1
    return field - (1 << bits) if field >> bits - 1 else field


for value, offset, bits, stated in (
    (0x70, 4, 4, 7),
    (0xE0, 4, 4, 14),
    (-2, 0, 8, 254),
    (-(2**31), 31, 1, 1),
    (-2, 0, 32, -2),
):
    vector = glm.bitfieldExtract(glm.ivec2(value, value), offset, bits)
    scalar = glm.bitfieldExtract(glm.int32(value), offset, bits)
    right = signed(value, offset, bits)
    check(
        f"{bits} bits from bit {offset} of {value}, in an ivec2 and an int32",
        [vector.x, vector.y, int(getattr(scalar, "value", scalar))],
        [stated] * 3,
        [right] * 3,
    )
PYTHON
