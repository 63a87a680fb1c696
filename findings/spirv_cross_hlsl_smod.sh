#!/bin/sh
# SPIRV-Cross of the Vulkan SDK 1.3.239 (Debian 12) writes OpSMod, the remainder with the sign of
# the divisor, as % in HLSL: OpSMod of -7 and 3 is 2, but -7 % 3 is -1 with HLSL's compilers, or
# anything.
#
# Expected: code that gives 2 (SPIR-V, "OpSMod"). HLSL's % "is defined only in cases where either
# both sides are positive or both sides are negative" (Microsoft's reference of HLSL,
# "Operators"). For OpFMod SPIRV-Cross writes a function with floor, and for OpSRem a division and
# a product.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone spirv-tools=2023.1-2 spirv-cross=2021.01.15+1.3.239.0-1

cat >module.txt <<'SPIRV'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %numbers "numbers"
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpMemberDecorate %buffer 1 Offset 4
OpMemberDecorate %buffer 2 Offset 8
OpMemberDecorate %buffer 3 Offset 12
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%buffer = OpTypeStruct %int %int %int %int
%to_buffer = OpTypePointer StorageBuffer %buffer
%to_int = OpTypePointer StorageBuffer %int
%numbers = OpVariable %to_buffer StorageBuffer
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%2 = OpConstant %int 2
%3 = OpConstant %int 3
%main = OpFunction %void None %function
%start = OpLabel
%to_a = OpAccessChain %to_int %numbers %0
%to_b = OpAccessChain %to_int %numbers %1
%to_mod = OpAccessChain %to_int %numbers %2
%to_rem = OpAccessChain %to_int %numbers %3
%a = OpLoad %int %to_a
%b = OpLoad %int %to_b
%mod = OpSMod %int %a %b
%rem = OpSRem %int %a %b
OpStore %to_mod %mod
OpStore %to_rem %rem
OpReturn
OpFunctionEnd
SPIRV
spirv-as --target-env vulkan1.1 module.txt -o module.spv
spirv-val --target-env vulkan1.1 module.spv
spirv-cross module.spv --hlsl --shader-model 50 --output shader.hlsl
cat shader.hlsl

python3 - <<'PYTHON'
import re
from finding import check

with open("shader.hlsl") as file:
    stores = dict(re.findall(r"numbers\.Store\((\d+), uint\((.*)\)\);", file.read()))
plain = r"^_\d+ % _\d+$"
check(
    "OpSMod is one % without a correction of signs", bool(re.match(plain, stores["8"])), True, False
)
check(
    "OpSRem is written in another way",
    bool(re.match(plain, stores["12"])),
    False,
    "this one would be %",
)
PYTHON
