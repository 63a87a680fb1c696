#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) returns the mean of two mips from a
# sampler whose reduction mode is the minimum. Within a mip it takes the minimum.
#
# Expected: with VK_SAMPLER_REDUCTION_MODE_MIN, the result is the minimum of all texels with a
# weight that is not zero, those of both mips included (Vulkan, "Texel Filtering" and "Texel
# Reduction").
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D numbers;
layout(binding = 1, std430) buffer Sampled { float level; float sampled; };
void main() { sampled = textureLod(numbers, vec2(0.5), level).r; }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu(chain=vk.VkPhysicalDeviceVulkan12Features(samplerFilterMinmax=vk.VK_TRUE))
levels = [np.full(4, 5, np.float32), np.full(1, 3, np.float32)]
levels[0][0] = 7
sampler = {"linear": True, "linear_mips": True, "reduction": vk.VK_SAMPLER_REDUCTION_MODE_MIN}
for level, stated, expected in (0.0, 5.0, 5.0), (0.5, 4.0, 3.0):
    texture = Texture(vk.VK_FORMAT_R32_SFLOAT, (2, 2), levels, sampler=sampler)
    sampled = gpu.run("shader.spv", {0: texture, 1: np.array([level, 9], np.float32)})[1].tolist()[
        1
    ]
    check(
        f"the minimum at level {level} of mips with the texels 7 5 5 5 and 3",
        sampled,
        stated,
        expected,
    )
PYTHON
