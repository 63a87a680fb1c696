#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) computes infinity as exp2(NaN), also if the module
# declares SignedZeroInfNanPreserve, which the device offers.
#
# Expected: a NaN. In this mode a NaN must not be treated as absent (SPV_KHR_float_controls), and
# no power of a NaN is a number (IEEE 754-2019, section 9.2).
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
#extension GL_EXT_spirv_intrinsics : require
// SignedZeroInfNanPreserve 32
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { float number; float power; };
void main() { power = exp2(number); }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for number, stated in (3.0, "8"), (np.nan, "inf"):
    power = gpu.run("shader.spv", {0: np.array([number, 9], np.float32)})[0][1]
    check(f"exp2({number})", f"{power:g}", stated, f"{2**number:g}")
PYTHON
