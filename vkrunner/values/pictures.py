"""Pictures as arrays: Pillow reads and writes them, OpenEXR reads EXR (`sm5vk[images]`).

Both are imported only for pictures, OpenEXR in a process of its own.
"""

from __future__ import annotations

import importlib.util
import os
import re
import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from translate.dataclass import dataclass
from translate.errors import escaped
from translate.files import open_regular
from vkrunner.errors import FileError, MissingError
from vkrunner.values.formats import FLOAT, UNORM, Format
from vkrunner.values.numbers import Array

EXR = ".exr"
# Others of Pillow's formats start outside programs, whatever the file's name
_FORMATS = ("PNG", "JPEG", "BMP", "TGA", "WEBP", "TIFF", "DDS")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tga", ".webp", ".tif", ".tiff", ".dds", EXR)

# Errors for broken pictures, besides Pillow's own OSError
_MALFORMED = (zlib.error, ValueError, EOFError, TypeError, OverflowError, SyntaxError, RuntimeError)
_MODES = {1: "L", 2: "LA", 4: "RGBA"}
_OWN_MODES = {"1": "L", "L": "L", "LA": "LA", "La": "LA"}  # and "RGBA" for colours
_SHORTS = ("I;16", "I;16L", "I;16B")
_DEEP = (*_SHORTS, "I", "F")  # more than 8 bits
_EXR_CHILD = "vkrunner.values.exr_child"
_EXR_TIMEOUT_S = 600
_MISSING = "such pictures need {}"
_LEAST_SIDE = 8  # pixels of a picture in x and y
_MOST_SIDE = 2048  # texels of a preview in x and y
_DEPTH_OF_PNG = slice(24, 25)
_PNG_SIGNATURE_BYTES = 8
_PNG_CHUNK, _PNG_HEADER, _PNG_CRC = struct.Struct(">I4s"), struct.Struct(">IIBBBBB"), 4
_PNG_SAMPLES = {2: 3, 4: 2, 6: 4}  # of a texel, by its kind of colour; others have one
_PNG_PASSES = (  # the first texel in x and y and the steps of each, if it is interlaced
    *((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4)),
    *((0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)),
)
_PNG_FIRST, _PNG_DATA = b"IHDR", b"IDAT"
_PNG_PIECE = 1 << 14  # bytes to inflate at once, to at most a thousand times as many
_TIFF_PLANES, _TIFF_SAMPLES, _SEPARATE = 284, 277, 2  # tags, and the value of samples in planes
_TIFF_TILE_WIDTH, _TIFF_TILE_HEIGHT, _USUAL_TILE = 322, 323, 1 << 20  # tags, and texels
_CCITT = ("tiff_ccitt", "group3", "group4")  # compressions
# The header of a DDS file: https://learn.microsoft.com/windows/win32/direct3ddds/dx-graphics-dds
_DDS_HEADER = struct.Struct("<24x2I48x7I4xI12x")
_DDS_DX10 = struct.Struct("<5I")  # follows in newer files
_DDS_BYTES = _DDS_HEADER.size + _DDS_DX10.size
_DDS_ALPHA, _DDS_FOURCC, _DDS_RGB = 0x1, 0x4, 0x40
_DX10 = int.from_bytes(b"DX10", "little")
_TEXTURE2D = 3
_R8G8B8A8, _R8G8B8A8_SRGB = (27, 28), 29  # DXGI_FORMAT: typeless, unorm; srgb
_BITS = (24, 32)  # of a texel
_BYTE_MASKS = {0xFF, 0xFF00, 0xFF0000, 0xFF000000}


def _remedy(path: str) -> str:
    """How to pass another file of Direct3D's, for an error."""
    if not path.lower().endswith(".dds"):
        return ""
    how = "FILE.raw@WIDTHxHEIGHT:FORMAT"
    return f"; its texels or blocks without the header, of 128 or 148 bytes, are a .raw file: {how}"


def is_picture(path: str) -> bool:
    """Whether a file's name is that of a picture."""
    return Path(path).suffix.lower() in PICTURES


def read_picture(path: Path, components: int | None = None, most_bytes: int = 1 << 32) -> Array:
    """The texels of a picture, [height, width] or [height, width, components].

    The texels are u8, in Pillow's 16-bit and float modes u16 and f32, in EXR f16, f32 or u32. By
    default they have 1, 2 or 4 components; with `components`, pictures of 8 bits are converted to
    that number. Colours that a picture lacks are 0, a missing alpha is 1 (255). Raises
    ArgumentError, and OSError.
    """
    if path.suffix.lower() == EXR:
        return _read_exr(path, most_bytes)
    with open_regular(path) as file:
        return picture_in(file, path, components, most_bytes)


def picture_in(
    file: BinaryIO, path: Path, components: int | None = None, most_bytes: int = 1 << 32
) -> Array:
    """The texels of a picture in an open file, as `read_picture` gives them; none of EXR."""
    pillow = _module("PIL.Image", "Pillow: pip install pillow")
    head = file.read(_DDS_BYTES)
    file.seek(0)
    try:
        with pillow.open(file, formats=_FORMATS) as picture:
            mode = _mode(picture.mode, components)
            if picture.width * picture.height * len(mode) > most_bytes:
                raise ValueError(f"it has {picture.width} by {picture.height} pixels")
            is_deep = picture.format == "PNG" and head[_DEPTH_OF_PNG] == b"\x10"
            if is_deep and picture.mode not in _SHORTS:
                raise ValueError("Pillow reads only 8 of its 16 bits per component")
            if picture.format == "PNG":
                _check_png(file)
            _check_tiles(picture)
            if picture.format == "DDS":
                _check_dds(head, names_format=components is not None)
            return np.ascontiguousarray(picture if picture.mode == mode else picture.convert(mode))
    except pillow.UnidentifiedImageError:  # its text would have the object `file`
        text = f"{escaped(str(path))} cannot be read as a picture: cannot identify image file"
        raise FileError(text) from None
    except (OSError, *_MALFORMED, pillow.DecompressionBombError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of the system; Pillow's have no number
        raise FileError(
            escaped(f"{path} cannot be read as a picture: {error}{_remedy(str(path))}")
        ) from None


def _mode(own: str, components: int | None) -> str:
    """Pillow's mode to convert a picture to. Raises ValueError if that would lose bits."""
    if components is None:
        return own if own in _DEEP else _OWN_MODES.get(own, "RGBA")
    if own in _DEEP:
        raise ValueError("its components have more than 8 bits")
    return _MODES[components]


def _check_tiles(picture: Any) -> None:
    """Raise ValueError if the picture's parts do not cover it: Pillow would leave the rest 0.

    Also for tiles that need far more memory, and for compressions that tell no damage.

    Source: TIFF 6.0, "PlanarConfiguration", "TileWidth".
    """
    if picture.info.get("compression") in _CCITT:
        raise ValueError("its compression, of CCITT, would not tell damage: save it with another")
    tags = getattr(picture, "tag_v2", {})
    texels = tags.get(_TIFF_TILE_WIDTH, 0) * tags.get(_TIFF_TILE_HEIGHT, 0)
    if texels > max(_USUAL_TILE, 4 * picture.width * picture.height):
        raise ValueError("its tiles are far larger than it")
    parts = [tile for tile in picture.tile if tile.extents is not None]
    areas = (
        (min(right, picture.width) - left) * (min(low, picture.height) - top)
        for _, (left, top, right, low), *_ in parts
    )
    is_split = tags.get(_TIFF_PLANES) == _SEPARATE and parts and parts[0].codec_name == "raw"
    planes = tags.get(_TIFF_SAMPLES, 1) if is_split else 1
    if parts and sum(areas) < picture.width * picture.height * planes:
        raise ValueError("it ends before its last row")


def _check_png(file: BinaryIO) -> None:
    """Raise ValueError for a PNG with other texels than it claims: Pillow checks no sum of them,
    and would leave those that it lacks 0.

    Source: PNG specification, "Interlacing and pass extraction", "Filtering", "CRC algorithm".
    """
    at = file.tell()  # where Pillow goes on
    file.seek(_PNG_SIGNATURE_BYTES)
    if file.read(_PNG_CHUNK.size) != _PNG_CHUNK.pack(_PNG_HEADER.size, _PNG_FIRST):
        raise ValueError("it does not begin with its header")
    header = file.read(_PNG_HEADER.size)
    width, height, depth, colour, _, _, interlaced = _PNG_HEADER.unpack(header)
    bits = depth * _PNG_SAMPLES.get(colour, 1)
    needed = 0
    for x, y, across, down in _PNG_PASSES if interlaced else ((0, 0, 1, 1),):
        columns, rows = -(-(width - x) // across), -(-(height - y) // down)
        needed += rows * (1 + -(-columns * bits // 8)) if columns > 0 else 0
    inflater = zlib.decompressobj()
    file.seek(_PNG_CRC, os.SEEK_CUR)
    while len(head := file.read(_PNG_CHUNK.size)) == _PNG_CHUNK.size:
        left, kind = _PNG_CHUNK.unpack(head)
        if kind == _PNG_FIRST:
            raise ValueError("it has two headers")
        if kind != _PNG_DATA:
            file.seek(left + _PNG_CRC, os.SEEK_CUR)
            continue
        crc = zlib.crc32(kind)
        while needed >= 0 and (piece := file.read(min(left, _PNG_PIECE))):
            left, crc = left - len(piece), zlib.crc32(piece, crc)
            needed -= 0 if inflater.eof else len(inflater.decompress(piece))
        if needed < 0:
            raise ValueError("it has more rows than it claims")
        if left or file.read(_PNG_CRC) != crc.to_bytes(_PNG_CRC, "big"):
            raise ValueError("its rows do not have their checksum")
    if needed > 0 or not inflater.eof:
        raise ValueError("it ends before its last row")
    file.seek(at)


def _check_dds(head: bytes, *, names_format: bool) -> None:
    """Raise ValueError for a DDS file of which Pillow would read a part, or lose bits.

    Without a format from the caller, also for one in srgb, since pictures are taken as unorm.
    """
    head = head.ljust(_DDS_BYTES, b"\0")
    depth, levels, flags, code, bits, *masks, more = _DDS_HEADER.unpack_from(head)
    if levels > 1:
        raise ValueError(f"it has {levels} mip levels, not one")
    if more or depth > 1:
        raise ValueError("it is a cube or has depth: it is not two-dimensional")
    if flags & _DDS_FOURCC and code == _DX10:
        kind, dimension, cube, count, _ = _DDS_DX10.unpack_from(head, _DDS_HEADER.size)
        if dimension != _TEXTURE2D or cube or count > 1:
            raise ValueError("it is a cube, an array or not two-dimensional")
        if kind == _R8G8B8A8_SRGB and not names_format:
            raise ValueError("it is srgb: name its format, FILE.dds:r8g8b8a8_unorm_srgb")
        is_plain = kind in (*_R8G8B8A8, _R8G8B8A8_SRGB)
    else:
        used = masks[: 4 if flags & _DDS_ALPHA else 3]
        are_bytes = bits in _BITS and {*used} <= _BYTE_MASKS and max(used) >> bits == 0
        are_bytes = are_bytes and len({*used}) == len(used)
        is_plain = bool(flags & _DDS_RGB) and are_bytes
    if not is_plain:
        raise ValueError("its texels are not 3 or 4 components of 8 bits, uncompressed")


def _read_exr(path: Path, most_bytes: int) -> Array:
    from translate.child import finish, python_command  # only EXR needs another process

    if importlib.util.find_spec("OpenEXR") is None:
        raise MissingError(_MISSING.format("OpenEXR: pip install OpenEXR"))
    with open_regular(path):
        pass  # OpenEXR names no cause of an OSError
    words = b"%d\n%s" % (most_bytes, os.fsencode(path))
    done = finish(python_command(_EXR_CHILD), _EXR_TIMEOUT_S, words)
    if done is None:
        text = f"{path} cannot be read as a picture: {_EXR_TIMEOUT_S} s were too few"
        raise FileError(escaped(text))
    if done.returncode:
        cause = done.stdout.decode("utf-8", "replace")
        cause = cause or f"OpenEXR's process ended with status {done.returncode}"
        raise FileError(escaped(f"{path} cannot be read as a picture: {cause}"))
    texels: Array = np.load(BytesIO(done.stdout), allow_pickle=False)
    if texels.ndim != 3 or texels.shape[2] != 3:
        return texels
    alpha: Array = np.ones((*texels.shape[:2], 1), texels.dtype)
    return np.concatenate([texels, alpha], axis=2)


def blue_first(texels: Array) -> Array:
    """Swap red and blue: a picture's RGBA to texels of b8g8r8a8 and b8g8r8x8, and the reverse."""
    return np.ascontiguousarray(texels[..., [2, 1, 0, 3]])


def png_of(texels: Array, name: str) -> bytes:
    """The bytes of a PNG file of these texels.

    Raises ArgumentError, which begins with the file's `name`, for texels that PNG cannot hold.
    """
    components = texels.shape[2] if texels.ndim == 3 else 1
    is_gray = texels.ndim == 2 or components == 1
    fits = texels.dtype == np.uint8 or (texels.dtype == np.uint16 and is_gray)
    if not fits or texels.ndim not in (2, 3) or components not in (1, 2, 3, 4) or not texels.size:
        is_flat = texels.ndim == 2 or (texels.ndim == 3 and components <= 4)
        advice = ", or write to a texture in r8g8b8a8_unorm" if is_flat else ""
        raise FileError(
            f"{escaped(name)}: a PNG has uint8[height, width] with up to 4 components, or"
            f" uint16[height, width], not {texels.dtype}{list(texels.shape)}: save a .npy file"
            + advice
        )
    pillow = _module("PIL.Image", "Pillow: pip install pillow")
    into = BytesIO()
    shown = texels[..., 0] if texels.ndim == 3 and is_gray else texels
    pillow.fromarray(np.ascontiguousarray(shown)).save(into, "PNG")
    return into.getvalue()


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture of a texture to look at: `colours` are u8[height, width, 3].

    `size` is the texture's width and height; the picture of a large one has fewer texels. `caption`
    has the size, and the numbers that are black and white.
    """

    label: str
    colours: Array
    size: tuple[int, int]
    caption: str


def preview(texels: Array, format: Format, label: str) -> Preview | None:
    """A picture of a two-dimensional texture.

    Floats are cut to the range from 0 to 1, a NaN is black. Integers and snorms are shown from the
    least to the greatest number. Alpha is left out, a missing green or blue is 0, and a single
    component is gray. Of large textures only some rows and columns are taken, so that the picture
    needs little memory. None for packed formats and blocks, and for an empty texture.
    """
    components = texels.shape[2] if texels.ndim == 3 else 1
    named = len(re.findall(r"[rgba]\d+", format.name.partition("_")[0]))  # 4 of r10g10b10a2
    if not named == components == format.components or texels.size == 0:
        return None
    height, width = texels.shape[:2]
    every = texels.reshape(height, width, components)
    black, white, remarks = _range(every[..., :3], format)
    step = -(-max(width, height) // _MOST_SIDE)
    some = every[::step, ::step]
    colours = (blue_first(some) if format.is_blue_first else some)[..., :3]
    shares = np.nan_to_num((colours.astype(np.float64) - black) / ((white - black) or 1), nan=0.0)
    bytes_ = np.rint(np.clip(shares, 0, 1) * 255).astype(np.uint8)
    missing = ((0, 0), (0, 0), (0, 3 - bytes_.shape[2]))
    bytes_ = np.repeat(bytes_, 3, axis=2) if components == 1 else np.pad(bytes_, missing)
    remarks += ["without alpha"] if components == 4 else []
    caption = ", ".join([f"{width} x {height} texels", *remarks])
    return Preview(label, bytes_, (width, height), caption)


def _range(numbers: Array, format: Format) -> tuple[float, float, list[str]]:
    """The numbers that are black and white in a picture, and remarks about them."""
    if format.kind == UNORM:
        return 0, int(np.iinfo(numbers.dtype).max), []
    known = numbers[~np.isnan(numbers)] if format.kind == FLOAT else numbers
    least, greatest = (known.min().item(), known.max().item()) if known.size else (0, 0)
    if format.kind != FLOAT:
        return least, greatest, [f"black {least:,}, white {greatest:,}"]
    text = "black 0, white 1"
    if least < 0 or greatest > 1:
        text += f"; the array has {least:.4g} to {greatest:.4g}"
    return 0, 1, [text, *(["NaN is black"] if known.size < numbers.size else [])]


def scaled(shown: Preview, least: int, most: int) -> tuple[Array, str]:
    """The pixels of a preview, enlarged or reduced to about these sides, and words about the scale.

    The larger side has at most `most` pixels, and at least half of `least`.
    """
    width, height = shown.size
    times = least // max(width, height)
    if times > 1:
        pixels = shown.colours.repeat(times, axis=0).repeat(times, axis=1)
        return _thick(pixels), f", enlarged {times} times"
    pixels = _thick(fitted(shown.colours, most, most))
    if (pixels.shape[1], pixels.shape[0]) == shown.size:
        return pixels, ""
    return pixels, f", reduced to {pixels.shape[1]} x {pixels.shape[0]} pixels"


def _thick(pixels: Array) -> Array:
    """The pixels, with those of a very narrow or flat picture repeated, so that it can be seen."""
    for axis in (0, 1):
        pixels = pixels.repeat(-(-_LEAST_SIDE // pixels.shape[axis]), axis=axis)
    return pixels


def fitted(texels: Array, width: int, height: int) -> Array:
    """A picture, u8[height, width, 3], that fits into so many pixels: means of its texels.

    A picture that fits is returned as it is.
    """
    scale = max(texels.shape[1] / width, texels.shape[0] / height, 1.0)
    sums = texels.astype(np.float64)
    for axis in (0, 1):
        length = texels.shape[axis]
        count = max(round(length / scale), 1)
        starts = [number * length // count for number in range(count)]
        shape = [1, 1, 1]
        shape[axis] = count
        lengths: Array = np.diff([*starts, length]).reshape(shape)
        sums = np.add.reduceat(sums, starts, axis) / lengths
    return np.rint(sums).astype(np.uint8)


def _module(name: str, wanted: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(_MISSING.format(wanted)) from None
