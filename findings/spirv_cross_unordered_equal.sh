#!/bin/sh
# SPIRV-Cross of the Vulkan SDK 1.3.239 (Debian 12) writes OpFUnordEqual as !(a != b) in GLSL.
# That is false if an operand is a NaN: the opposite of what the instruction is for.
#
# Expected: OpFUnordEqual is true if an operand is a NaN (SPIR-V, "OpFUnordEqual"), while != of a
# NaN is true (IEEE 754-2019, section 5.11), so that its negation is false. The module and its way
# through GLSL run on the same driver.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1
alone glslang-tools=12.0.0-2 spirv-tools=2023.1-2 spirv-cross=2021.01.15+1.3.239.0-1
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

cat >module.txt <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpMemberDecorate %buffer 1 Offset 4
OpMemberDecorate %buffer 2 Offset 8
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%buffer = OpTypeStruct %float %float %uint
%to_buffer = OpTypePointer StorageBuffer %buffer
%to_float = OpTypePointer StorageBuffer %float
%to_uint = OpTypePointer StorageBuffer %uint
%numbers = OpVariable %to_buffer StorageBuffer
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%main = OpFunction %void None %function
%start = OpLabel
%to_a = OpAccessChain %to_float %numbers %0
%to_b = OpAccessChain %to_float %numbers %1
%to_equal = OpAccessChain %to_uint %numbers %2
%a = OpLoad %float %to_a
%b = OpLoad %float %to_b
%equal = OpFUnordEqual %bool %a %b
%equal_uint = OpSelect %uint %equal %1 %0
OpStore %to_equal %equal_uint
OpReturn
OpFunctionEnd
SPIRV
spirv-as --target-env vulkan1.1 module.txt -o module.spv
spirv-val --target-env vulkan1.1 module.spv
spirv-cross module.spv --version 450 --vulkan-semantics --output shader.comp
grep -n '_m2 = ' shader.comp
glslangValidator -V --target-env vulkan1.1 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for a, b, right, stated in (1, 1, 1, 1), (1, 2, 0, 0), (np.nan, 1, 1, 0), (np.nan, np.nan, 1, 0):
    numbers = np.array([a, b, 9], np.float32)
    direct = int(gpu.run("module.spv", {0: numbers})[0].view(np.uint32)[2])
    crossed = int(gpu.run("shader.spv", {0: numbers})[0].view(np.uint32)[2])
    check(f"OpFUnordEqual of {a} and {b}", direct, right, right)
    check("the same through GLSL", crossed, stated, right)
PYTHON
