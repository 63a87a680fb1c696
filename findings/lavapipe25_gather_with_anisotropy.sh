#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) returns four NaNs from textureGather if
# the sampler has anisotropic filtering enabled, which the device offers. Mesa 22.3.6 returns a
# filtered sample in place of a gather. Without anisotropy both are right.
#
# Expected: a gather takes the four texels of a linear filter and does not filter (Vulkan, "Texel
# Gathering"; GLSL 4.60, section 8.9.4). It ignores the sampler's filters, and no rule makes
# anisotropy change the texels.
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
layout(binding = 1, std430) buffer Gathered { vec4 gathered; };
void main() { gathered = textureGather(numbers, vec2(0.5)); }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu(features=["samplerAnisotropy"])
texels = np.array([[1, 2], [3, 4]], np.float32)
for anisotropy, stated in (0, "[3.0, 4.0, 2.0, 1.0]"), (4, "[nan, nan, nan, nan]"):
    texture = Texture(
        vk.VK_FORMAT_R32_SFLOAT,
        (2, 2),
        [texels],
        sampler={"linear": True, "anisotropy": anisotropy},
    )
    gathered = gpu.run("shader.spv", {0: texture, 1: np.full(4, 9, np.float32)})[1].tolist()
    check(
        f"a gather with maxAnisotropy {anisotropy}", str(gathered), stated, "[3.0, 4.0, 2.0, 1.0]"
    )
PYTHON
