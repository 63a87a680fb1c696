#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) rounds unsigned integers of 2^31 and more twice when it
# makes floats of them: float(0xffffff7fu) is 2^32, although 2^32 - 256 is nearer, and
# float(0xc0000081u) is too small. Smaller integers become the nearest float.
#
# Expected: the nearest float. Vulkan only demands one of the two neighbouring floats unless the
# device offers RoundingModeRTE for 32 bits, so the driver breaks no rule; but a conversion is
# usually believed to be the nearest, as C and Direct3D recommend it.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 4) in;
layout(binding = 0, std430) buffer Numbers { uint integers[4]; float floats[4]; };
void main() { floats[gl_LocalInvocationIndex] = float(integers[gl_LocalInvocationIndex]); }
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

integers = np.array([0x7FFFFF7F, 0x80000081, 0xC0000081, 0xFFFFFF7F], np.uint32)
stored = Gpu().run("shader.spv", {0: np.append(integers, integers)})[0][4:].view(np.float32)
nearest = integers.astype(np.float32)
check(
    "floats of " + " ".join(f"0x{number:x}" for number in integers),
    " ".join(f"{int(number):d}" for number in stored),
    "2147483520 2147483904 3221225472 4294967296",
    " ".join(f"{int(number):d}" for number in nearest),
)
PYTHON
