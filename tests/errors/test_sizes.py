"""The resources of a shader test have a bound, which holds before their memory is taken."""

import struct
import zlib
from pathlib import Path

import pytest

from tests.commands import assert_refused, sm5vk_here

TEXTURE = "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u{}"
STORE = "store_uav_typed u0.xyzw, l(0,0,0,0), l(1.0,1.0,1.0,1.0)"
FORMAT = "format r8g8b8a8-unorm"


@pytest.mark.slow(reason="large files")
@pytest.mark.parametrize(
    ("uavs", "mention"),
    [
        (["dcl_uav_raw u0\nsize (buffer, 300000000)"], "64 MiB"),
        (["dcl_uav_raw u{}\nsize (buffer, 16000000)\nguard 500000"] * 2, "64 MiB"),
        ([f"{TEXTURE}\nsize (2d, 2147483647, 2147483647)\n{FORMAT}"], "64 MiB"),
        ([f"{TEXTURE}\nsize (2d, 4000, 4000)\n{FORMAT}"] * 2, "64 MiB"),
        ([f"{TEXTURE}\nsize (2d, 1, 1)\n{FORMAT}\nimage large.png"], "10000 by 10000 pixels"),
        ([f"{TEXTURE}\nsize (2d, 1, 1)\n{FORMAT}\nimage larger.png"], "decompression bomb"),
        ([f"{TEXTURE}\nsize (2d, 1, 1)\n{FORMAT}\nnpy large.npy"], "File too large"),
    ],
)  # fmt: skip
def test_resources_of_a_test_have_a_bound(tmp_path: Path, uavs: list[str], mention: str) -> None:
    declarations, sections = "", ""
    for number, uav in enumerate(uavs):
        declaration, _, section = uav.partition("\n")
        declarations += declaration.format(number) + "\n"
        sections += f"[uav {number}]\n{section}\n\n"
    store = STORE if "texture2d" in declarations else "store_raw u0.x, l(0), l(1)"
    text = f"[shader]\ncs_5_0\n{declarations}dcl_thread_group 1, 1, 1\n{store}\nret\n\n{sections}"
    (tmp_path / "a.shader_test").write_text(f"{text}[test]\ndispatch 1 1 1\n")
    for name, side in (("large.png", 10_000), ("larger.png", 60_000)):
        (tmp_path / name).write_bytes(picture(side))
    with (tmp_path / "large.npy").open("wb") as file:
        file.truncate(2 << 30)
    done = sm5vk_here("test a.shader_test", tmp_path)
    assert_refused(done, mention)
    assert "internal error" not in done.stderr
    assert done.returncode == 2


def picture(side: int) -> bytes:
    """A PNG of that width and height without its pixels."""
    chunks = (b"IHDR" + struct.pack(">2I5B", side, side, 8, 6, 0, 0, 0), b"IDAT\0")
    rows = [(len(chunk) - 4, chunk, zlib.crc32(chunk)) for chunk in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", length) + chunk + struct.pack(">I", crc) for length, chunk, crc in rows
    )
