#!/bin/sh
# glslang 12.0.0 (Debian 12) computes expressions of float constants in 64 bits and rounds only
# the result: with constants 16777216.0 + 1.0 - 16777216.0 is 1, and 1e30 * 1e30 * 1e-30 is 1e30.
# With variables of the same values each step is a float, and the results are 0 and infinity. So a
# number that becomes a constant changes results.
#
# Expected: GLSL has float literals of 32 bits without the suffix lf (GLSL 4.60, section 4.1.4),
# and C and C++ compilers fold float expressions in floats. GLSL demands no precision for constant
# expressions (section 4.7.1).
set -eu
. "$(dirname "$0")/common/setup.sh"
alone glslang-tools=12.0.0-2 spirv-tools=2023.1-2
pypi numpy==2.2.6

cat >shader.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer Numbers { float numbers[]; };
void main()
{
    numbers[0] = 16777216.0 + 1.0 - 16777216.0;
    numbers[1] = 1e30 * 1e30 * 1e-30;
    numbers[2] = 0.1 + 0.2 - 0.3;
    numbers[3] = float(16777217u) - 16777216.0;
}
GLSL
glslangValidator -V shader.comp -o shader.spv >compile.log
spirv-val shader.spv
spirv-dis --raw-id --no-indent shader.spv >shader.txt

python - <<'PYTHON'
import re
import numpy as np
from finding import check

with open("shader.txt") as file:
    text = file.read()
constants = dict(re.findall(r"^(%\d+) = OpConstant %\d+ (\S+)$", text, re.M))
folded = [constants[name] for name in re.findall(r"^OpStore %\d+ (%\d+)$", text, re.M)]
big, one, huge, small = np.array([16777216, 1, 1e30, 1e-30], np.float32)
tenths = np.array([0.1, 0.2, 0.3], np.float32)
with np.errstate(over="ignore"):
    steps = [
        big + one - big,
        huge * huge * small,
        tenths[0] + tenths[1] - tenths[2],
        np.float32(16777217) - big,
    ]
check("16777216 + 1 - 16777216", folded[0], "1", f"{steps[0]:g}")
check("1e30 * 1e30 * 1e-30", folded[1], "1.00000002e+30", f"{steps[1]:g}")
check("0.1 + 0.2 - 0.3", folded[2], "5.55111512e-17", f"{steps[2]:.9g}")
check("float(16777217u) - 16777216", folded[3], "1", f"{steps[3]:g}")
PYTHON
