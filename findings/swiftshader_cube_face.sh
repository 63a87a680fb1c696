#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) selects a face of x for a direction whose x and z are
# equally long.
#
# Expected: a face of z, which comes before y, and y before x, if components are equal (Vulkan,
# "Cube Map Face Selection"). Of x and y, and of y and z, SwiftShader chooses by this rule.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform samplerCube faces;
layout(binding = 1, std430) buffer Samples { vec4 direction; float sampled; };
void main() { sampled = textureLod(faces, direction.xyz, 0.0).r; }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu()
numbers = np.repeat(
    np.arange(6, dtype=np.float32), 4
)  # each face has its number: +x -x +y -y +z -z
for direction, stated, expected in (
    ((1, 1, 0.5), 2, 2),
    ((0.5, 1, 1), 4, 4),
    ((1, 0.5, 1), 0, 4),
    ((-1, 0.5, -1), 1, 5),
):
    cube = Texture(vk.VK_FORMAT_R32_SFLOAT, (2, 2), [numbers], layers=6, cube=True, sampler={})
    sampled = gpu.run("shader.spv", {0: cube, 1: np.array([*direction, 0, 9], np.float32)})[1][4]
    check(f"the face for the direction {direction}", int(sampled), stated, expected)
PYTHON
