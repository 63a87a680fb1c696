#!/bin/sh
# Pillow 13.0.0 reduces 16 bits to 8 in two ways, both without a warning: of a PNG with 16 bits in
# each of three components it keeps the high byte when it opens the file; a grey PNG keeps 16
# bits, but conversion to 8 bits clamps them, so that every grey above 255/65535 becomes white.
#
# Expected: the same picture in grey and in colour, by a division by 257 (PNG specification,
# "Sample depth rescaling"), or an error.
set -eu
. "$(dirname "$0")/common/setup.sh"
pypi pillow==13.0.0 numpy==2.2.6

python - <<'PYTHON'
import io
import struct
import zlib
import numpy as np
from PIL import Image
from finding import check


def png(texels):
    """A PNG file with 16 bits per component: one row of grey or of RGB texels."""
    colour = 0 if texels.ndim == 1 else 2
    header = struct.pack(">2I5B", len(texels), 1, 16, colour, 0, 0, 0)
    data = zlib.compress(b"\0" + texels.astype(">u2").tobytes())
    file = b"\x89PNG\r\n\x1a\n"
    for name, content in (b"IHDR", header), (b"IDAT", data), (b"IEND", b""):
        file += (
            struct.pack(">I", len(content))
            + name
            + content
            + struct.pack(">I", zlib.crc32(name + content))
        )
    return io.BytesIO(file)


levels = np.array([100, 255, 1000, 32768, 65535], np.uint16)
right = (levels / 257).round().astype(int).tolist()
grey = Image.open(png(levels))
colour = Image.open(png(np.stack([levels] * 3, axis=1)))
check(
    "modes of the grey and the colour picture",
    [grey.mode, colour.mode],
    ["I;16", "RGB"],
    "16 bits in both",
)
check("grey, all 16 bits", np.asarray(grey)[0].tolist(), levels.tolist(), levels.tolist())
check("colour: red", np.asarray(colour)[0, :, 0].tolist(), [0, 0, 3, 128, 255], right)
check(
    "grey as RGB: red",
    np.asarray(grey.convert("RGB"))[0, :, 0].tolist(),
    [100, 255, 255, 255, 255],
    right,
)
PYTHON
