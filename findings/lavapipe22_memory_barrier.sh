#!/bin/sh
# lavapipe of Mesa 22.3.6 (Debian 12) ends some threads early at a memory barrier that not all
# threads reach: of 16 threads, 8 do not execute the rest of the shader.
#
# Expected: memoryBarrierShared() only orders memory accesses (GLSL 4.60, section 8.17;
# OpMemoryBarrier in the SPIR-V specification). Unlike barrier() it needs no uniform control flow
# and waits for nobody.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 16) in;
layout(binding = 0, std430) buffer Numbers { uint counted[]; };
void main()
{
    uint n = 0u;
    while (n < gl_LocalInvocationIndex) {
        n += 1u;
        memoryBarrierShared();
    }
    counted[gl_LocalInvocationIndex] = n;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

counted = Gpu().run("shader.spv", {0: np.full(16, 99, np.uint32)})[0].tolist()
check(
    "each thread stores its index in place of 99",
    counted,
    [*range(8), *[99] * 8],
    list(range(16)),
)
PYTHON
