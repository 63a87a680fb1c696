#!/bin/sh
# lavapipe of Mesa 22.3.6 (Debian 12) replaces x * 0 by 0, also for an infinite x, and x + 0 by x,
# also for -0.0, if it finds out in the compiler that the operand is a zero. The shader declares
# SignedZeroInfNanPreserve, which the device offers, and its results are precise. A loop of one
# iteration suffices to hide the zero from glslang.
#
# Expected: in this mode an optimization must not ignore the signs of zeros, infinities and NaNs
# (SPV_KHR_float_controls): infinity * 0 is a NaN and -0.0 + 0.0 is 0.0 (IEEE 754-2019, sections
# 7.2 and 6.3).
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
#extension GL_EXT_spirv_intrinsics : require
// SignedZeroInfNanPreserve 32
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers
{
    float infinity, minus_zero, product, sum;
};
void main()
{
    precise float multiplied = 1.0, added = 1.0;
    for (int i = 0; i < 1; i++) {
        multiplied = infinity * float(i);
        added = minus_zero + float(i);
    }
    product = multiplied;
    sum = added;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import bits, check
from vk import Gpu

numbers = np.array([np.inf, -0.0, 9, 9], np.float32)
stored = Gpu().run("shader.spv", {0: numbers})[0]
check("infinity * 0.0, in bits", bits(stored[2:3]), "0x00000000", "a NaN")
check("-0.0 + 0.0, in bits", bits(stored[3:4]), "0x80000000", "0x00000000")
PYTHON
