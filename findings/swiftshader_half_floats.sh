#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) makes NaNs of infinities when it converts to half
# floats, and infinities and NaNs change the half float that is stored after them: (infinity, 0,
# 0, 1) in an image becomes (NaN, 1.2e-7, 0, 1), and packHalf2x16 of (infinity, 0) is 0x27fff.
#
# Expected: 0x7c00 for an infinity, and 0x7c00 or 0x7bff for 10^6 (Vulkan, "16-Bit Floating-Point
# Numbers"; IEEE 754-2019, section 4.3; GLSL 4.60, section 8.4). No component of a texel or half
# of a dword depends on another.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, rgba16f) uniform writeonly image2D image;
layout(binding = 1, std430) buffer Numbers { vec4 numbers; uint packed; };
void main()
{
    imageStore(image, ivec2(0), numbers);
    packed = packHalf2x16(numbers.xy);
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import bits, check
from vk import Gpu, Texture

gpu = Gpu()
for numbers, stated, packed, expected in (
    ((0.5, -2, 3, 1), "0.5 -2 3 1", "0xc0003800", "0xc0003800"),
    ((np.inf, 0, 0, 1), "nan 1.192e-07 0 1", "0x00027fff", "0x00007c00"),
    ((1e6, 0, np.nan, 1), "nan 0 nan 1.002", "0x0000ffff", "0x00007c00 or 0x00007bff"),
):
    image = Texture(vk.VK_FORMAT_R16G16B16A16_SFLOAT, (1, 1), texel=8)
    stored = gpu.run("shader.spv", {0: image, 1: np.array([*numbers, 9], np.float32)})
    seen = " ".join(f"{float(number):.4g}" for number in stored[0].view(np.float16))
    check(f"{numbers} as half floats", seen, stated, " ".join(f"{number:g}" for number in numbers))
    check("the first two, packed", bits(stored[1][4:]), packed, expected)
PYTHON
