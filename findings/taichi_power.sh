#!/bin/sh
# ti.pow of Taichi 1.7.4 with a negative base and a float exponent is a NaN on Vulkan, also for
# whole exponents: (-2.0) ** 3.0 is -8 on CPUs.
#
# Expected: -8. Taichi's documentation leaves the result undefined only for "a negative value
# raised to a non-integral value" (docstring of ti.pow). The exponent 3.0 is integral.
set -eu
. "$(dirname "$0")/common/setup.sh"
debian mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15=1:15.0.6-4+b1 \
    libvulkan1=1.3.239.0-1
pypi taichi==1.7.4 numpy==2.2.6
driver libvulkan_lvp.so

cat >kernel.py <<'PYTHON'
import sys
import taichi as ti

ti.init(arch=getattr(ti, sys.argv[1]), log_level=ti.ERROR)
powers = ti.field(ti.f32, shape=3)


@ti.kernel
def raised(base: ti.f32, exponent: ti.f32, whole: ti.i32):
    powers[0] = ti.pow(-base, exponent)
    powers[1] = ti.pow(base, exponent)
    powers[2] = ti.pow(base, whole)


raised(-2.0, 3.0, 3)
print(*(f"{number:g}" for number in powers.to_numpy()))
PYTHON

python - <<'PYTHON'
import subprocess
import sys
from finding import check

for arch, stated in ("cpu", "8 -8 -8"), ("vulkan", "8 nan -8"):
    done = subprocess.run([sys.executable, "kernel.py", arch], capture_output=True, text=True)
    seen = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr
    check(f"2.0 ** 3.0, (-2.0) ** 3.0 and (-2.0) ** 3 on {arch}", seen, stated, "8 -8 -8")
PYTHON
