#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) filters the edges of a cube map with zeros in place of
# the next face's texels: a cube that is 1 everywhere is 0.5 at an edge and 0.25 at a corner.
#
# Expected: 1. Cube maps are always seamless in Vulkan: a filter that reaches beyond a face takes
# the texels of the neighbouring face (Vulkan, "Cube Map Edge Handling"), unless the extension for
# non-seamless cubes is in use.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform samplerCube ones;
layout(binding = 1, std430) buffer Samples { vec4 direction; float sampled; };
void main() { sampled = textureLod(ones, direction.xyz, 0.0).r; }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu()
ones = np.ones(6 * 2 * 2, np.float32)
for name, direction, stated in (
    ("centre", (1, 0, 0), 1),
    ("edge", (1, 1, 0), 0.5),
    ("corner", (1, 1, 1), 0.25),
):
    cube = Texture(
        vk.VK_FORMAT_R32_SFLOAT, (2, 2), [ones], layers=6, cube=True, sampler={"linear": True}
    )
    sampled = gpu.run("shader.spv", {0: cube, 1: np.array([*direction, 0, 9], np.float32)})[1][4]
    check(f"a white cube at the {name} of a face", round(float(sampled), 4), stated, 1)
PYTHON
