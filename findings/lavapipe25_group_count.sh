#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) runs the number of workgroups modulo
# 2^32: of the largest dispatch that its own limits allow, 65,535 x 65,535 x 65,535 groups, only
# the first 196,607 run, in no time and without an error. Mesa 22.3.6 and SwiftShader of Chromium
# 150 do the same.
#
# Expected: vkCmdDispatch runs groupCountX x groupCountY x groupCountZ local workgroups (Vulkan,
# "Dispatching Commands"), if each is within maxComputeWorkGroupCount; no limit is stated for the
# product. 2^48 groups would take years, but a dispatch must not end as if it had run them.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { uint groups; uint highest_y; uint highest_z; };
void main()
{
    atomicAdd(groups, 1u);
    atomicMax(highest_y, gl_WorkGroupID.y);
    atomicMax(highest_z, gl_WorkGroupID.z);
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

timeout 300 python - <<'PYTHON'
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu

gpu = Gpu()
limits = vk.vkGetPhysicalDeviceProperties(gpu.physical).limits
check(
    "maxComputeWorkGroupCount", list(limits.maxComputeWorkGroupCount), [65535] * 3, "65535 or more"
)
counted, *highest = gpu.run(
    "shader.spv", {0: np.zeros(3, np.uint32)}, groups=(65535, 65535, 65535)
)[0].tolist()
check("groups that ran", counted, 65535**3 % 2**32, f"{65535**3}")
check("the highest y and z of a group that ran", highest, [3, 0], [65534, 65534])
PYTHON
