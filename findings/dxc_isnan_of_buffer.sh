#!/bin/sh
# DXC 1.8 (dxcompiler 1.8.0.45, in the package compushady-lrtu 0.18.0) cannot compile isnan, isinf
# or isfinite of a component of a constant buffer or structured buffer to SPIR-V: it makes OpIsNan
# with a result of type uint, and its own validation refuses the module. With a local variable in
# between, the same shader compiles.
#
# Expected: a module. isnan returns a bool whatever memory the operand comes from (Microsoft's
# reference of HLSL, "isnan"), and a local variable does not change a program's meaning.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1
pypi compushady-lrtu==0.18.0
driver libvulkan_lvp.so

python - <<'PYTHON'
from compushady.shaders.hlsl import compile
from finding import check

begin = """
    cbuffer Numbers { float number; };
    RWStructuredBuffer<uint> found : register(u0);
    [numthreads(1, 1, 1)] void main()
"""
invalid = "generated SPIR-V is invalid"
for name in "isnan", "isinf", "isfinite":
    for code, stated in (
        (f"float x = number; if ({name}(x)) found[0] = 1;", "compiled"),
        (f"if ({name}(number)) found[0] = 1;", invalid),
    ):
        try:
            compile(begin + "{ " + code + " }")
            seen = "compiled"
        except ValueError as error:
            print(str(error).strip())
            seen = next(text for text in (invalid, str(error)) if text in str(error))
        check(code, seen, stated, "compiled")
PYTHON
