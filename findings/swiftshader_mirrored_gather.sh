#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) returns the four texels of a gather in mirrored order if
# the address mode is VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE and the coordinate is negative.
#
# Expected: the texels' places are i0 and i1 = i0 + 1, and each is mirrored (Vulkan, "Texel
# Gathering" and "Wrapping Operation"). At -0.9 texels these are columns -2 and -1, which are
# mirrored to columns 1 and 0. For the same coordinates VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
# has the same result, and there SwiftShader is right.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D columns;
layout(binding = 1, std430) buffer Gathered { vec4 gathered; };
void main() { gathered = textureGather(columns, vec2(-0.9 / 4.0, 0.5)); }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu(extensions=["VK_KHR_sampler_mirror_clamp_to_edge"])
columns = np.tile(np.arange(4, dtype=np.float32), (2, 1))
for name, stated in ("MIRRORED_REPEAT", [1, 0, 0, 1]), ("MIRROR_CLAMP_TO_EDGE", [0, 1, 1, 0]):
    mode = getattr(vk, "VK_SAMPLER_ADDRESS_MODE_" + name)
    texture = Texture(
        vk.VK_FORMAT_R32_SFLOAT, (4, 2), [columns], sampler={"linear": True, "address": mode}
    )
    gathered = gpu.run("shader.spv", {0: texture, 1: np.full(4, 9, np.float32)})[1].tolist()
    check(f"the columns of a gather at -0.9 with {name}", gathered, stated, [1, 0, 0, 1])
PYTHON
