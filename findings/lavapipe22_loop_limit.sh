#!/bin/sh
# lavapipe of Mesa 22.3.6 (Debian 12) ends every loop after 65,535 iterations, and goes on after
# it as if the loop's condition had become false. There is neither an error nor a lost device.
#
# Expected: a loop ends when its condition is false. GLSL 4.60, section 6.3 "Iteration", knows no
# other end, and neither SPIR-V nor Vulkan has a limit for the iterations of a loop.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { uint limit; uint counted; };
void main()
{
    uint n = 0u;
    while (n < limit)
        n += 1u;
    counted = n;
}
GLSL
glslangValidator -V shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for limit, stated in (65535, 65535), (65536, 65535), (1000000, 65535):
    counted = int(gpu.run("shader.spv", {0: np.array([limit, 0], np.uint32)})[0][1])
    check(f"a loop that counts to {limit}", counted, stated, limit)
PYTHON
