#!/bin/sh
# OpenImageIO 3.2.2.0 turns white texels with alpha of DDS files in the formats DXT2 and DXT4 into
# nearly black ones. These formats store colours that are multiplied by alpha. OpenImageIO divides
# by it and keeps the low eight bits of the quotient. White with an alpha of 130 is a colour of
# 130, or 16 in five bits, which is 132: 132 * 255 / 130 = 258 becomes 2.
#
# Expected: 132, 130 and 132, the stored colours, because OpenImageIO's pixels have associated
# alpha by default ("oiio:UnassociatedAlpha" in its documentation), and so have those of the file
# (Microsoft's reference of Direct3D 9 on compressed textures). Quotients would have to end at 255.
# In DXT5 the same block is read right.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi OpenImageIO==3.2.2.0 numpy==2.2.6

python - <<'PYTHON'
import struct
import OpenImageIO as oiio
from finding import check


def picture(code, alpha, colour):
    """A texel of a DDS file of four by four texels that all have this alpha and colour."""
    header = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, 4, 4, 0, 0, 0)
    header += struct.pack("<2I4s20xI16x", 32, 4, code, 0x1000)
    block = struct.pack("<2B6x2H4x", alpha, alpha, colour, colour)
    with open("picture.dds", "wb") as file:
        file.write(header + block)
    return oiio.ImageBuf("picture.dds").get_pixels(oiio.UINT8)[0, 0].tolist()


def of_565(red, green, blue):
    """The nearest colour with 5, 6 and 5 bits."""
    return round(red * 31 / 255) << 11 | round(green * 63 / 255) << 5 | round(blue * 31 / 255)


for alpha, stated, stored in (
    (255, [255, 255, 255, 255], [255, 255, 255, 255]),
    (128, [6, 2, 6, 128], [132, 130, 132, 128]),
    (130, [2, 255, 2, 130], [132, 130, 132, 130]),
    (64, [6, 2, 6, 64], [66, 65, 66, 64]),
):
    white = of_565(alpha, alpha, alpha)
    check(f"DXT5, alpha {alpha}", picture(b"DXT5", alpha, white), stored, stored)
    expected = f"{stored}, or white"
    check(f"DXT4, alpha {alpha}", picture(b"DXT4", alpha, white), stated, expected)
PYTHON
