#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) removes a conversion to a half float
# that is followed by one back: the number is not rounded, and not limited to the range of half
# floats. This happens with 16-bit types, with packHalf2x16, and if the result is precise. Only
# NoContraction on the conversion itself prevents it, which glslang gives to arithmetic alone.
# Mesa 22.3.6 converts.
#
# Expected: float16_t(x) is a half float (GL_EXT_shader_explicit_arithmetic_types; OpFConvert),
# and packHalf2x16 packs half floats (GLSL 4.60, section 8.4). Half floats have 11 significant
# bits and end at 65504, so 4097 becomes a neighbour, 0.1 becomes 0.09998, and 10^6 infinity or
# 65504. Without NoContraction SPIR-V lets operations be combined to one, such as a multiply-add;
# that two may become none is not said.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { float number; float converted; float packed; };
void main()
{
    precise float back = float(float16_t(number));
    converted = back;
    packed = unpackHalf2x16(packHalf2x16(vec2(number, 0.0))).x;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu

gpu = Gpu(chain=vk.VkPhysicalDeviceVulkan12Features(shaderFloat16=vk.VK_TRUE))
for number, rounded in (
    (4097.0, "4096 or 4100"),
    (0.1, "0.09997559 or 0.1000366"),
    (1e6, "infinity or 65504"),
):
    exact = float(np.float32(number))
    stored = gpu.run("shader.spv", {0: np.array([number, 9, 9], np.float32)})[0].tolist()
    check(
        f"{number:g} as a half float and back, by types and by packing",
        stored[1:],
        [exact, exact],
        rounded,
    )
PYTHON
