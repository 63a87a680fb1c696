#!/bin/sh
# SwiftShader of Chromium 150 (Debian 12) takes the index into an array of buffers from a thread
# that is not in the branch: where only thread 1 asks for buffer 1, it gets buffer 0, the index of
# thread 0.
#
# Expected: an index must be the same in the invocations that execute the instruction, unless it
# is NonUniform (Vulkan, "Shader Resource Interface"; SPIR-V, "dynamically uniform"). Only one
# thread executes it here, so every index is allowed, and the access goes to that thread's buffer.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone chromium-common=150.0.7871.100-1~deb12u1 libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvk_swiftshader.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 2) in;
layout(binding = 0, std430) readonly buffer Numbers { uint number; } buffers[2];
layout(binding = 1, std430) buffer Loaded { uint loaded; };
void main()
{
    uint me = gl_LocalInvocationIndex;
    if (me == 1u)
        loaded = buffers[me].number;
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

buffers = [np.full(1, 100, np.uint32), np.full(1, 101, np.uint32)]
gpu = Gpu(features=["shaderStorageBufferArrayDynamicIndexing"])
loaded = int(gpu.run("shader.spv", {0: buffers, 1: np.zeros(1, np.uint32)})[1][0])
check("the number in buffer 1, loaded by thread 1", loaded, 100, 101)
PYTHON
