#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) offers textureCompressionBC, but in a compute shader
# every block that was copied to a compressed image reads as zeros. There is no error.
#
# Expected: the texels of the blocks. With the feature, images of the BC formats support sampling
# in every stage (Vulkan, "Features": textureCompressionBC; "Required Format Support").
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D blocks;
layout(binding = 1, std430) buffer Colours { vec4 fetched; vec4 sampled; };
void main()
{
    fetched = texelFetch(blocks, ivec2(0), 0);
    sampled = textureLod(blocks, vec2(0.5), 0.0);
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu(features=["textureCompressionBC"])
for name, block, expected in (
    ("BC1_RGBA", [0xFF, 0xFF, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1] * 2),
    ("BC4", [255, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 1] * 2),
):
    format = getattr(vk, f"VK_FORMAT_{name}_UNORM_BLOCK")
    texture = Texture(format, (4, 4), [np.array(block, np.uint8)], sampler={})
    colours = gpu.run("shader.spv", {0: texture, 1: np.full(8, 9, np.float32)})[1].tolist()
    stated = [0, 0, 0, 0] * 2 if name == "BC1_RGBA" else [0, 0, 0, 1] * 2
    check(f"a texel of a white block of {name}, fetched and sampled", colours, stated, expected)
PYTHON
