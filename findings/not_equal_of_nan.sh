#!/bin/sh
# x != x, the usual test for a NaN, is false for a NaN in three compilers that make SPIR-V: DXC
# 1.8 (in the package compushady-lrtu 0.18.0), naga (in wgpu 0.32.0) and Taichi 1.7.4, also
# without its option fast_math. DXC makes OpFOrdNotEqual of it, where glslang 12.0.0 makes
# OpFUnordNotEqual, which is right. !(x == x) is true in all.
#
# Expected: true. != is the negation of == (IEEE 754-2019, section 5.11); Direct3D's "ne" is true
# with a NaN (functional specification, section 22.12), and so is Python's !=. Only WGSL lets a
# compiler assume that there are no NaNs, so naga breaks no rule.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1
alone glslang-tools=12.0.0-2
pypi vulkan==1.3.275.1 numpy==2.2.6 compushady-lrtu==0.18.0 wgpu==0.32.0 taichi==1.7.4
driver libvulkan_lvp.so

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { float x; float different; float not_same; };
void main()
{
    different = x != x ? 1.0 : 0.0;
    not_same = !(x == x) ? 1.0 : 0.0;
}
GLSL
glslangValidator -V shader.comp -o glslang.spv >compile.log

cat >dxc.py <<'PYTHON'
from compushady.shaders.hlsl import compile

with open("dxc.spv", "wb") as file:
    file.write(
        compile("""
            RWStructuredBuffer<float> numbers : register(u0);
            [numthreads(1, 1, 1)] void main()
            {
                float x = numbers[0];
                numbers[1] = x != x ? 1.0 : 0.0;
                numbers[2] = !(x == x) ? 1.0 : 0.0;
            }
        """)
    )
PYTHON
python dxc.py

cat >naga.py <<'PYTHON'
import numpy as np
import wgpu  # noqa: F401
from wgpu.utils.compute import compute_with_buffers

code = """
    @group(0) @binding(0) var<storage, read> numbers: array<f32>;
    @group(0) @binding(1) var<storage, read_write> results: array<u32>;
    @compute @workgroup_size(1) fn main()
    {
        let x = numbers[0];
        results[0] = u32(x != x);
        results[1] = u32(!(x == x));
    }
"""
print(
    *compute_with_buffers({0: np.full(1, np.nan, np.float32)}, {1: (2, "I")}, code, n=1)[1].tolist()
)
PYTHON

cat >taichi_.py <<'PYTHON'
import sys
import taichi as ti

ti.init(arch=getattr(ti, sys.argv[1]), fast_math=False, log_level=ti.ERROR)
results = ti.field(ti.i32, shape=2)


@ti.kernel
def compare(x: ti.f32):
    results[0] = 1 if x != x else 0
    results[1] = 1 if not (x == x) else 0


compare(float("nan"))
print(*results.to_numpy())
PYTHON

python - <<'PYTHON'
import subprocess
import sys
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
seen = {}
for name in "glslang", "dxc":
    stored = gpu.run(f"{name}.spv", {0: np.array([np.nan, 9, 9], np.float32)})[0]
    seen[name] = f"{stored[1]:g} {stored[2]:g}"
for name, command in {
    "naga": ["naga.py"],
    "Taichi for CPUs": ["taichi_.py", "cpu"],
    "Taichi for Vulkan": ["taichi_.py", "vulkan"],
}.items():
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    seen[name] = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr
for name, results in seen.items():
    check(
        f"x != x and !(x == x) of a NaN, {name}",
        results,
        "1 1" if name == "glslang" else "0 1",
        "1 1",
    )
PYTHON
