#!/bin/sh
# lavapipe of Mesa 22.3.6 (Debian 12) loses a value that each thread loads in a loop and uses
# after it, if the threads leave the loop in different iterations: it is loaded again for threads
# that have left, and is 0 then.
#
# Expected: each thread has its own local variables, and a break ends the loop for that thread
# alone (GLSL 4.60, section 6.4), so a thread keeps the number that it loaded last.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 8) in;
layout(binding = 0, std430) readonly buffer Numbers { uint numbers[]; };
layout(binding = 1, std430) buffer Found { uint found[]; };
void main()
{
    uint me = gl_LocalInvocationIndex, i = 0u, loaded;
    for (;;) {
        loaded = numbers[i];
        if (loaded >= me)
            break;
        i += 1u;
    }
    found[me] = loaded;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

numbers = np.arange(8, dtype=np.uint32)
found = Gpu().run("shader.spv", {0: numbers, 1: np.full(8, 99, np.uint32)})[1].tolist()
check(
    "the first number that is not below the thread's index",
    found,
    [0, 0, 0, 0, 0, 0, 0, 7],
    numbers.tolist(),
)
PYTHON
