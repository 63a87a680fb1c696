#!/bin/sh
# spirv-opt 2023.1 (Debian 12) folds signed operations on constants of an unsigned type as if they
# were unsigned: SMax(-1, 1) becomes -1, SClamp(-1, 0, 2) becomes 2, OpConvertSToF of -1 becomes
# 4294967296.0. OpSLessThan, OpSDiv and OpShiftRightArithmetic of the same constants are folded as
# they should be. SwiftShader contains this optimizer and gives the same results for the module
# that was not optimized.
#
# Expected: the signedness of SMax, SMin, SClamp and OpConvertSToF comes from the instruction, not
# from the type: the operands may be of either (GLSL.std.450, "SMax"; SPIR-V, section 2.2.1, on
# the signedness of integer types). The optimizer must not change a result.
set -eu
. "$(dirname "$0")/common/setup.sh"
alone spirv-tools=2023.1-2

cat >module.txt <<'SPIRV'
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %integers ArrayStride 4
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%integers = OpTypeRuntimeArray %uint
%buffer = OpTypeStruct %integers
%to_buffer = OpTypePointer StorageBuffer %buffer
%to_uint = OpTypePointer StorageBuffer %uint
%results = OpVariable %to_buffer StorageBuffer
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%3 = OpConstant %uint 3
%4 = OpConstant %uint 4
%minus = OpConstant %uint 0xffffffff
%main = OpFunction %void None %function
%start = OpLabel
%less = OpSLessThan %bool %minus %1
%less_uint = OpSelect %uint %less %1 %0
%max = OpExtInst %uint %glsl SMax %minus %1
%min = OpExtInst %uint %glsl SMin %minus %1
%clamp = OpExtInst %uint %glsl SClamp %minus %0 %2
%converted = OpConvertSToF %float %minus
%converted_bits = OpBitcast %uint %converted
%to0 = OpAccessChain %to_uint %results %0 %0
%to1 = OpAccessChain %to_uint %results %0 %1
%to2 = OpAccessChain %to_uint %results %0 %2
%to3 = OpAccessChain %to_uint %results %0 %3
%to4 = OpAccessChain %to_uint %results %0 %4
OpStore %to0 %less_uint
OpStore %to1 %max
OpStore %to2 %min
OpStore %to3 %clamp
OpStore %to4 %converted_bits
OpReturn
OpFunctionEnd
SPIRV
spirv-as --target-env vulkan1.1 module.txt -o module.spv
spirv-val --target-env vulkan1.1 module.spv
spirv-opt -O module.spv -o optimized.spv
spirv-dis --raw-id --no-indent optimized.spv >optimized.txt

python3 - <<'PYTHON'
import re
import struct
from finding import check

with open("optimized.txt") as file:
    text = file.read()
constants = dict(re.findall(r"^(%\d+) = OpConstant %\d+ (\d+)$", text, re.M))
stored = [int(constants[name]) for name in re.findall(r"^OpStore %\d+ (%\d+)$", text, re.M)]
minus = 2**32 - 1
check("-1 < 1, signed", stored[0], 1, 1)
check("SMax(-1, 1)", stored[1], minus, 1)
check("SMin(-1, 1)", stored[2], 1, minus)
check("SClamp(-1, 0, 2)", stored[3], 2, 0)
check("OpConvertSToF of -1", struct.unpack("f", struct.pack("I", stored[4]))[0], 4294967296.0, -1.0)
PYTHON
