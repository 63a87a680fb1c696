#!/bin/sh
# glslang 12.0.0 (Debian 12) translates HLSL's fmod to OpFMod, whose result has the sign of the
# divisor: fmod(-7.5, 2.0) is 0.5 on a device.
#
# Expected: OpFRem and -1.5. HLSL's fmod(x, y) is x - i * y with the sign of x, as in C
# (Microsoft's reference of HLSL, "fmod"), which is what SPIR-V calls FRem; GLSL's mod is FMod.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.hlsl <<'HLSL'
RWStructuredBuffer<float> numbers : register(u0);
[numthreads(1, 1, 1)] void main() { numbers[2] = fmod(numbers[0], numbers[1]); }
HLSL
glslangValidator -D -V -S comp -e main shader.hlsl -o shader.spv >compile.log

python - <<'PYTHON'
import math
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for x, y, stated in (7.5, 2, 1.5), (-7.5, 2, 0.5), (7.5, -2, -0.5):
    stored = gpu.run("shader.spv", {0: np.array([x, y, 9], np.float32)})[0].tolist()[2]
    check(f"fmod({x}, {y})", stored, stated, math.fmod(x, y))
PYTHON
