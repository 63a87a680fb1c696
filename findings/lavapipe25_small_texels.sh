#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) rounds the components of 5 and 6 bits
# of a texture to bytes before it samples: a point filter returns another number than texelFetch
# for the same texel, with an error of up to 0.0028. Mesa 22.3.6 does the same.
#
# Expected: an unsigned normalized number of b bits is c / (2^b - 1) (Vulkan, "Conversion From
# Normalized Fixed-Point to Floating-Point"), with any filter, and a point filter returns the
# texel.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D colours;
layout(binding = 1, std430) buffer Colours { vec4 sampled; vec4 fetched; };
void main()
{
    sampled = textureLod(colours, vec2(0.5), 0.0);
    fetched = texelFetch(colours, ivec2(0), 0);
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

texel = np.array([3 << 11 | 10 << 5 | 3], np.uint16)
texture = Texture(vk.VK_FORMAT_R5G6B5_UNORM_PACK16, (1, 1), [texel], sampler={})
colours = Gpu().run("shader.spv", {0: texture, 1: np.zeros(8, np.float32)})[1]
right = f"{3 / 31:.5f} {10 / 63:.5f}"
check(
    "red and green of 3/31 and 10/63, fetched", "{:.5f} {:.5f}".format(*colours[4:6]), right, right
)
check(
    "the same, sampled with a point filter",
    "{:.5f} {:.5f}".format(*colours[:2]),
    "0.09412 0.15686",
    right,
)
PYTHON
