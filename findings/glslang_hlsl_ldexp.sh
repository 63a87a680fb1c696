#!/bin/sh
# glslang 12.0.0 (Debian 12) makes an invalid module of HLSL's ldexp, without a message: it passes
# the exponent, which is a float in HLSL, to an instruction that takes an integer. spirv-val
# 2023.1 refuses the module.
#
# Expected: x * exp2(exp), with an exponent of type float (Microsoft's reference of HLSL,
# "ldexp"). The instruction's exponent is an integer (GLSL.std.450, "Ldexp"), so a conversion or
# another instruction is needed.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone glslang-tools=12.0.0-2 spirv-tools=2023.1-2

cat >shader.hlsl <<'HLSL'
RWStructuredBuffer<float> numbers : register(u0);
[numthreads(1, 1, 1)] void main() { numbers[0] = ldexp(numbers[0], numbers[1]); }
HLSL
glslangValidator -D -V -S comp -e main shader.hlsl -o shader.spv >compile.log
spirv-val shader.spv >validation.txt 2>&1 || true

python3 - <<'PYTHON'
from finding import check

with open("compile.log") as file:
    check(
        "lines of glslang's output",
        file.read().split(),
        ["shader.hlsl"],
        "only the name, if the module is valid",
    )
with open("validation.txt") as file:
    message = " ".join(file.read().split())
print(message)
check(
    "spirv-val refuses the exponent",
    "Ldexp: expected operand Exp to be a 32-bit int" in message,
    True,
    False,
)
PYTHON
