#!/bin/sh
# lavapipe of Mesa 25.0.7 (Debian 12 backports, Debian 13) turns a choice between the constants
# -1.0 and 0.0 into the negation of a conversion of the condition: the zero becomes -0.0, and its
# bits show that. The same happens with Mesa 22.3.6, and with integers that only have the bits of
# these floats.
#
# Expected: OpSelect returns one of its operands, unchanged (SPIR-V, "OpSelect"). The shader has
# no arithmetic.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
backports mesa-vulkan-drivers=25.0.7-2~bpo12+1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 2) in;
layout(binding = 0, std430) buffer Numbers { uint chosen[]; };
void main()
{
    uint me = gl_LocalInvocationIndex;
    chosen[me] = me == 1u ? 0xbf800000u : 0u; // the bits of -1.0 and 0.0
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import bits, check
from vk import Gpu

chosen = Gpu().run("shader.spv", {0: np.full(2, 9, np.uint32)})[0]
check(
    "the integers 0 and 0xbf800000", bits(chosen), "0x80000000 0xbf800000", "0x00000000 0xbf800000"
)
PYTHON
