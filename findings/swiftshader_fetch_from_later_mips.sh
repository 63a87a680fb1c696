#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) fetches from a wrong mip if a view begins at a later mip
# than 0: in a view of mips 2 to 4, texelFetch with level 0 or 1 returns a texel of level 2.
# textureLod and textureSize are right.
#
# Expected: the level is relative to the view's baseMipLevel (Vulkan, "Image Level(s) Selection"
# for the OpImageFetch instructions: d = level_base + lod).
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D mips;
layout(binding = 1, std430) buffer Mips { float fetched[3]; float sampled[3]; };
void main()
{
    for (int level = 0; level < 3; level++) {
        fetched[level] = texelFetch(mips, ivec2(0), level).r;
        sampled[level] = textureLod(mips, vec2(0.5), float(level)).r;
    }
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu, Texture

gpu = Gpu()
levels = [np.full((16 >> mip) ** 2, mip, np.float32) for mip in range(5)]  # each mip has its number
for first, stated in (0, [0, 1, 2]), (2, [4, 4, 4]):
    texture = Texture(vk.VK_FORMAT_R32_SFLOAT, (16, 16), levels, first_mip=first, sampler={})
    stored = gpu.run("shader.spv", {0: texture, 1: np.full(6, 9, np.float32)})[1].tolist()
    right = [first, first + 1, first + 2]
    check(
        f"levels 0, 1 and 2 of a view that begins at mip {first}, sampled", stored[3:], right, right
    )
    check("the same, fetched", stored[:3], stated, right)
PYTHON
