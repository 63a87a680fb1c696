#!/bin/sh
# vkd3d-compiler 1.2 (Debian 12) translates the DXBC instructions firstbit_hi and firstbit_shi so
# that a number without such a bit gives 32.
#
# Expected: 0xffffffff where no bit is found: of firstbit_hi and firstbit_lo for 0, of
# firstbit_shi for 0 and -1 (Direct3D 11.3 functional specification, sections 22.11.6-8). The
# translation subtracts the position from 31, also if the position is the -1 of GLSL.std.450.
# firstbit_lo, which needs no subtraction, is right.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1
debian vkd3d-compiler=1.2-15 libvkd3d-shader1=1.2-15
alone spirv-tools=2023.1-2
pypi vulkan==1.3.275.1 numpy==2.2.6
driver libvulkan_lvp.so

# cs_5_0
# dcl_uav_raw u0
# dcl_temps 2
# dcl_thread_group 1, 1, 1
# ld_raw r0.xy, l(0), u0.xyxx
# firstbit_hi r1.x, r0.x
# firstbit_shi r1.y, r0.x
# firstbit_shi r1.z, r0.y
# firstbit_lo r1.w, r0.x
# store_raw u0.xyzw, l(16), r1.xyzw
# ret
base64 -d >shader.dxbc <<'DXBC'
RFhCQ3UUbyHOzaimg3D5JroD04gBAAAAsAEAAAQAAAAwAAAAQAAAAFAAAAAUAQAASVNHTggAAAAAAAAACAAAAE9TR04IAAAAAAAA
AAgAAABTSEVYvAAAAFAABQAvAAAAaggAAZ0AAAMA4BEAAAAAAGgAAAICAAAAmwAABAEAAAABAAAAAQAAAKUAAAcyABAAAAAAAAFA
AAAAAAAARuARAAAAAACHAAAFEgAQAAEAAAAKABAAAAAAAIkAAAUiABAAAQAAAAoAEAAAAAAAiQAABUIAEAABAAAAGgAQAAAAAACI
AAAFggAQAAEAAAAKABAAAAAAAKYAAAfy4BEAAAAAAAFAAAAQAAAARg4QAAEAAAA+AAABU1RBVJQAAAAHAAAAAgAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
DXBC
vkd3d-compiler -x dxbc-tpf -b spirv-binary --buffer-uav=storage-buffer -o shader.spv shader.dxbc
spirv-val shader.spv

python - <<'PYTHON'
import numpy as np
from finding import check
from vk import Gpu

gpu = Gpu()
for a, b, stated, right in (
    (1, -2, [31, 31, 31, 0], [31, 31, 31, 0]),
    (0, -1, [32, 32, 32, -1], [-1, -1, -1, -1]),
):
    stored = gpu.run("shader.spv", {0: np.array([a, b, 9, 9, 9, 9, 9, 9], np.int32)})[0].tolist()[
        4:
    ]
    check(
        f"firstbit_hi, firstbit_shi of {a}; firstbit_shi of {b}; firstbit_lo of {a}",
        stored,
        stated,
        right,
    )
PYTHON
