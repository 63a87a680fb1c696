#!/bin/sh
# OpenImageIO 3.2.2.0 reads PFM files upside down, also those that it wrote itself, unless it is
# given a configuration; an empty one is enough. Numbers of a file with a scale factor of 2 are
# doubled by OpenImageIO, halved by OpenCV 5.0.0 and left as they are by Pillow 13.0.0.
#
# Expected: "by default, reading and writing of the pfm variety will automatically flip the image",
# so that scanline 0 is the top (OpenImageIO's documentation, "PNM / Netpbm"); rows of a PFM file
# go from bottom to top (Netpbm's pfm(5)). The scale factor "tells the units of the samples" (same
# page), which does not say what a reader does with it, but three readers should agree.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi OpenImageIO==3.2.2.0 opencv-python-headless==5.0.0.93 pillow==13.0.0 numpy==2.2.6

python - <<'PYTHON'
import cv2
import numpy as np
import OpenImageIO as oiio
from finding import check
from PIL import Image

rows = np.array([[1, 2], [3, 4]], np.float32)


def of_oiio(name, *configuration):
    return oiio.ImageInput.open(name, *configuration).read_image()[..., 0].tolist()


def of_opencv(name):
    return cv2.imread(name, cv2.IMREAD_UNCHANGED).tolist()


def of_pillow(name):
    return np.asarray(Image.open(name)).tolist()


oiio.ImageBuf(rows[..., None]).write("own.pfm")
with open("own.pfm", "rb") as file:
    last = np.frombuffer(file.read()[-16:], np.float32).tolist()
check("numbers in a file that OpenImageIO wrote", last, [3, 4, 1, 2], [3, 4, 1, 2])
with open("scale2.pfm", "wb") as file:
    file.write(b"Pf\n2 2\n-2.0\n" + rows[::-1].tobytes())

right, upside_down = rows.tolist(), rows[::-1].tolist()
check("the file, OpenCV", of_opencv("own.pfm"), right, right)
check("the file, Pillow", of_pillow("own.pfm"), right, right)
check("the file, OpenImageIO", of_oiio("own.pfm"), upside_down, right)
check("with an empty configuration", of_oiio("own.pfm", oiio.ImageSpec()), right, right)

double = (2 * rows).tolist()
scaled = "the same in all three"
check("scale factor 2, OpenImageIO", of_oiio("scale2.pfm", oiio.ImageSpec()), double, scaled)
check("scale factor 2, OpenCV", of_opencv("scale2.pfm"), (rows / 2).tolist(), scaled)
check("scale factor 2, Pillow", of_pillow("scale2.pfm"), right, scaled)
PYTHON
