"""Pictures on the command line: PNG and EXR in, PNG and tables out; the error of bytes."""

import os
import struct
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import vkrunner
from vkrunner.values.pictures import png_of, read_picture

from ..commands import assert_refused, sm5vk, sm5vk_here
from ..listings import listing

Array = np.ndarray[Any, Any]

# Each texel of t0 goes to u0, a third of it to u1.
FLOAT = "(float,float,float,float)"
COPY = listing(
    ["mov r0.xy, vThreadID.xyxx", "mov r0.zw, l(0, 0, 0, 0)",
     f"ld_indexable(texture2d){FLOAT} r1.xyzw, r0.xyzw, t0.xyzw",
     "store_uav_typed u0.xyzw, r0.xyyy, r1.xyzw", "div r1.xyzw, r1.xyzw, l(3.0, 3.0, 3.0, 3.0)",
     "store_uav_typed u1.xyzw, r0.xyyy, r1.xyzw"],
    [f"dcl_resource_texture2d {FLOAT} t0",
     *(f"dcl_uav_typed_texture2d {FLOAT} u{n}" for n in (0, 1))],
    group=(1, 1, 1),
)  # fmt: skip
COLOURS = np.arange(24, dtype=np.uint8).reshape(2, 3, 4) * 10
RUN = "run copy.asm --groups 3,2 --t0"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "copy.asm").write_text(COPY)
    return tmp_path


def pixels(path: Path) -> tuple[str, Array]:
    with Image.open(path) as picture:
        return picture.mode, np.asarray(picture)


def passed(words: str, folder: Path) -> str:
    done = sm5vk_here(words, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("format", ["r8g8b8a8_unorm", "b8g8r8a8_unorm"])
def test_a_picture_in_and_out(folder: Path, format: str) -> None:
    """Red stays red whatever the order of the components in memory."""
    Image.fromarray(COLOURS).save(folder / "in.png")
    for given in ("in.png", f"in.png:{format}"):
        words = f"{RUN} {given} --u0 zeros:2x3:{format} --u1 zeros:2x3:r32g32b32a32_float"
        passed(f"{words} --save u0=out.png --save u1=thirds.npy", folder)
        mode, found = pixels(folder / "out.png")
        assert mode == "RGBA"
        np.testing.assert_array_equal(found, COLOURS)
        thirds = np.load(folder / "thirds.npy")
        np.testing.assert_allclose(thirds, COLOURS / 255 / 3, rtol=1e-6)


def test_a_picture_of_three_components_has_no_alpha(folder: Path) -> None:
    """fxc stores the first one again as the fourth of an `RWTexture2D<float3>`."""
    (folder / "copy.asm").write_text(
        "// Resource Bindings:\n//\n"
        "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
        "// ------------------------------ ---------- ------- ----------- -------------- ------\n"
        "// source                            texture  float4          2d             t0      1\n"
        "// target                                UAV  float3          2d             u0      1\n"
        "// thirds                                UAV  float4          2d             u1      1\n"
        f"//\n{COPY}"
    )
    Image.fromarray(COLOURS).save(folder / "in.png")
    for format in ("r8g8b8a8_unorm", "b8g8r8a8_unorm"):
        words = f"{RUN} in.png --u0 zeros:2x3:{format} --u1 null --save u0=out.png"
        passed(words, folder)
        mode, found = pixels(folder / "out.png")
        assert mode == "RGB"
        np.testing.assert_array_equal(found, COLOURS[..., :3])
    Image.fromarray(np.tile(COLOURS, (1, 3, 1))).save(folder / "in.png")
    words = "run copy.asm --groups 9,2 --t0 in.png --u0 zeros:2x9:r8_unorm --u1 null"
    passed(f"{words} --save u0=out.png", folder)
    np.testing.assert_array_equal(pixels(folder / "out.png")[1], np.tile(COLOURS[..., 0], (1, 3)))


@pytest.mark.parametrize(
    ("array", "format", "expected"),
    [
        (COLOURS[..., :3], "r8g8b8a8_unorm", np.dstack([COLOURS[..., :3], np.full((2, 3), 255)])),
        (COLOURS[..., 0], "r8_unorm", COLOURS[..., 0]),
        (COLOURS[..., 0].astype(np.uint16) * 257, "r16_unorm", COLOURS[..., 0] * np.uint16(257)),
    ],
    ids=["rgb", "gray", "gray16"],
)
def test_kinds_of_pictures(folder: Path, array: Array, format: str, expected: Array) -> None:
    Image.fromarray(np.ascontiguousarray(array)).save(folder / "in.png")
    passed(f"{RUN} in.png --u0 zeros:2x3:{format} --u1 null --save u0=out.png", folder)
    np.testing.assert_array_equal(pixels(folder / "out.png")[1], expected)


BYTES = (0xFF, 0xFF00, 0xFF0000, 0xFF000000)
BLUE_FIRST = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
DX10 = (0x4, b"DX10", 0, (0, 0, 0, 0))  # flags, code, bits and masks of a DDS_PIXELFORMAT
PLAIN = (0x41, b"", 32, BYTES)


def dds(
    data: bytes,
    pixels: tuple[int, bytes, int, tuple[int, ...]],
    dx10: tuple[int, ...] = (),
    levels: int = 0,
    caps2: int = 0,
) -> bytes:
    """A file of 3 by 2 texels, by DDS_HEADER and DDS_HEADER_DXT10 of Microsoft's documentation."""
    flags, code, bits, masks = pixels
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, 2, 3, 0, 0, levels)
    head += struct.pack("<2I4s5I", 32, flags, code, bits, *masks)
    return (
        head
        + struct.pack("<5I", 0x1000, caps2, 0, 0, 0)
        + struct.pack(f"<{len(dx10)}I", *dx10)
        + data
    )


@pytest.mark.parametrize(
    ("pixels", "dx10", "order"),
    [
        (PLAIN, (), [0, 1, 2, 3]),
        ((0x41, b"", 32, BLUE_FIRST), (), [2, 1, 0, 3]),
        (DX10, (28, 3, 0, 1, 0), [0, 1, 2, 3]),
        (DX10, (27, 3, 0, 1, 0), [0, 1, 2, 3]),
    ],
)
def test_dds(tmp_path: Path, pixels: Any, dx10: tuple[int, ...], order: list[int]) -> None:
    """Each byte of a texel has all its values in some file."""
    texel, component = np.divmod(np.arange(24), 4)
    for first in range(0, 256, 6):
        texels = (texel + 64 * component + first).astype(np.uint8)
        (tmp_path / "in.dds").write_bytes(dds(texels.tobytes(), pixels, dx10))
        wanted = texels.reshape(2, 3, 4)[..., order]
        np.testing.assert_array_equal(read_picture(tmp_path / "in.dds"), wanted)


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_dds_without_alpha(tmp_path: Path, size: int, order: list[int]) -> None:
    texels = np.arange(6 * size, dtype=np.uint8).reshape(2, 3, size)
    pixels = (0x40, b"", 8 * size, (*(BYTES[n] for n in order), 0))
    (tmp_path / "in.dds").write_bytes(dds(texels.tobytes(), pixels))
    wanted = np.full((2, 3, 4), 255, np.uint8)
    wanted[..., :3] = texels[..., order]
    np.testing.assert_array_equal(read_picture(tmp_path / "in.dds"), wanted)


def test_dds_in_srgb_names_its_format(folder: Path) -> None:
    texels = np.arange(24, dtype=np.uint8)
    (folder / "in.dds").write_bytes(dds(texels.tobytes(), DX10, (29, 3, 0, 1, 0)))
    rest = "--u0 zeros:2x3:r8g8b8a8_unorm --u1 null"
    assert_refused(
        sm5vk_here(f"{RUN} in.dds {rest}", folder), "in.dds cannot", "it is srgb: name its format"
    )
    passed(f"{RUN} in.dds:r8g8b8a8_unorm_srgb {rest} --save u0=out.npy", folder)
    linear = texels.reshape(2, 3, 4) / 255
    colours = linear[..., :3]
    low = colours < 0.04045
    colours[...] = np.where(low, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(np.load(folder / "out.npy"), linear * 255, atol=0.51)


MASKS_OF_10 = (0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000)
OTHERS = {
    "compressed": ((0x4, b"DXT1", 0, (0, 0, 0, 0)), (), {}, "3 or 4 components of 8 bits"),
    "bc7": (DX10, (98, 3, 0, 1, 0), {}, "3 or 4 components of 8 bits"),
    "floats": (DX10, (2, 3, 0, 1, 0), {}, "Unimplemented DXGI format 2"),
    "10 bits": ((0x41, b"", 32, MASKS_OF_10), (), {}, "3 or 4 components of 8 bits"),
    "24 bits": ((0x40, b"", 24, (*BYTES[1:], 0)), (), {}, "3 or 4 components of 8 bits"),
    "565": ((0x40, b"", 16, (0xF800, 0x7E0, 0x1F, 0)), (), {}, "3 or 4 components of 8 bits"),
    "no alpha's mask": ((0x41, b"", 32, (*BYTES[:3], 0)), (), {}, "3 or 4 components of 8 bits"),
    "gray": ((0x20000, b"", 8, (0xFF, 0, 0, 0)), (), {}, "3 or 4 components of 8 bits"),
    "one mask twice": ((0x40, b"", 32, (255, 255, 255, 0)), (), {}, "3 or 4 components of 8 bits"),
    "mip levels": (PLAIN, (), {"levels": 2}, "it has 2 mip levels, not one"),
    "cube": (PLAIN, (), {"caps2": 0xFE00}, "it is a cube or has depth"),
    "volume": (PLAIN, (), {"caps2": 0x200000}, "it is a cube or has depth"),
    "array": (DX10, (28, 3, 0, 2, 0), {}, "it is a cube, an array"),
    "cube of dx10": (DX10, (28, 3, 4, 1, 0), {}, "it is a cube, an array"),
    "1d": (DX10, (28, 2, 0, 1, 0), {}, "it is a cube, an array or not two-dimensional"),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_dds_that_is_refused(tmp_path: Path, kind: str) -> None:
    """Pillow would read the first part of some, the upper bits of others; whatever the name."""
    pixels, dx10, more, message = OTHERS[kind]
    for name in ("in.dds", "in.png"):
        (tmp_path / name).write_bytes(dds(bytes(4096), pixels, dx10, **more))
        with pytest.raises(vkrunner.FileError, match=f"{name} cannot be read .*{message}"):
            read_picture(tmp_path / name)


def test_dds_that_ends_early(tmp_path: Path) -> None:
    short = ((0x40, b"", 24, (*BYTES[:3], 0)), ())
    for pixels, dx10 in ((PLAIN, ()), (DX10, (28, 3, 0, 1, 0)), short):
        whole = dds(bytes(24 if pixels[2] != 24 else 18), pixels, dx10)
        for length in (0, 3, 4, 100, 127, 128, len(whole) - 1):
            (tmp_path / "in.dds").write_bytes(whole[:length])
            with pytest.raises(vkrunner.FileError, match="cannot be read as a picture"):
                read_picture(tmp_path / "in.dds")


def test_an_exr_that_is_too_large(tmp_path: Path) -> None:
    """Its size is known before it is inflated; all parts count, of which the first one is read."""
    openexr = pytest.importorskip("OpenEXR", reason="OpenEXR is not installed")
    window: Array = np.zeros((2, 2), np.int32)
    header = {"type": openexr.scanlineimage, "displayWindow": tuple(window)}
    parts = [
        openexr.Part({**header, "name": name}, {"Y": np.ones((side, side), np.float16)})
        for name, side in (("one", 4), ("two", 9))
    ]
    openexr.File(parts).write(str(tmp_path / "in.exr"))
    assert read_picture(tmp_path / "in.exr", most_bytes=81).shape == (4, 4)
    with pytest.raises(vkrunner.FileError, match="it has 9 by 9 pixels"):
        read_picture(tmp_path / "in.exr", most_bytes=80)


@pytest.mark.slow(reason="a process for each kind of file")
def test_exr(folder: Path) -> None:
    openexr = pytest.importorskip("OpenEXR", reason="OpenEXR is not installed")
    header = {"compression": openexr.ZIP_COMPRESSION, "type": openexr.scanlineimage}
    texels = np.linspace(-3, 1e4, 18, dtype=np.float32).reshape(2, 3, 3)
    alpha = np.ones((2, 3, 1), np.float32)
    cases: list[tuple[dict[str, Array], Array]] = [
        ({"RGB": texels}, np.concatenate([texels, alpha], 2)),
        ({"RGBA": np.concatenate([texels, alpha / 2], 2)}, np.concatenate([texels, alpha / 2], 2)),
        ({"Y": texels[..., 0].astype(np.float16)}, texels[..., 0].astype(np.float16)),
    ]
    words = f"{RUN} in.exr --u1 null --save u0=out.npy --u0 zeros:2x3:"
    for channels, expected in cases:
        with openexr.File(header, channels) as file:
            file.write(str(folder / "in.exr"))
        format = "r32g32b32a32_float" if expected.ndim == 3 else "r32_float"
        passed(words + format, folder)
        np.testing.assert_array_equal(np.load(folder / "out.npy"), expected)
    with openexr.File(header, {"depth": texels[..., 0].copy()}) as file:
        file.write(str(folder / "in.exr"))
    words += "r32_float"
    assert_refused(sm5vk(words, folder), "it has the channels depth, not RGBA, RGB, R or Y")
    (folder / "in.exr").write_bytes(b"no EXR")
    refused = sm5vk(words, folder)
    assert_refused(refused, "in.exr cannot be read as a picture")
    assert len(refused.stderr.splitlines()) == 1, refused.stderr
    strange = folder / "\x1b[in.exr"
    with openexr.File(header, {"Y": texels[..., 0].copy()}) as file:
        file.write(str(strange))
    named = words.replace("in.exr", "\x1b[in.exr")
    passed(named, folder)
    strange.write_bytes(strange.read_bytes()[:-1])  # OpenEXR prints lines of its own
    refused = sm5vk(named, folder)
    assert_refused(refused, r"\x1b[in.exr cannot be read as a picture")
    assert len(refused.stderr.splitlines()) == 1, refused.stderr


@pytest.mark.timeout(60)
def test_a_picture_that_becomes_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is open: to open its name again would take for ever."""
    path = tmp_path / "in.png"
    Image.new("L", (2, 1), 7).save(path)
    fstat = os.fstat

    def exchange(descriptor: int) -> os.stat_result:
        if path.is_file():
            path.unlink()
            os.mkfifo(path)
        return fstat(descriptor)

    monkeypatch.setattr(os, "fstat", exchange)
    np.testing.assert_array_equal(read_picture(path), [[7, 7]])
    assert path.is_fifo()


def chunk(kind: bytes, data: bytes) -> bytes:
    end = zlib.crc32(kind + data).to_bytes(4, "big")
    return len(data).to_bytes(4, "big") + kind + data + end


def png(
    size: tuple[int, int], kind: tuple[int, int], rows: bytes, interlaced: int = 0, level: int = -1
) -> bytes:
    """A PNG with these rows, whatever its header claims; `kind` is the depth and the colour."""
    numbers = b"".join(n.to_bytes(4, "big") for n in size)
    head = chunk(b"IHDR", numbers + bytes([*kind, 0, 0, interlaced]))
    texels = zlib.compress(rows, level)
    data = chunk(b"IDAT", texels[:5]) + chunk(b"IDAT", texels[5:])
    return b"\x89PNG\r\n\x1a\n" + head + data + chunk(b"IEND", b"")


def test_pictures_that_are_refused(folder: Path) -> None:
    rest = "--u0 zeros:2x3:r8g8b8a8_unorm --u1 null"
    assert_refused(sm5vk_here(f"{RUN} none.png {rest}", folder), "none.png", "No such file")
    for name in ("pipe.png", "pipe.exr"):
        os.mkfifo(folder / name)
        assert_refused(sm5vk_here(f"{RUN} {name} {rest}", folder), name, "not a regular file")
    Image.fromarray(COLOURS).save(folder / "short.png")
    (folder / "short.png").write_bytes((folder / "short.png").read_bytes()[:50])
    assert_refused(sm5vk_here(f"{RUN} short.png {rest}", folder), "short.png cannot be read")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert_refused(sm5vk_here(f"{RUN} broken.png {rest}", folder), "broken.png cannot be read")

    # One texel of three components of 16 bits
    (folder / "deep.png").write_bytes(png((1, 1), (16, 2), bytes(7)))
    done = sm5vk_here(f"{RUN} deep.png {rest}", folder)
    assert_refused(done, "Pillow reads only 8 of its 16 bits")


@pytest.mark.parametrize(
    ("size", "kind", "interlaced", "needed"),
    [
        ((3, 2), (8, 6), 0, 2 * 13),
        ((9, 3), (1, 0), 0, 3 * 3),
        ((5, 2), (8, 2), 0, 2 * 16),
        # The passes that have texels, each of rows with one byte more than texels
        ((9, 1), (8, 0), 1, 3 + 2 + 3 + 5),
        ((2, 9), (8, 0), 1, 2 * 2 + 2 + 2 * 2 + 5 * 2 + 4 * 3),
    ],
)
def test_a_png_that_has_fewer_rows_than_it_claims(
    tmp_path: Path, size: tuple[int, int], kind: tuple[int, int], interlaced: int, needed: int
) -> None:
    """Pillow leaves the others 0, without an error."""
    path = tmp_path / "in.png"
    path.write_bytes(png(size, kind, bytes(needed), interlaced))
    assert read_picture(path).shape[:2] == size[::-1]
    path.write_bytes(png(size, kind, bytes(needed - 1), interlaced))
    with pytest.raises(vkrunner.FileError, match="ends before its last row"):
        read_picture(path)


@pytest.mark.parametrize("change", ["checksum", "checksum of zlib", "rows"])
def test_a_png_that_is_damaged(tmp_path: Path, change: str) -> None:
    """Pillow checks neither sum of the rows, if the second begins a part of the data."""
    texels = bytearray(zlib.compress(bytes(12 + 12 * (change == "rows"))))
    texels[-1] ^= change == "checksum of zlib"
    head = png((3, 3), (8, 0), b"")[:33]
    data = bytearray(chunk(b"IDAT", texels[:-4]) + chunk(b"IDAT", texels[-4:]))
    data[-1] ^= change == "checksum"
    path = tmp_path / "in.png"
    path.write_bytes(head + data + chunk(b"IEND", b""))
    with pytest.raises(vkrunner.FileError, match=r"check|has more rows than it claims"):
        read_picture(path)


def test_a_png_is_inflated_in_pieces(tmp_path: Path) -> None:
    """Copies of what is left of a chunk took quadratic time."""
    path, side = tmp_path / "in.png", 2000
    path.write_bytes(png((1, 1), (8, 0), bytes(2)))
    read_picture(path)  # which imports what it needs
    path.write_bytes(png((side, side), (8, 0), bytes(side * (side + 1)), level=0))
    tracemalloc.start()
    try:
        assert read_picture(path).shape == (side, side)
        assert tracemalloc.get_traced_memory()[1] < 2.15 * side**2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_a_png_with_other_chunks_before_its_header(tmp_path: Path, order: list[int]) -> None:
    """Pillow takes the last header's size, and leaves the rows that its data lacks 0."""
    short, full = (png((3, rows), (8, 6), bytes(2 * 13)) for rows in (2, 4))
    heads = [short[8:33], full[8:33], chunk(b"tEXt", b"a\0" + short[18:29])]
    path = tmp_path / "in.png"
    path.write_bytes(full[:8] + b"".join(heads[n] for n in order) + full[33:])
    with pytest.raises(vkrunner.FileError, match="header"):
        read_picture(path)


def tiff(tags: dict[int, int], data: bytes, place: int, starts: list[int]) -> bytes:
    """A TIFF of 16 by 16 texels: each tag has one number, that of the `place` the parts' starts."""
    own = {256: 16, 257: 16, 258: 8, 259: 1, 262: 1, 277: 1, **tags}
    end = 8 + 2 + 12 * (len(own) + 1) + 4
    rows = {tag: (1, number) for tag, number in own.items()} | {place: (len(starts), end)}
    head = struct.pack("<2sHIH", b"II", 42, 8, len(rows))
    table = b"".join(struct.pack("<HHII", tag, 4, *row) for tag, row in sorted(rows.items()))
    first = end + 4 * len(starts)
    places = struct.pack(f"<{len(starts)}I", *(first + start for start in starts))
    return head + table + bytes(4) + places + data


@pytest.mark.parametrize(
    ("tags", "place", "starts", "step"),
    [
        ({322: 8, 323: 8}, 324, [0, 64, 128, 192], 64),  # tiles
        ({278: 16, 262: 2, 277: 3, 284: 2}, 273, [0, 256, 512], 256),  # planes
    ],
)
def test_a_tiff_that_has_fewer_parts_than_it_claims(
    tmp_path: Path, tags: dict[int, int], place: int, starts: list[int], step: int
) -> None:
    path = tmp_path / "in.tif"
    data = bytes([200]) * step * len(starts)
    path.write_bytes(tiff(tags, data, place, starts))
    assert np.all(read_picture(path)[..., 0] == 200)
    path.write_bytes(tiff(tags, data, place, starts[:-1]))
    with pytest.raises(vkrunner.FileError, match="ends before its last row"):
        read_picture(path)


def test_a_tiff_that_has_fewer_rows_than_it_claims(tmp_path: Path) -> None:
    path = tmp_path / "in.tif"
    Image.fromarray(COLOURS).save(path)
    data = bytearray(path.read_bytes())
    entry = data.index((257).to_bytes(2, "little"), int.from_bytes(data[4:8], "little"))
    data[entry + 8] *= 2  # ImageLength
    path.write_bytes(data)
    with pytest.raises(vkrunner.FileError, match="ends before its last row"):
        read_picture(path)


def test_a_tiff_with_a_tile_that_is_far_larger(tmp_path: Path) -> None:
    """A few hundred bytes could take gigabytes; these would take 4 MB."""
    path = tmp_path / "in.tif"
    path.write_bytes(tiff({322: 2048, 323: 2048}, bytes(64), 324, [0]))
    with pytest.raises(vkrunner.FileError, match="its tiles are far larger than it"):
        read_picture(path)


@pytest.mark.parametrize("compression", ["tiff_ccitt", "group3", "group4"])
def test_a_tiff_whose_damage_is_not_told(tmp_path: Path, compression: str) -> None:
    """LibTIFF leaves rows that such a file lacks 0."""
    path = tmp_path / "in.tif"
    Image.new("1", (8, 8)).save(path, compression=compression)
    with pytest.raises(vkrunner.FileError, match="its compression, of CCITT, would not tell"):
        read_picture(path)


@pytest.mark.parametrize("format", ["GIF", "PPM", "PCX", "EPS"])
def test_other_formats_are_not_opened(folder: Path, format: str) -> None:
    """Whatever the name: Pillow decodes some formats by programs that it starts."""
    Image.fromarray(np.ascontiguousarray(COLOURS[..., :3])).save(folder / "in.png", format)
    with pytest.raises(vkrunner.FileError, match=r"in\.png cannot be read as a picture"):
        read_picture(folder / "in.png")


@pytest.mark.parametrize("format", ["PNG", "JPEG", "BMP", "TGA", "WEBP", "TIFF"])
def test_formats_that_are_opened(folder: Path, format: str) -> None:
    Image.fromarray(np.ascontiguousarray(COLOURS[..., :3])).save(folder / "in.png", format)
    assert read_picture(folder / "in.png").shape == (2, 3, 4)


@pytest.mark.slow(reason="a process for each kind of file")
def test_files_of_results(folder: Path) -> None:
    np.save(folder / "in.npy", COLOURS[..., 0].astype(np.float32) / 8)
    words = f"{RUN} in.npy --u0 zeros:2x3:r32_float --u1 null --save u0="
    passed(f"{words}out.csv", folder)
    expected = "0.0,5.0,10.0\n15.0,20.0,25.0\n"
    assert (folder / "out.csv").read_text() == expected
    flat = sm5vk_here(f"{words}out.png", folder)
    assert_refused(flat, "a PNG has uint8", "not float32[2, 3]", "write to a texture in r8g8b8a8")
    with pytest.raises(vkrunner.FileError, match=r"uint8\[2, 3, 4, 4\]: save a .npy file$"):
        png_of(np.zeros((2, 3, 4, 4), np.uint8), "out.png")
    for name in ("out.exr", "out.jpg", "out.txt"):
        message = f"--save writes .npy, .raw, .bin, .buf, .png and .csv files, not {name[3:]}"
        assert_refused(sm5vk_here(words + name, folder), message)
        assert not (folder / name).exists()
    wide = words.replace("r32_float", "r32g32b32a32_float")
    assert_refused(sm5vk_here(f"{wide}out.csv", folder), "one or two axes, not [2, 3, 4]")


def test_a_table_of_structures(folder: Path) -> None:
    shader = Path("shaders/compact.dxbc").resolve()
    words = "--groups 1 --points zeros:3 --dropped zeros:1 --kept zeros:2 --u1.counter 0"
    params = "--Params centre=0:0,radius=2,count=3 --save kept=kept.csv"
    passed(f"run {shader} {words} {params}", folder)
    heading, *rows = (folder / "kept.csv").read_text().splitlines()
    assert heading.startswith("position")
    assert len(rows) == 2


@pytest.mark.parametrize("register", ["t0", "u0"])
def test_an_array_of_bytes_names_the_cure(folder: Path, register: str) -> None:
    given: dict[str, Any] = {"t0": COLOURS / np.float32(255), "u0": np.zeros((2, 3), np.float32)}
    given |= {"u1": None, register: COLOURS}
    with vkrunner.open_device("reference") as device:
        kernel = device.kernel(COPY)
        with pytest.raises(vkrunner.FormatError) as caught:
            kernel.dispatch((3, 2), **given)
        assert "device.texture(array, format='r8g8b8a8_unorm')" in str(caught.value)
        assert f"--{register} VALUE:r8g8b8a8_unorm" in str(caught.value)
        given[register] = device.texture(COLOURS, format="r8g8b8a8_unorm")
        given["u0"] = device.texture(np.zeros_like(COLOURS), format="r8g8b8a8_unorm")
        found = kernel.dispatch((3, 2), **given).u0
        np.testing.assert_array_equal(found, COLOURS)
    np.save(folder / "in.npy", COLOURS)
    rest = "--u0 zeros:2x3:r8g8b8a8_unorm --u1 null"
    assert_refused(sm5vk_here(f"{RUN} in.npy {rest}", folder), "--t0 VALUE:r8g8b8a8_unorm")
    passed(f"{RUN} in.npy:r8g8b8a8_unorm {rest} --save u0=out.png", folder)
    np.testing.assert_array_equal(pixels(folder / "out.png")[1], COLOURS)
