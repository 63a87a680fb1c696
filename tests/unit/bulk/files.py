"""Files with containers in them, as other tools write them, and random bytes."""

import hashlib
import random
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMPUTE = (ROOT / "shaders" / "saxpy.dxbc").read_bytes()
OLDER = (ROOT / "tests" / "corpus" / "cs_5_1" / "append_consume.dxbc").read_bytes()
PIXEL = (ROOT / "tests" / "errors" / "data" / "tint.dxbc").read_bytes()
LISTING = (ROOT / "shaders" / "saxpy.asm").read_text("utf-8")


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


def name_of(data: bytes, profile: str = "cs_5_0") -> str:
    return f"{hashlib.sha256(data).hexdigest()[:32]}.{profile}.dxbc"


def header_file(data: bytes, *, hexadecimal: bool = False) -> str:
    """The output of `fxc /Fh`: the listing, and six numbers a line, or hexadecimal ones."""
    form = "0x{:02X}" if hexadecimal else "{:3d}"
    rows = [data[i : i + 6] for i in range(0, len(data), 6)]
    lines = [", ".join(form.format(byte) for byte in row) for row in rows]
    numbers = ", \n    ".join(lines)
    return f"#if 0\n{LISTING}#endif\n\nconst BYTE g_main[] =\n{{\n    {numbers}\n}};\n"
