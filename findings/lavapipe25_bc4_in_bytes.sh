#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) decompresses BC4 blocks to bytes and
# cuts off the rest: between the endpoints 1 and 0 every interpolated entry is 0, and between 2
# and 0 the first is 1/255. Mesa 22.3.6 does the same.
#
# Expected: the entries between the endpoints are their weighted means, in sevenths, as real
# numbers (Khronos Data Format Specification, section "BC4"). Direct3D allows an error of 0.00014
# (functional specification, 19.5.2); Vulkan states no precision.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D blocks;
layout(binding = 1, std430) buffer Numbers { float fetched[8]; };
void main()
{
    for (int i = 0; i < 8; i++)
        fetched[i] = texelFetch(blocks, ivec2(i & 3, i >> 2), 0).r;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

# texel i has entry i of the block's palette
indices = sum(i << 3 * i for i in range(8)).to_bytes(6, "little")
gpu = Gpu(features=["textureCompressionBC"])
for first, stated in (1, "1 0 0 0 0 0 0 0"), (2, "2 0 1 1 1 0 0 0"):
    block = np.frombuffer(bytes([first, 0]) + indices, np.uint8)
    texture = Texture(vk.VK_FORMAT_BC4_UNORM_BLOCK, (4, 4), [block], sampler={})
    fetched = gpu.run("shader.spv", {0: texture, 1: np.zeros(8, np.float32)})[1] * 255
    entries = [first, 0, *(first * (7 - i) / 7 for i in range(1, 7))]
    check(
        f"255 times the entries of the palette {first}, 0",
        " ".join(f"{number:.3g}" for number in fetched),
        stated,
        " ".join(f"{number:.3g}" for number in entries),
    )
PYTHON
