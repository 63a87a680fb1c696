#!/bin/sh
# The CUDA simulator of Numba 0.68.1 computes some functions wrongly, without an error: popc counts
# the bits of the magnitude, so that -1 has one bit and not 32; clz takes integers of 64 bits for
# ones of 32; cbrt of a negative number is a NaN; fma rounds twice. Kernels that are tested with
# the simulator behave otherwise on a GPU.
#
# Expected: what Numba's "CUDA Kernel API" documents: "the number of bits set in x", "the number of
# leading zeros in x", the cube root of C's cbrt, and fma.rn, which rounds once. Of such functions
# the simulator's list of limitations only names ffs.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi numba==0.68.1 numpy==2.2.6
NUMBA_ENABLE_CUDASIM=1
export NUMBA_ENABLE_CUDASIM

python -W ignore - <<'PYTHON'
import numpy as np
from finding import check
from numba import cuda


@cuda.jit
def bits(counts, numbers):
    i = cuda.grid(1)
    counts[0, i] = cuda.popc(numbers[i])
    counts[1, i] = cuda.clz(numbers[i])


@cuda.jit
def roots(results, numbers):
    i = cuda.grid(1)
    results[i] = cuda.cbrt(numbers[i])


@cuda.jit
def fused(results, x, y, z):
    results[0] = cuda.fma(x[0], y[0], z[0])


def of_bits(numbers):
    counts = np.zeros((2, len(numbers)), np.int32)
    bits[1, len(numbers)](counts, numbers)
    return counts.tolist()


small = np.array([6, -1, -2, -8], np.int32)
counts = of_bits(small)
check(f"popc of {small.tolist()}", counts[0], [2, 1, 1, 1], [2, 32, 31, 29])
large = np.array([1, 2**31, 2**40], np.int64)
counts = of_bits(large)
check("popc of 1, 2^31 and 2^40, 64 bits", counts[0], [1, 1, 1], [1, 1, 1])
check("clz of 1, 2^31 and 2^40, 64 bits", counts[1], [31, 0, 0], [63, 32, 23])

numbers = np.array([8, -8, -0.001])
results = np.zeros(3)
roots[1, 3](results, numbers)
check(f"cbrt of {numbers.tolist()}", str(results.round(6)), "[ 2. nan nan]", "[ 2.  -2.  -0.1]")

for kind, e in (np.float32, 12), (np.float64, 30):
    x = np.array([1 + 2.0**-e], kind)
    result = np.ones(1, kind)
    fused[1, 1](result, x, x, np.array([-(1 + 2.0 ** (1 - e))], kind))
    check(f"fma(x, x, -(1 + 2^{1 - e})) of x = 1 + 2^-{e}", float(result[0]), 0.0, 2.0 ** (-2 * e))
PYTHON
