#!/bin/sh
# OpenEXR 3.5.3 for Python writes the memory of an array in its order, whatever the array's
# strides: a transposed array or one in Fortran's order becomes another picture, without an error.
# The size is that of the array.
#
# Expected: the picture that the array holds, or an error. The strides are part of NumPy's arrays
# and of Python's buffer protocol (PEP 3118). Arrays of compute shaders are often transposed,
# because their first index is x and that of a picture's array is y.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi OpenEXR==3.5.3 numpy==2.2.6

python - <<'PYTHON'
import numpy as np
import OpenEXR
from finding import check


def written(array):
    """The channel Z of a file with this array, read again."""
    header = {"type": OpenEXR.scanlineimage, "compression": OpenEXR.NO_COMPRESSION}
    with OpenEXR.File(header, {"Z": array}) as file:
        file.write("picture.exr")
    with OpenEXR.File("picture.exr") as file:
        return file.channels()["Z"].pixels.tolist()


rows = np.arange(6, dtype=np.float32).reshape(2, 3)
columns = np.asfortranarray(rows)
assert np.array_equal(rows, columns)
right = rows.tolist()
check("an array in C's order", written(rows), right, right)
check("an equal array in Fortran's order", written(columns), [[0, 3, 1], [4, 2, 5]], right)
check(
    "the transpose of its transpose's copy", written(rows.T.copy().T), [[0, 3, 1], [4, 2, 5]], right
)
check("its contiguous copy", written(np.ascontiguousarray(columns)), right, right)
PYTHON
