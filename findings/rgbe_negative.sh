#!/bin/sh
# Three libraries write a negative component to Radiance's format (.hdr) as a positive one, without
# an error: OpenCV 5.0.0, OpenImageIO 3.2.2.0 and imagecodecs 2026.3.6. (-1, 2, 3) becomes
# (3, 2, 3), and (2, 3, -0.5) becomes (2, 3, 3.5). They keep the low eight bits of the mantissa: -64
# becomes 192.
#
# Expected: 0, which Radiance's own code writes (setcolr in its color.c), or an error, because the
# format has no sign. Negative numbers are common in pictures of floats: filters that sharpen make
# them, and so do conversions of colours to a smaller colour space.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi opencv-python-headless==5.0.0.93 OpenImageIO==3.2.2.0 imagecodecs==2026.3.6 numpy==2.2.6

python - <<'PYTHON'
import cv2
import imagecodecs
import numpy as np
import OpenImageIO as oiio
from finding import check

texels = np.array([[[1, 2, 3], [-1, 2, 3], [2, 3, -0.5], [-1, -1, -1]]], np.float32)
cv2.imwrite("OpenCV.hdr", texels[..., ::-1])
oiio.ImageBuf(texels).write("OpenImageIO.hdr")
with open("imagecodecs.hdr", "wb") as file:
    file.write(imagecodecs.rgbe_encode(texels))

for name in "OpenCV", "OpenImageIO", "imagecodecs":
    read = cv2.imread(f"{name}.hdr", cv2.IMREAD_UNCHANGED)[0, :, ::-1].tolist()
    check(f"(1, 2, 3), {name}", read[0], [1, 2, 3], [1, 2, 3])
    check(f"(-1, 2, 3), {name}", read[1], [3, 2, 3], [0, 2, 3])
    check(f"(2, 3, -0.5), {name}", read[2], [2, 3, 3.5], [2, 3, 0])
    check(f"(-1, -1, -1), {name}", read[3], [0, 0, 0], [0, 0, 0])
PYTHON
