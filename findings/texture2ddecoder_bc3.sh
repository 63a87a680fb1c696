#!/bin/sh
# texture2ddecoder 1.0.6 decodes the colours of BC3 blocks by the rules of BC1: if the first
# endpoint is not greater than the second, it takes their mean and black for the entries 2 and 3.
# Such blocks are common, since encoders of BC3 need not order the endpoints. Pillow 13.0.0
# decodes the same block right.
#
# Expected: the colours of BC2 and BC3 always have four entries, (2 c0 + c1) / 3 and (c0 + 2 c1) /
# 3 being the last two (Khronos Data Format Specification, "BC3"; Direct3D 11.3 functional
# specification, sections 19.5.4-5: the three-colour mode exists only in BC1).
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi texture2ddecoder==1.0.6 pillow==13.0.0 numpy==2.2.6

python - <<'PYTHON'
import io
import struct
import numpy as np
import texture2ddecoder
from PIL import Image
from finding import check

BLUE, RED = 0x001F, 0xF800  # as 5, 6 and 5 bits
alpha = bytes([200, 200, 0, 0, 0, 0, 0, 0])
entries = 0b11100100  # the texels of a row have entries 0, 1, 2 and 3


def file_of(blocks):
    """A DDS file of four by four texels in the format DXT5."""
    header = struct.pack("<7I44x", 124, 0x1007, 4, 4, 0, 0, 0) + struct.pack(
        "<2I4s20x", 32, 4, b"DXT5"
    )
    return io.BytesIO(b"DDS " + header + struct.pack("<I16x", 0x1000) + blocks)


for first, second, stated in (
    (RED, BLUE, [[255, 0, 0], [0, 0, 255], [170, 0, 85], [85, 0, 170]]),
    (BLUE, RED, [[0, 0, 255], [255, 0, 0], [127, 0, 127], [0, 0, 0]]),
):
    block = alpha + struct.pack("<HH4B", first, second, *[entries] * 4)
    bgra = np.frombuffer(texture2ddecoder.decode_bc3(block, 4, 4), np.uint8).reshape(4, 4, 4)
    seen = bgra[0, :, 2::-1].tolist()
    right = np.asarray(Image.open(file_of(block)))[0, :, :3].tolist()
    check(
        f"the palette of the endpoints 0x{first:04x} and 0x{second:04x}",
        seen,
        stated,
        f"{right} (Pillow)",
    )
PYTHON
