#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) returns the length of the first
# thread's buffer to all threads, where threads index an array of buffers with nonuniformEXT.
# Loads with the same index are right.
#
# Expected: with NonUniform each invocation has its own descriptor (SPV_EXT_descriptor_indexing),
# and length() of an unsized array is the number of elements of that buffer (GLSL 4.60, section
# 4.1.9; OpArrayLength).
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 2) in;
layout(binding = 0, std430) readonly buffer Numbers { uint numbers[]; } buffers[2];
layout(binding = 1, std430) buffer Lengths { uint lengths[2]; uint loaded[2]; };
void main()
{
    uint me = gl_LocalInvocationIndex;
    lengths[me] = uint(buffers[nonuniformEXT(me)].numbers.length());
    loaded[me] = buffers[nonuniformEXT(me)].numbers[0];
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu

features = vk.VkPhysicalDeviceVulkan12Features(
    descriptorIndexing=vk.VK_TRUE, shaderStorageBufferArrayNonUniformIndexing=vk.VK_TRUE
)
buffers = [np.full(3, 30, np.uint32), np.full(9, 90, np.uint32)]
gpu = Gpu(features=["shaderStorageBufferArrayDynamicIndexing"], chain=features)
stored = gpu.run("shader.spv", {0: buffers, 1: np.zeros(4, np.uint32)})[1].tolist()
check("the first elements of the two threads' buffers", stored[2:], [30, 90], [30, 90])
check("the lengths of the two threads' buffers", stored[:2], [3, 3], [3, 9])
PYTHON
